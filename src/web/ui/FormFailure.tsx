import { Alert } from '@mantine/core';
import { asApiError } from '../api/errors.ts';

export function FormFailure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" role="alert" title="That did not work">
      {asApiError(error).message}
    </Alert>
  );
}
