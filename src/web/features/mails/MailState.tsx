import { Text } from '@mantine/core';
import type { MailState as State } from '../../gql/graphql.ts';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import type { Mail } from './queries.ts';

const BADGES: Record<State, [color: string, word: string]> = {
  SENT: ['teal', 'Sent'],
  WAITING: ['yellow', 'Waiting'],
  FAILED: ['red', 'Not sent'],
  SUPPRESSED: ['orange', 'Suppressed'],
  KEPT: ['gray', 'Kept here'],
};

export function MailState({ mail: { state, sentAt, problem } }: { mail: Mail }) {
  const [color, word] = BADGES[state];
  return (
    <>
      <StateBadge color={color}>{word}</StateBadge>
      {(sentAt || problem) && (
        <Text size="xs" c="dimmed" mt={4} maw={320} style={{ overflowWrap: 'anywhere' }}>
          {sentAt ? <Moment at={sentAt} as="since" /> : problem}
        </Text>
      )}
    </>
  );
}
