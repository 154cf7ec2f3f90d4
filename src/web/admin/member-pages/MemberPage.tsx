import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { getErrorTitle, toApiError } from '../../api/errors.ts';
import { can, isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime, useNow } from '../../components/browser-time.tsx';
import { isAnyAllowed } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { BillingAddress, hasAddress } from '../customers/BillingFields.tsx';
import { MemberCalendar } from '../members/MemberCalendar.tsx';
import { MemberForm } from '../members/MemberForm.tsx';
import { MemberStatusBadge } from '../members/MembersTable.tsx';
import {
  NO_MAIL_SERVER,
  useApproveEmailChange,
  useCancelEmailChange,
  useEmailDelivery,
  useEndMemberSessions,
  useResendConfirmation,
  useSendSignInLink,
} from '../members/queries.ts';
import { MemberPersonalData } from '../personal-data/PersonActions.tsx';
import { MembershipList } from '../plans/MembershipList.tsx';
import { MemberBookings, MemberCheckIns, MemberOrders } from './MemberRelations.tsx';
import { type MemberDetails, useMember } from './member-page-query.ts';

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
              description={
                member.company ??
                member.team?.name ??
                'Member details, membership, bookings and orders.'
              }
            />
            <PendingEmailNotice member={member} />
            <Stack>
              <MemberDetailsCard member={member} />
              <MembershipList
                holder={{ memberId: member.id }}
                name={member.name}
                memberships={member.memberships.nodes}
                today={toLocalDate(now, 'UTC')}
                canChange={can(viewer, 'members:write')}
                note={formatTeamNote(member)}
              />
              <MemberBookings member={member} />
              <MemberOrders member={member} />
              <MemberCheckIns member={member} />
              {member.calendarFeeds && (
                <MemberCalendar
                  member={member}
                  feeds={member.calendarFeeds.nodes}
                  canChange={can(viewer, 'bookings:write')}
                />
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
    ? `Uses the ${currentMembership.plan.name} plan of team ${currentMembership.team.name} unless they have their own membership.`
    : undefined;

function MemberDetailsCard({ member }: { member: MemberDetails }) {
  const editing = useDialog();
  const { name, email, phone, company, customerNumber, team, code, createdAt } = member;
  return (
    <SectionCard
      title="Details"
      action={
        member.allowedActions.update && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit member
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ['Status', <MemberStatusBadge key="status" member={member} />],
          ['Email', <ContactLink key="email" href={`mailto:${email}`} text={email} />],
          ['Phone', phone && <ContactLink key="phone" href={`tel:${phone}`} text={phone} />],
          ['Company', company],
          [
            'Address',
            hasAddress(member) ? <BillingAddress key="address" details={member} /> : null,
          ],
          ['Customer number', customerNumber],
          ['Team', team?.name],
          ['Member code', <Code key="code">{code}</Code>],
          [
            'Sign-in',
            <Group key="sign-in" gap="xs">
              <SignInLink member={member} />
              <SignOutEverywhere member={member} />
            </Group>,
          ],
          ['Member since', <DateTime key="since" at={createdAt} format="day" />],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`}>
        {() => <MemberForm member={member} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

/** Staff send a sign-in link, for example to a member who does not find the page. */
function SignInLink({ member: { id, email, allowedActions } }: { member: MemberDetails }) {
  const send = useSendSignInLink(() => notifySuccess(`Sign-in link sent to ${email}.`));
  const delivery = useEmailDelivery(allowedActions.sendSignInLink).data;
  if (!allowedActions.sendSignInLink || !delivery) return null;
  if (!delivery.hasMailServer) return <Text size="sm">{NO_MAIL_SERVER}</Text>;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={send.isPending}
      onClick={() =>
        send.mutate(id, { onError: (error) => notifyFailure('Sign-in link not sent', error) })
      }
    >
      Send sign-in link
    </Button>
  );
}

/** Staff sign a member out, for example after a phone was lost. */
function SignOutEverywhere({ member: { id, name, allowedActions } }: { member: MemberDetails }) {
  const end = useEndMemberSessions(() => notifySuccess(`${name} is signed out everywhere.`));
  if (!allowedActions.endSessions) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={end.isPending}
      onClick={() => end.mutate(id, { onError: (error) => notifyFailure('Not signed out', error) })}
    >
      Sign out everywhere
    </Button>
  );
}

const ContactLink = ({ href, text }: { href: string; text: string }) => (
  <Anchor href={href} size="sm">
    {text}
  </Anchor>
);

/** Shows which confirmations of an email address are missing. Renders nothing if none are. */
function PendingEmailNotice({ member }: { member: MemberDetails }) {
  const { emailConfirmed, emailChange } = member;
  if (emailConfirmed && !emailChange) return null;
  return (
    <Alert color="yellow" title="Waiting for confirmation" mb="md">
      <Stack gap="xs">
        {!emailConfirmed && (
          <Text size="sm">
            {member.email} is not confirmed yet, as this member was added through the API. They can
            sign in once they open the link in their email.
          </Text>
        )}
        {emailChange && (
          <Text size="sm" component="div">
            The address will change to <b>{emailChange.email}</b>.{' '}
            {emailChange.confirmedAt
              ? 'The new address is confirmed.'
              : 'The new address still needs to be confirmed.'}{' '}
            {!emailChange.approvedAt &&
              'It was entered by the front desk or through the API, so the member must approve it with the link sent to the current address, or a manager here.'}{' '}
            The links expire <DateTime at={emailChange.expiresAt} format="until" />.
          </Text>
        )}
        {isAnyAllowed(member.allowedActions) && <EmailChangeActions member={member} />}
      </Stack>
    </Alert>
  );
}

function EmailChangeActions({
  member: { id, emailChange, allowedActions },
}: {
  member: MemberDetails;
}) {
  const resend = useResendConfirmation(() => notifySuccess('New link sent.'));
  const approve = useApproveEmailChange(() => notifySuccess('New address approved.'));
  const cancel = useCancelEmailChange(() => notifySuccess('Current address kept.'));
  const onError = (error: Error) => notifyFailure(getErrorTitle(toApiError(error)), error);
  return (
    <Group gap="xs">
      {allowedActions.resendConfirmation && (
        <Button
          size="xs"
          variant="default"
          loading={resend.isPending}
          onClick={() => resend.mutate(id, { onError })}
        >
          Resend link
        </Button>
      )}
      {allowedActions.approveEmailChange && emailChange && (
        <Button
          size="xs"
          variant="default"
          loading={approve.isPending}
          onClick={() => approve.mutate({ id, email: emailChange.email }, { onError })}
        >
          Approve change
        </Button>
      )}
      {allowedActions.cancelEmailChange && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(id, { onError })}
        >
          Keep current address
        </Button>
      )}
    </Group>
  );
}
