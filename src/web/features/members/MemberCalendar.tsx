import { Button, Group, Stack, Text } from '@mantine/core';
import { Confirm } from '../../ui/Confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { notifyFailure } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import {
  type CalendarFeed,
  useCalendarFeeds,
  useCreateCalendarFeed,
  useRevokeCalendarFeed,
} from './calendar-queries.ts';

interface Props {
  member: { id: string; name: string; status: string };
  mayChange: boolean;
}

/** Whoever may read bookings sees which addresses there are; only who may change bookings hands them out. */
export function MemberCalendar({ member, mayChange }: Props) {
  const feeds = useCalendarFeeds(member.id);
  const revoking = useDialog<CalendarFeed>();
  const create = useCreateCalendarFeed(member);
  const failed = (error: Error) => notifyFailure('There is no address', error);
  return (
    <Panel
      title="Calendar"
      description="A secret address by which a calendar program shows these bookings."
      action={
        mayChange &&
        member.status !== 'FORMER' && (
          <Button
            size="xs"
            variant="default"
            loading={create.isPending}
            onClick={() => create.mutate(undefined, { onError: failed })}
          >
            Make an address
          </Button>
        )
      }
    >
      <Loaded query={feeds} height={40}>
        {(feeds) => (
          <Stack gap="xs">
            {feeds.length === 0 && <Text size="sm">No address yet.</Text>}
            {feeds.map((feed) => (
              <Group key={feed.id} justify="space-between">
                <Text size="sm" component="div">
                  <code>{feed.prefix}…</code>, made <Moment at={feed.createdAt} as="since" />
                </Text>
                {mayChange && (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Revoke the address ${feed.prefix}…`}
                    onClick={() => revoking.open(feed)}
                  >
                    Revoke
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
      <Dialog state={revoking} title="Revoke this address?">
        {(feed) => <RevokeFeed feed={feed} onClose={revoking.close} />}
      </Dialog>
    </Panel>
  );
}

function RevokeFeed({ feed, onClose }: { feed: CalendarFeed; onClose: () => void }) {
  const revoke = useRevokeCalendarFeed(onClose);
  return (
    <Confirm
      label="Revoke address"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(feed.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      Calendars that subscribe to <code>{feed.prefix}…</code> show nothing new from now on. Make
      another address for those that should go on.
    </Confirm>
  );
}
