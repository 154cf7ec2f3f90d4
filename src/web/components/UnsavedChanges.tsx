import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Confirmation, Dialog } from './Dialog.tsx';

interface Props {
  isDirty: boolean;
  /** The section to which the page goes by itself after it has saved. */
  savedPath?: string;
}

/** Asks before someone leaves the page and loses what they have typed. */
export function UnsavedChanges({ isDirty, savedPath }: Props) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty &&
      currentLocation.pathname !== nextLocation.pathname &&
      !(savedPath && nextLocation.pathname.startsWith(savedPath)),
  );
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
  const stay = () => blocker.reset?.();
  return (
    <Dialog
      state={{ subject: true, opened: blocker.state === 'blocked', open: () => {}, close: stay }}
      title="Discard your changes?"
      ignoresBack
    >
      {() => (
        <Confirmation
          label="Discard"
          cancelLabel="Keep editing"
          pending={false}
          error={null}
          onConfirm={() => blocker.proceed?.()}
          onCancel={stay}
        >
          What you have typed is not saved.
        </Confirmation>
      )}
    </Dialog>
  );
}
