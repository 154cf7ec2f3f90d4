import { Alert } from '@mantine/core';
import type { MemberStatus } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';

/** Warns paused members that the service rejects their bookings. */
export function MembershipPausedNotice({ status }: { status: MemberStatus | undefined }) {
  if (status !== 'PAUSED') return null;
  return (
    <Alert color="orange" role="note" title={getMemberText('paused.title')} mb="md">
      {getMemberText('paused.help')}
    </Alert>
  );
}
