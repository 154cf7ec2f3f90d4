import { Alert, Button, Stack, Text } from '@mantine/core';
import type { ApiError } from '../api/errors.ts';

const TITLES: Record<string, string> = {
  UNREACHABLE: 'No connection to the service',
  FORBIDDEN: 'You may not see this',
  NOT_FOUND: 'Not there',
};

export function ErrorState({ error, retry }: { error: ApiError; retry?: () => unknown }) {
  return (
    <Alert color="red" role="alert" title={TITLES[error.code] ?? 'That did not work'}>
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
