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
  const onError = (error: Error) => notifyFailure('Could not create the URL', error);
  return (
    <SectionCard
      title="Calendar"
      description="Secret URLs to subscribe to these bookings in a calendar app."
      action={
        canChange &&
        member.status !== 'FORMER' && (
          <Button
            size="xs"
            variant="default"
            loading={create.isPending}
            onClick={() => create.mutate(undefined, { onError })}
          >
            Create URL
          </Button>
        )
      }
    >
      <Stack gap="xs">
        {feeds.length === 0 && <Text size="sm">No calendar URL yet.</Text>}
        {feeds.map((feed) => (
          <Group key={feed.id} justify="space-between">
            <Text size="sm" component="div">
              <code>{feed.prefix}…</code>, created <DateTime at={feed.createdAt} format="since" />
              {feed.createdBy && ` by ${feed.createdBy.name}`}
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
      title: `Calendar of ${member.name}`,
      explanation:
        'Subscribe to this URL in a calendar app. Anyone with the URL can see the bookings, so keep it secret. It stops working when your account ends.',
      label: 'Calendar URL',
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
