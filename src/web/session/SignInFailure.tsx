import { Alert } from '@mantine/core';
import { useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { clockTime, timeUntil } from '../ui/time-words.ts';
import { useNow } from '../ui/use-now.ts';

export function SignInFailure({ error }: { error: Error }) {
  const { code, message, details } = asApiError(error);
  if (code === 'RATE_LIMITED') return <Throttled seconds={details.retryAfterSeconds ?? 60} />;
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

function Throttled({ seconds }: { seconds: number }) {
  const [until] = useState(() => new Date(Date.now() + seconds * 1000));
  const now = useNow(1);
  return (
    <Alert color="orange" role="alert" title="Too many attempts">
      {until <= now
        ? 'You can try again now.'
        : `To keep guessers out, the sign-in is closed for a while. Try again at ${clockTime(until)}, ${timeUntil(until, now)}.`}
    </Alert>
  );
}
