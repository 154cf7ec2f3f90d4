import { Text } from '@mantine/core';
import type { WebhookDeliveryState } from '../../../gql/graphql.ts';
import { Moment } from '../../../ui/Moment.tsx';
import { StateBadge } from '../../../ui/StateBadge.tsx';
import type { Delivery } from './queries.ts';

const BADGES: Record<WebhookDeliveryState, [color: string, word: string]> = {
  DELIVERED: ['teal', 'Delivered'],
  WAITING: ['yellow', 'Waiting'],
  FAILED: ['red', 'Failed'],
};

interface Props {
  delivery: Delivery;
  /** Nothing is sent, whatever is due. */
  isDisabled: boolean;
}

export function DeliveryState({ delivery, isDisabled }: Props) {
  const [color, word] = BADGES[delivery.state];
  return (
    <>
      <StateBadge color={color}>{word}</StateBadge>
      <Text
        component="div"
        size="xs"
        c="dimmed"
        mt={4}
        maw={320}
        style={{ overflowWrap: 'anywhere' }}
      >
        <Detail delivery={delivery} isDisabled={isDisabled} />
      </Text>
    </>
  );
}

function Detail({ delivery, isDisabled }: Props) {
  const { state, deliveredAt, dueAt, attemptCount } = delivery;
  if (state === 'DELIVERED') return deliveredAt && <Moment at={deliveredAt} as="since" />;
  const problem = attemptCount > 0 && delivery.attempts[0]?.problem;
  if (state === 'FAILED') return problem || 'No more attempts are made.';
  return (
    <>
      {problem && <div>{problem}</div>}
      {isDisabled && 'Until the webhook is enabled'}
      {!isDisabled && dueAt && attemptCount > 0 && (
        <>
          Again <Moment at={dueAt} as="until" />
        </>
      )}
    </>
  );
}
