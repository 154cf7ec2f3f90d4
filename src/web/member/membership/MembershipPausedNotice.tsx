import { Alert } from '@mantine/core';
import { useCurrentMember } from './current-member.ts';

/** Says why booking is refused before it is tried. */
export function MembershipPausedNotice() {
  const me = useCurrentMember();
  if (me.data?.status !== 'PAUSED') return null;
  return (
    <Alert color="orange" role="note" title="Your membership is paused" mb="md">
      Until it goes on, nothing new can be booked and nothing moved. What you have booked stays, and
      you can cancel it. Ask at the front desk to go on.
    </Alert>
  );
}
