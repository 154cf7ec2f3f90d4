import { Text } from '@mantine/core';
import type { RefundStatus } from '../../gql/graphql.ts';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import type { Refund } from './refund-queries.ts';

const BADGES: Record<RefundStatus, [color: string, word: string]> = {
  DUE: ['yellow', 'Due'],
  DONE: ['teal', 'Done'],
  FAILED: ['red', 'Failed'],
};

export function RefundState({ refund }: { refund: Refund }) {
  const { status, provider, problem, doneAt } = refund;
  const [color, word] = BADGES[status];
  return (
    <>
      <StateBadge color={color}>{word}</StateBadge>
      <Text size="xs" c="dimmed" mt={4} maw={280} style={{ overflowWrap: 'anywhere' }}>
        {status === 'DONE' && doneAt && <Moment at={doneAt} as="since" />}
        {status === 'DUE' &&
          (provider === 'ON_SITE'
            ? 'Hand the money out, then settle it'
            : (problem ?? 'The payment provider is about to do it'))}
        {status === 'FAILED' && (problem ?? 'The payment provider did not say why')}
      </Text>
    </>
  );
}
