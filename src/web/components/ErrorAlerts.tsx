import { Alert, Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type ApiError, toApiError } from '../api/errors.ts';

const ERROR_TITLES: Record<string, string> = {
  UNREACHABLE: 'No connection to the service',
  FORBIDDEN: 'You may not see this',
  NOT_FOUND: 'Not there',
};

export function ErrorAlert({ error, retry }: { error: ApiError; retry?: () => unknown }) {
  return (
    <Alert color="red" role="alert" title={ERROR_TITLES[error.code] ?? 'That did not work'}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{error.message}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** It stands above a form whose button may be far below it: hence it comes into view. */
export function FormError({ error }: { error: Error | null }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) alert.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <Alert ref={alert} color="red" role="alert" title="That did not work">
      {toApiError(error).message}
    </Alert>
  );
}
