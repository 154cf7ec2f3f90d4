import { Alert } from '@mantine/core';
import { useState } from 'react';
import { toApiError } from '../../api/errors.ts';
import { formatBrowserTime, formatTimeUntil } from '../../components/format-browser-time.ts';
import { useNow } from '../../components/use-now.ts';

export function SignInError({ error }: { error: Error }) {
  const { code, message, details } = toApiError(error);
  if (code === 'RATE_LIMITED')
    return <RateLimitedNotice seconds={details.retryAfterSeconds ?? 60} />;
  if (code === 'UNAUTHENTICATED') {
    return (
      <Alert color="red" role="alert" title="Could not sign in">
        {message}
      </Alert>
    );
  }
  return (
    <Alert color="orange" role="alert" title="Could not sign in">
      {message}
    </Alert>
  );
}

function RateLimitedNotice({ seconds }: { seconds: number }) {
  const [until] = useState(() => new Date(Date.now() + seconds * 1000));
  const now = useNow(1);
  return (
    <Alert color="orange" role="alert" title="Too many attempts">
      {until <= now
        ? 'You can try again now.'
        : `Sign-in is blocked for a while to protect accounts. Try again at ${formatBrowserTime(until)}, ${formatTimeUntil(until, now)}.`}
    </Alert>
  );
}
