import { Alert, Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type ApiError, toApiError } from '../api/errors.ts';

const ERROR_TITLES: Record<string, string> = {
  UNREACHABLE: 'No connection',
  FORBIDDEN: 'Access denied',
  NOT_FOUND: 'Not found',
};

export function ErrorAlert({ error, retry }: { error: ApiError; retry?: () => unknown }) {
  return (
    <Alert color="red" role="alert" title={ERROR_TITLES[error.code] ?? 'Something went wrong'}>
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

/** Scrolls into view, as it sits above the fields and the submit button below them. */
export function FormError({ error }: { error: Error | null }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) alert.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <Alert ref={alert} color="red" role="alert" title="Something went wrong">
      {toApiError(error).message}
    </Alert>
  );
}
