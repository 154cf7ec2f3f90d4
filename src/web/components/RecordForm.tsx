import { Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { DialogActions } from './Dialog.tsx';
import { FormError } from './ErrorAlerts.tsx';

interface Props {
  /** The label of the submit button: "Save plan". */
  label: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  save: { error: Error | null; isPending: boolean };
  onClose: () => void;
  children: ReactNode;
}

/** The skeleton of a form that creates or edits a record in a dialog: error, fields, buttons. */
export const RecordForm = ({ label, onSubmit, save, onClose, children }: Props) => (
  <form onSubmit={onSubmit} noValidate>
    <Stack>
      <FormError error={save.error} />
      {children}
    </Stack>
    <DialogActions label={label} onCancel={onClose} pending={save.isPending} />
  </form>
);
