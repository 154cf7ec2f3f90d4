import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { FormError } from './ErrorAlerts.tsx';

interface DialogProps<Subject> {
  state: DialogState<Subject>;
  title: string;
  size?: string;
  children: (subject: Subject) => ReactNode;
}

/** Its content is made afresh each time it opens. */
export function Dialog<Subject>({ state, title, size = 'md', children }: DialogProps<Subject>) {
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

/**
 * What a dialog is about, and whether it is open. The subject outlives the closing, so that the content does not change
 * while the dialog fades.
 */
export function useDialog<Subject = true>() {
  const [subject, setSubject] = useState<Subject | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    subject,
    opened,
    open: (about: Subject) => {
      setSubject(() => about);
      setOpened(true);
    },
    close: () => setOpened(false),
  };
}

export type DialogState<Subject> = ReturnType<typeof useDialog<Subject>>;

interface DialogActionsProps {
  label: string;
  onCancel: () => void;
  pending: boolean;
  color?: string | undefined;
  disabled?: boolean;
  cancelLabel?: string;
  onConfirm?: () => void;
}

/** The two buttons at the end of a dialog. Without onConfirm the first one submits the form around it. */
export function DialogActions(props: DialogActionsProps) {
  const { label, onCancel, pending, color, disabled, cancelLabel, onConfirm } = props;
  return (
    <Group justify="flex-end" gap="sm" mt="lg">
      <Button variant="default" onClick={onCancel} disabled={pending}>
        {cancelLabel ?? 'Cancel'}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        onClick={onConfirm}
        loading={pending}
        disabled={disabled ?? false}
        {...(color ? { color } : {})}
      >
        {label}
      </Button>
    </Group>
  );
}

interface ConfirmationContentProps {
  children: ReactNode;
  label: string;
  /** Where "Cancel" could be taken for what is asked about. */
  cancelLabel?: string;
  onCancel: () => void;
  onConfirm: () => void;
  pending: boolean;
  error: Error | null;
}

/** Asks before something that cannot be taken back. */
export function Confirmation({ children, error, ...actions }: ConfirmationContentProps) {
  return (
    <Stack gap="sm">
      <FormError error={error} />
      <Text component="div" size="sm">
        {children}
      </Text>
      <DialogActions {...actions} color="red" />
    </Stack>
  );
}
