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

/** Mounts its content anew each time it opens. */
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
 * The subject and open state of a dialog. The subject stays after closing, so that the content does not change during
 * the transition.
 */
export function useDialog<Subject = true>() {
  const [subject, setSubject] = useState<Subject | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    subject,
    opened,
    open: (next: Subject) => {
      setSubject(() => next);
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

/** The buttons at the end of a dialog. Without onConfirm the primary button submits the surrounding form. */
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
  /** Replaces "Cancel" where it could be mistaken for the action. */
  cancelLabel?: string;
  onCancel: () => void;
  onConfirm: () => void;
  pending: boolean;
  error: Error | null;
}

/** Asks for confirmation before a destructive action. */
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
