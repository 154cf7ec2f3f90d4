import { Button, Group, Stack, Text } from '@mantine/core';
import { Loaded } from '../../ui/Loaded.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { type Session, useEndOtherSessions, useEndSession, useSessions } from './queries.ts';

/** Where the person is signed in; for staff and for members. */
export function Sessions() {
  const sessions = useSessions();
  return (
    <Panel title="Where you are signed in" description="Sign out of whatever you do not recognize.">
      <Loaded query={sessions} height={120}>
        {(rows) => (
          <Stack gap="sm">
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {rows.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </Stack>
            {rows.length > 1 && <EndOthers />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function Row({ session: { id, browser, createdAt, lastUsedAt, isCurrent } }: { session: Session }) {
  const name = browser ?? 'Unknown browser';
  const end = useEndSession(() => notifyDone(`You are signed out of ${name}.`));
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {isCurrent ? (
            'This browser'
          ) : (
            <>
              Last used <Moment at={lastUsedAt ?? createdAt} as="since" />
            </>
          )}
          , signed in on <Moment at={createdAt} as="day" />
        </Text>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          style={{ flexShrink: 0 }}
          aria-label={`Sign out ${name}`}
          onClick={() =>
            end.mutate(id, { onError: (error) => notifyFailure('It is still signed in', error) })
          }
          loading={end.isPending}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}

function EndOthers() {
  const end = useEndOtherSessions(() => notifyDone('You are signed out everywhere else.'));
  return (
    <Group>
      <Button
        variant="default"
        loading={end.isPending}
        onClick={() =>
          end.mutate(undefined, {
            onError: (error) => notifyFailure('You are still signed in elsewhere', error),
          })
        }
      >
        Sign out everywhere else
      </Button>
    </Group>
  );
}
