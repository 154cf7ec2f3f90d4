import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { can, isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/DateTime.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { BackLink, PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { useNow } from '../../components/use-now.ts';
import { toLocalDate } from '../../components/wall-clock.ts';
import { MemberPersonalData } from '../personal-data/PersonActions.tsx';
import { MembershipList } from '../plans/MembershipList.tsx';
import { MemberBookings } from './MemberBookings.tsx';
import { MemberCalendar } from './MemberCalendar.tsx';
import { MemberForm } from './MemberForm.tsx';
import { MemberStatusBadge } from './MembersTable.tsx';
import {
  type MemberDetails,
  useApproveEmailChange,
  useCancelEmailChange,
  useMember,
  useResendConfirmation,
} from './queries.ts';

export function MemberPage() {
  const { memberId = '' } = useParams();
  const viewer = useStaffViewer();
  const now = useNow(60);
  const member = useMember(memberId);
  return (
    <>
      <BackLink to="/members">All members</BackLink>
      <QueryBoundary query={member} height={400}>
        {(member) => (
          <>
            <PageHeader
              title={member.name}
              description={member.company ?? member.team?.name ?? 'A member of the community.'}
            />
            <PendingEmailNotice member={member} canChange={can(viewer, 'members:write')} />
            <Stack>
              <MemberDetailsCard member={member} canChange={can(viewer, 'members:write')} />
              <MembershipList
                holder={{ memberId: member.id }}
                name={member.name}
                memberships={member.memberships}
                today={toLocalDate(now, 'UTC')}
                canChange={can(viewer, 'members:write')}
                note={formatTeamNote(member)}
              />
              {can(viewer, 'bookings:read') && (
                <>
                  <MemberBookings member={member} />
                  <MemberCalendar member={member} canChange={can(viewer, 'bookings:write')} />
                </>
              )}
              {isSpaceManager(viewer) && <MemberPersonalData member={member} />}
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const formatTeamNote = ({ currentMembership }: MemberDetails) =>
  currentMembership?.team
    ? `Books by the plan ${currentMembership.plan.name} of the team ${currentMembership.team.name}, unless there is a membership of their own.`
    : undefined;

export function MemberDetailsCard({
  member,
  canChange,
}: {
  member: MemberDetails;
  canChange: boolean;
}) {
  const editing = useDialog();
  const { name, email, phone, company, team, code, createdAt } = member;
  return (
    <SectionCard
      title="Details"
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit member
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ['Status', <MemberStatusBadge key="status" member={member} />],
          ['E-mail', <ContactLink key="email" href={`mailto:${email}`} text={email} />],
          ['Phone', phone && <ContactLink key="phone" href={`tel:${phone}`} text={phone} />],
          ['Company', company],
          ['Team', team?.name],
          ['Member code', <Code key="code">{code}</Code>],
          ['Member since', <DateTime key="since" at={createdAt} format="day" />],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`}>
        {() => <MemberForm member={member} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

const ContactLink = ({ href, text }: { href: string; text: string }) => (
  <Anchor href={href} size="sm">
    {text}
  </Anchor>
);

/** What is still to be done before an address counts; nothing where there is none. */
export function PendingEmailNotice({
  member,
  canChange,
}: {
  member: MemberDetails;
  canChange: boolean;
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
            The links end <DateTime at={emailChange.expiresAt} format="until" />.
          </Text>
        )}
        {canChange && <EmailChangeActions member={member} />}
      </Stack>
    </Alert>
  );
}

function EmailChangeActions({ member: { id, emailChange } }: { member: MemberDetails }) {
  const viewer = useStaffViewer();
  const resend = useResendConfirmation(() => notifySuccess('A new link is on its way.'));
  const approve = useApproveEmailChange(() => notifySuccess('You agreed to the new address.'));
  const cancel = useCancelEmailChange(() => notifySuccess('The present address stays.'));
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
      {emailChange && !emailChange.approvedAt && isSpaceManager(viewer) && (
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
