import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { DateTime } from '../../components/DateTime.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifyFailure } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { useSecretMutation } from '../../components/use-secret-dialog.ts';
import type { CalendarFeedsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

interface Props {
  member: { id: string; name: string; status: string };
  canChange: boolean;
}

/** Lists calendar URLs for staff who can read bookings. Creating one needs permission to write bookings. */
export function MemberCalendar({ member, canChange }: Props) {
  const feeds = useCalendarFeeds(member.id);
  const revoking = useDialog<CalendarFeed>();
  const create = useCreateCalendarFeed(member);
  const failed = (error: Error) => notifyFailure('Could not create the URL', error);
  return (
    <SectionCard
      title="Calendar"
      description="A secret URL for subscribing to these bookings in a calendar app."
      action={
        canChange &&
        member.status !== 'FORMER' && (
          <Button
            size="xs"
            variant="default"
            loading={create.isPending}
            onClick={() => create.mutate(undefined, { onError: failed })}
          >
            Create URL
          </Button>
        )
      }
    >
      <QueryBoundary query={feeds} height={40}>
        {(feeds) => (
          <Stack gap="xs">
            {feeds.length === 0 && <Text size="sm">No calendar URL yet.</Text>}
            {feeds.map((feed) => (
              <Group key={feed.id} justify="space-between">
                <Text size="sm" component="div">
                  <code>{feed.prefix}…</code>, created{' '}
                  <DateTime at={feed.createdAt} format="since" />
                </Text>
                {canChange && (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Revoke ${feed.prefix}…`}
                    onClick={() => revoking.open(feed)}
                  >
                    Revoke
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </QueryBoundary>
      <Dialog state={revoking} title="Revoke URL?">
        {(feed) => <RevokeFeedConfirmation feed={feed} onClose={revoking.close} />}
      </Dialog>
    </SectionCard>
  );
}

function RevokeFeedConfirmation({ feed, onClose }: { feed: CalendarFeed; onClose: () => void }) {
  const revoke = useRevokeCalendarFeed(onClose);
  return (
    <Confirmation
      label="Revoke URL"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(feed.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      Calendars that subscribe to <code>{feed.prefix}…</code> stop updating. Create a new URL for
      calendars that should continue.
    </Confirmation>
  );
}

type CalendarFeed = CalendarFeedsQuery['calendarFeeds']['edges'][number]['node'];

const CALENDAR_FEEDS_KEY = 'calendar-feeds';

const CALENDAR_FEEDS_QUERY = graphql(`
  query CalendarFeeds($memberId: ID!) {
    calendarFeeds(first: 50, filter: { memberId: $memberId }) {
      edges {
        node {
          id
          prefix
          createdAt
          revokedAt
        }
      }
    }
  }
`);

/** Feeds that are not revoked. */
const useCalendarFeeds = (memberId: string) =>
  useQuery({
    queryKey: [CALENDAR_FEEDS_KEY, memberId],
    queryFn: async ({ signal }) =>
      (await request(CALENDAR_FEEDS_QUERY, { memberId }, signal)).calendarFeeds.edges
        .map(({ node }) => node)
        .filter(({ revokedAt }) => revokedAt === null),
  });

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
    [[CALENDAR_FEEDS_KEY]],
    (url) => ({
      title: `Calendar of ${member.name}`,
      explanation:
        'Subscribe to this URL in a calendar app. Anyone with the URL can see the bookings, so keep it secret.',
      label: 'Calendar URL',
      plainText: url,
    }),
  );

const REVOKE_CALENDAR_FEED_MUTATION = graphql(`
  mutation RevokeCalendarFeed($id: ID!) {
    revokeCalendarFeed(id: $id) {
      id
    }
  }
`);

const useRevokeCalendarFeed = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(REVOKE_CALENDAR_FEED_MUTATION, { id }),
    [[CALENDAR_FEEDS_KEY]],
    onSuccess,
  );
