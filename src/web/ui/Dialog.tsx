import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { DialogState } from './use-dialog.ts';

interface Props<Subject> {
  state: DialogState<Subject>;
  title: string;
  size?: string;
  children: (subject: Subject) => ReactNode;
}

/** Its content is made afresh each time it opens. */
export function Dialog<Subject>({ state, title, size = 'md', children }: Props<Subject>) {
  const narrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={state.opened}
      onClose={state.close}
      title={title}
      size={size}
      fullScreen={narrow}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {state.subject !== null && children(state.subject)}
    </Modal>
  );
}
