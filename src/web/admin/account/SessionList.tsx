import { Button, Group, Stack, Text } from '@mantine/core';
import { DateTime } from '../../components/DateTime.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { type Session, useEndOtherSessions, useEndSession, useSessions } from './queries.ts';

/** The sessions of the signed-in person, staff or member. */
export function SessionList() {
  const sessions = useSessions();
  return (
    <SectionCard
      title="Where you are signed in"
      description="Sign out of any session you do not recognize."
    >
      <QueryBoundary query={sessions} height={120}>
        {(rows) => (
          <Stack gap="sm">
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {rows.map((session) => (
                <SessionItem key={session.id} session={session} />
              ))}
            </Stack>
            {rows.length > 1 && <EndOtherSessionsButton />}
          </Stack>
        )}
      </QueryBoundary>
    </SectionCard>
  );
}

function SessionItem({
  session: { id, browser, createdAt, lastUsedAt, isCurrent },
}: {
  session: Session;
}) {
  const name = browser ?? 'Unknown browser';
  const end = useEndSession(() => notifySuccess(`Signed out of ${name}.`));
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
              Last used <DateTime at={lastUsedAt ?? createdAt} format="since" />
            </>
          )}
          , signed in on <DateTime at={createdAt} format="day" />
        </Text>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          style={{ flexShrink: 0 }}
          aria-label={`Sign out ${name}`}
          onClick={() =>
            end.mutate(id, { onError: (error) => notifyFailure('Could not sign out', error) })
          }
          loading={end.isPending}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}

function EndOtherSessionsButton() {
  const end = useEndOtherSessions(() => notifySuccess('You are signed out everywhere else.'));
  return (
    <Group>
      <Button
        variant="default"
        loading={end.isPending}
        onClick={() =>
          end.mutate(undefined, {
            onError: (error) => notifyFailure('Could not sign out elsewhere', error),
          })
        }
      >
        Sign out everywhere else
      </Button>
    </Group>
  );
}
