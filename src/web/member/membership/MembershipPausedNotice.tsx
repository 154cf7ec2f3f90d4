import { Alert } from '@mantine/core';
import type { MemberStatus } from '../../gql/graphql.ts';

/** Warns paused members that the service rejects their bookings. */
export function MembershipPausedNotice({ status }: { status: MemberStatus | undefined }) {
  if (status !== 'PAUSED') return null;
  return (
    <Alert color="orange" role="note" title="Your membership is paused" mb="md">
      Until it resumes, you can’t make or reschedule bookings. Your existing bookings stay valid,
      and you can cancel them. Ask at the front desk to resume your membership.
    </Alert>
  );
}
