import { Button, Group } from '@mantine/core';

interface Props {
  label: string;
  onCancel: () => void;
  pending: boolean;
  color?: string | undefined;
  disabled?: boolean;
  cancelLabel?: string;
  onConfirm?: () => void;
}

/** The two buttons at the end of a dialog. Without onConfirm the first one submits the form around it. */
export function DialogActions(props: Props) {
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
