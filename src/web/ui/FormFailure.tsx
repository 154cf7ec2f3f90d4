import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { asApiError } from '../api/errors.ts';

/** It stands above a form whose button may be far below it: hence it comes into view. */
export function FormFailure({ error }: { error: Error | null }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) alert.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <Alert ref={alert} color="red" role="alert" title="That did not work">
      {asApiError(error).message}
    </Alert>
  );
}
