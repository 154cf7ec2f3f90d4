import { Button, Group, Stack, Text } from '@mantine/core';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import type { MySessionFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText, renderMemberText } from '../../language/member-texts.ts';

/** The sessions of the signed-in person, staff or member. */
export const SessionList = ({ sessions }: { sessions: Session[] }) => (
  <SectionCard
    title={getMemberText('session.list')}
    description={getMemberText('session.listHelp')}
  >
    <Stack gap="sm">
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </Stack>
      {sessions.length > 1 && <EndOtherSessionsButton />}
    </Stack>
  </SectionCard>
);

function SessionItem({
  session: { id, browser, createdAt, lastUsedAt, isCurrent },
}: {
  session: Session;
}) {
  const name = browser ?? getMemberText('session.unknownBrowser');
  const end = useEndSession(() =>
    notifySuccess(getMemberText('session.signedOutOf', { browser: name })),
  );
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {renderMemberText(isCurrent ? 'session.current' : 'session.other', {
            since: () => <DateTime at={lastUsedAt ?? createdAt} format="since" />,
            day: () => <DateTime at={createdAt} format="day" />,
          })}
        </Text>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          style={{ flexShrink: 0 }}
          aria-label={getMemberText('session.signOutOf', { browser: name })}
          onClick={() =>
            end.mutate(id, {
              onError: (error) => notifyFailure(getMemberText('session.signOutFailed'), error),
            })
          }
          loading={end.isPending}
        >
          {getMemberText('session.signOut')}
        </Button>
      )}
    </Group>
  );
}

function EndOtherSessionsButton() {
  const end = useEndOtherSessions(() => notifySuccess(getMemberText('session.signedOutElsewhere')));
  return (
    <Group>
      <Button
        variant="default"
        loading={end.isPending}
        onClick={() =>
          end.mutate(undefined, {
            onError: (error) =>
              notifyFailure(getMemberText('session.signOutElsewhereFailed'), error),
          })
        }
      >
        {getMemberText('session.signOutElsewhere')}
      </Button>
    </Group>
  );
}

export const SESSIONS_KEY = ['my-sessions'];
/** Members see their sessions together with their plan. */
const SESSION_QUERY_KEYS = [SESSIONS_KEY, ['me']];

type Session = MySessionFragment;

graphql(`
  fragment MySession on Session {
    id
    browser
    createdAt
    lastUsedAt
    isCurrent
  }
`);

const END_SESSION_MUTATION = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input) {
      session {
        id
      }
    }
  }
`);

const END_OTHER_SESSIONS_MUTATION = graphql(`
  mutation EndOtherSessions {
    endOtherSessions {
      sessions {
        id
      }
    }
  }
`);

const useEndSession = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(END_SESSION_MUTATION, { input: { id } }),
    SESSION_QUERY_KEYS,
    onSuccess,
  );

const useEndOtherSessions = (onSuccess: () => void) =>
  useRefetchingMutation(() => request(END_OTHER_SESSIONS_MUTATION), SESSION_QUERY_KEYS, onSuccess);
