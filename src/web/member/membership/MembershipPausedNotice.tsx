import { Alert } from '@mantine/core';
import { useCurrentMember } from './current-member.ts';

/** Explains in advance why bookings will be rejected. */
export function MembershipPausedNotice() {
  const member = useCurrentMember();
  if (member.data?.status !== 'PAUSED') return null;
  return (
    <Alert color="orange" role="note" title="Your membership is paused" mb="md">
      Until it resumes, you can’t make or reschedule bookings. Your existing bookings stay valid,
      and you can cancel them. Ask at the front desk to resume your membership.
    </Alert>
  );
}
