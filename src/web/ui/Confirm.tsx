import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogActions } from './DialogActions.tsx';
import { FormFailure } from './FormFailure.tsx';

interface Props {
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
export function Confirm({ children, error, ...actions }: Props) {
  return (
    <Stack gap="sm">
      <FormFailure error={error} />
      <Text component="div" size="sm">
        {children}
      </Text>
      <DialogActions {...actions} color="red" />
    </Stack>
  );
}
