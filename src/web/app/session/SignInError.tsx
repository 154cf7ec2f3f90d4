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
      <Alert color="red" role="alert" title="That did not work">
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
        : `To keep guessers out, the sign-in is closed for a while. Try again at ${formatBrowserTime(until)}, ${formatTimeUntil(until, now)}.`}
    </Alert>
  );
}
