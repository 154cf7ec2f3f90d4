import { Button, Group } from '@mantine/core';

interface Props {
  label: string;
  onCancel: () => void;
  pending: boolean;
  color?: string;
  cancelLabel?: string;
  onConfirm?: () => void;
}

/** The two buttons at the end of a dialog. Without onConfirm the first one submits the form around it. */
export function DialogActions({ label, onCancel, pending, color, cancelLabel, onConfirm }: Props) {
  return (
    <Group justify="flex-end" gap="sm" mt="lg">
      <Button variant="default" onClick={onCancel} disabled={pending}>
        {cancelLabel ?? 'Cancel'}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        onClick={onConfirm}
        loading={pending}
        {...(color ? { color } : {})}
      >
        {label}
      </Button>
    </Group>
  );
}
