import { Button, Group, Stack, Text } from '@mantine/core';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifyFailure } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { useSecretMutation } from '../../components/SecretDialog.tsx';
import type { CalendarFeedFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText, renderMemberText } from '../../language/member-texts.ts';

interface Props {
  member: { id: string; name: string; status: string };
  /** Those that are not revoked. */
  feeds: CalendarFeed[];
  canChange: boolean;
}

type CalendarFeed = CalendarFeedFragment;

graphql(`
  fragment CalendarFeed on CalendarFeed {
    id
    prefix
    createdAt
    createdBy {
      name
    }
  }
`);

/** The calendar URLs of a member. */
export function MemberCalendar({ member, feeds, canChange }: Props) {
  const revoking = useDialog<CalendarFeed>();
  const create = useCreateCalendarFeed(member);
  const onError = (error: Error) => notifyFailure(getMemberText('calendar.createFailed'), error);
  return (
    <SectionCard
      title={getMemberText('calendar.title')}
      description={getMemberText('calendar.description')}
      action={
        canChange &&
        member.status !== 'FORMER' && (
          <Button
            size="xs"
            variant="default"
            loading={create.isPending}
            onClick={() => create.mutate(undefined, { onError })}
          >
            {getMemberText('calendar.create')}
          </Button>
        )
      }
    >
      <Stack gap="xs">
        {feeds.length === 0 && <Text size="sm">{getMemberText('calendar.none')}</Text>}
        {feeds.map((feed) => (
          <Group key={feed.id} justify="space-between">
            <Text size="sm" component="div">
              {renderMemberText(
                feed.createdBy ? 'calendar.feedBy' : 'calendar.feed',
                {
                  code: (content) => <code>{content}</code>,
                  since: () => <DateTime at={feed.createdAt} format="since" />,
                },
                { prefix: feed.prefix, name: feed.createdBy?.name ?? '' },
              )}
            </Text>
            {canChange && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={getMemberText('calendar.revokeNamed', { prefix: feed.prefix })}
                onClick={() => revoking.open(feed)}
              >
                {getMemberText('calendar.revoke')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Dialog state={revoking} title={getMemberText('calendar.revokeTitle')}>
        {(feed) => <RevokeFeedConfirmation feed={feed} onClose={revoking.close} />}
      </Dialog>
    </SectionCard>
  );
}

function RevokeFeedConfirmation({ feed, onClose }: { feed: CalendarFeed; onClose: () => void }) {
  const revoke = useRevokeCalendarFeed(onClose);
  return (
    <Confirmation
      label={getMemberText('calendar.revokeUrl')}
      onCancel={onClose}
      onConfirm={() => revoke.mutate(feed.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      {renderMemberText(
        'calendar.revokeHelp',
        { code: (content) => <code>{content}</code> },
        { prefix: feed.prefix },
      )}
    </Confirmation>
  );
}

const CREATE_CALENDAR_FEED_MUTATION = graphql(`
  mutation CreateCalendarFeed($memberId: ID!) {
    createCalendarFeed(input: { memberId: $memberId }) {
      url
    }
  }
`);

const useCreateCalendarFeed = (member: { id: string; name: string }) =>
  useSecretMutation(
    async () =>
      (await request(CREATE_CALENDAR_FEED_MUTATION, { memberId: member.id })).createCalendarFeed
        .url,
    [['members'], ['me']],
    (url) => ({
      title: getMemberText('calendar.of', { name: member.name }),
      explanation: getMemberText('calendar.secretHelp'),
      label: getMemberText('calendar.url'),
      plainText: url,
    }),
  );

const REVOKE_CALENDAR_FEED_MUTATION = graphql(`
  mutation RevokeCalendarFeed($id: ID!) {
    revokeCalendarFeed(input: { id: $id }) {
      calendarFeed {
        id
      }
    }
  }
`);

const useRevokeCalendarFeed = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(REVOKE_CALENDAR_FEED_MUTATION, { id }),
    [['members'], ['me']],
    onSuccess,
  );
