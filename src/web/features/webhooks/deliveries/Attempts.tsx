import { Stack, Text } from '@mantine/core';
import { StateBadge } from '../../../ui/StateBadge.tsx';
import { momentOf } from '../../../ui/time-words.ts';
import type { Attempt } from './queries.ts';

/** Newest first. */
export function Attempts({ attempts }: { attempts: Attempt[] }) {
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet.
      </Text>
    );
  }
  return (
    <Stack component="ol" aria-label="Attempts" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <StateBadge color={attempt.problem === null ? 'teal' : 'red'}>
            {attempt.status === null ? 'No answer' : `Answered ${attempt.status}`}
          </StateBadge>
          <Text component="span" size="sm" c="dimmed" ml="xs">
            <time dateTime={attempt.at}>{momentOf(new Date(attempt.at))}</time>, {attempt.tookMs} ms
          </Text>
          {saysMore(attempt) && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {attempt.problem}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  );
}

const saysMore = ({ problem, status }: Attempt) =>
  problem !== null && problem !== `It answered ${status}.`;
