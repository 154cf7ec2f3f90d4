import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { managesSpace, useStaff } from '../../session/viewer.ts';
import { Moment } from '../../ui/Moment.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import type { MemberDetails } from './queries.ts';
import { useApproveEmailChange, useCancelEmailChange, useResendConfirmation } from './queries.ts';

/** What is still to be done before an address counts; nothing where there is none. */
export function MemberEmailState({
  member,
  mayChange,
}: {
  member: MemberDetails;
  mayChange: boolean;
}) {
  const { emailConfirmed, emailChange } = member;
  if (emailConfirmed && !emailChange) return null;
  return (
    <Alert color="yellow" title="Waiting for confirmation" mb="md">
      <Stack gap="xs">
        {!emailConfirmed && (
          <Text size="sm">
            {member.email} is not confirmed yet: a program added this member. They can sign in once
            they have opened the link in their mail.
          </Text>
        )}
        {emailChange && (
          <Text size="sm" component="div">
            The address is to be changed to <b>{emailChange.email}</b>.{' '}
            {emailChange.confirmedAt
              ? 'The new mailbox has confirmed it.'
              : 'The link in the new mailbox is still to be opened.'}{' '}
            {!emailChange.approvedAt &&
              'A program asked for it: the holder of the present address or a manager must agree.'}{' '}
            The links end <Moment at={emailChange.expiresAt} as="until" />.
          </Text>
        )}
        {mayChange && <Actions member={member} />}
      </Stack>
    </Alert>
  );
}

function Actions({ member: { id, emailChange } }: { member: MemberDetails }) {
  const viewer = useStaff();
  const resend = useResendConfirmation(() => notifyDone('A new link is on its way.'));
  const approve = useApproveEmailChange(() => notifyDone('You agreed to the new address.'));
  const cancel = useCancelEmailChange(() => notifyDone('The present address stays.'));
  const onError = (error: Error) => notifyFailure('That did not work', error);
  return (
    <Group gap="xs">
      {!emailChange?.confirmedAt && (
        <Button
          size="xs"
          variant="default"
          loading={resend.isPending}
          onClick={() => resend.mutate(id, { onError })}
        >
          Send the link again
        </Button>
      )}
      {emailChange && !emailChange.approvedAt && managesSpace(viewer) && (
        <Button
          size="xs"
          variant="default"
          loading={approve.isPending}
          onClick={() => approve.mutate(id, { onError })}
        >
          Agree to the change
        </Button>
      )}
      {emailChange && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(id, { onError })}
        >
          Keep the present address
        </Button>
      )}
    </Group>
  );
}
