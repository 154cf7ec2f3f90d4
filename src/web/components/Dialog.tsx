import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  type CSSProperties,
  type FormEventHandler,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import { useBlocker } from 'react-router';
import { getText } from '../language/page-texts.ts';
import { FormError, FormErrorProvider, focusInvalidField } from './ErrorAlerts.tsx';

// What covers the dialogs of a page.
export const SESSION_DIALOG_LAYER = 300;
export const SECRET_DIALOG_LAYER = 400;

interface DialogProps<Subject> {
  state: DialogState<Subject>;
  title: string;
  size?: string;
  /** Whether going back leaves the page instead of closing the dialog. Pages with UnsavedChanges need it: one blocker works at a time. */
  ignoresBack?: boolean;
  children: (subject: Subject) => ReactNode;
}

/** Remounts its content each time it opens, so that forms start fresh. */
export function Dialog<Subject>({
  state,
  title,
  size = 'md',
  ignoresBack = false,
  children,
}: DialogProps<Subject>) {
  const narrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={state.opened}
      onClose={state.close}
      title={title}
      size={size}
      fullScreen={narrow}
      closeButtonProps={{ 'aria-label': getText('page.close') }}
    >
      {state.opened && !ignoresBack && <CloseOnBack onClose={state.close} />}
      {/* While it fades out, a second click on its button would submit again. */}
      <div inert={!state.opened}>{state.subject !== null && children(state.subject)}</div>
    </Modal>
  );
}

/** On phones, people close what covers the screen by going back. */
function CloseOnBack({ onClose }: { onClose: () => void }) {
  const blocker = useBlocker(({ historyAction }) => historyAction === 'POP');
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    blocker.reset();
    onClose();
  }, [blocker, onClose]);
  return null;
}

/** The subject of a dialog, and whether it is open. Closing keeps the subject, since the dialog shows it while fading out. */
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
  /** The label of the primary button. */
  label: string;
  /** Replaces "Cancel" where it could be mistaken for the action. */
  cancelLabel?: string;
  color?: string | undefined;
  disabled?: boolean;
  pending: boolean;
  onCancel: () => void;
  /** Without it, the primary button submits the surrounding form. */
  onConfirm?: () => void;
}

/** Keeps buttons visible while the content of a high dialog scrolls. */
export const DIALOG_FOOTER: CSSProperties = {
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  paddingBlock: 'var(--mantine-spacing-sm)',
  background: 'var(--mantine-color-body)',
};

/** The buttons at the end of a dialog. */
export function DialogActions(props: DialogActionsProps) {
  const { label, onCancel, pending, color, disabled, cancelLabel, onConfirm } = props;
  return (
    <Group justify="flex-end" gap="sm" mt="lg" style={DIALOG_FOOTER}>
      <Button variant="default" onClick={onCancel} disabled={pending}>
        {cancelLabel ?? getText('page.cancel')}
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

interface ConfirmationProps extends Omit<DialogActionsProps, 'color'> {
  onConfirm: () => void;
  error: Error | null;
  /** Destructive actions get a red button. */
  isDestructive?: boolean;
  children: ReactNode;
}

/** Asks before an action. */
export function Confirmation(props: ConfirmationProps) {
  const { children, error, isDestructive = true, ...actions } = props;
  return (
    <Stack gap="sm">
      <FormError error={error} />
      <Text component="div" size="sm">
        {children}
      </Text>
      <DialogActions {...actions} color={isDestructive ? 'red' : undefined} />
    </Stack>
  );
}

interface DialogFormProps extends Omit<DialogActionsProps, 'pending' | 'onConfirm'> {
  onSubmit: FormEventHandler<HTMLFormElement>;
  mutation: { error: Error | null; isPending: boolean };
  children: ReactNode;
}

/** A form in a dialog: error, fields, buttons. */
export const DialogForm = ({ onSubmit, mutation, children, ...actions }: DialogFormProps) => (
  <form
    onSubmit={(event) => {
      onSubmit(event);
      focusInvalidField(event.currentTarget);
    }}
    noValidate
  >
    <Stack>
      <FormError error={mutation.error} />
      <FormErrorProvider value={mutation.error}>{children}</FormErrorProvider>
    </Stack>
    <DialogActions {...actions} pending={mutation.isPending} />
  </form>
);
