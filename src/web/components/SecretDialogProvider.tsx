import { Modal } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { SECRET_DIALOG_LAYER } from './Dialog.tsx';

/** What the dialog shows. Its content gets the function that closes it. */
interface SecretDialogContent {
  title: string;
  render: (onDone: () => void) => ReactNode;
}

const SecretDialogContext = createContext<((content: SecretDialogContent) => void) | null>(null);

/** Returns a function that opens the dialog. It stays open after navigation and even after the session ends. */
export function useSecretDialogOpener() {
  const open = use(SecretDialogContext);
  if (open === null) throw new Error('useSecretDialogOpener needs SecretDialogProvider above it');
  return open;
}

/** Wraps the router, so that the dialog stays open after navigation. Only its button closes it. */
export function SecretDialogProvider({ children }: { children: ReactNode }) {
  const [content, setContent] = useState<SecretDialogContent | null>(null);
  useUnloadWarning(content !== null);
  return (
    <SecretDialogContext value={setContent}>
      {children}
      <Modal
        opened={content !== null}
        onClose={() => undefined}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
        title={content?.title}
        zIndex={SECRET_DIALOG_LAYER}
        size="lg"
        transitionProps={{ duration: 0 }}
      >
        {content?.render(() => setContent(null))}
      </Modal>
    </SecretDialogContext>
  );
}

function useUnloadWarning(isEnabled: boolean) {
  useEffect(() => {
    if (!isEnabled) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isEnabled]);
}
