import { Text } from '@mantine/core';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useNow } from '../../ui/use-now.ts';
import { statusOf } from './order-words.ts';
import type { OrderRow } from './queries.ts';

type Order = Pick<OrderRow, 'status' | 'expiresAt'>;

/** Of one that is held, until when. */
export function OrderState({ order: { status, expiresAt } }: { order: Order }) {
  const now = useNow(15);
  const { color, label } = statusOf(status);
  return (
    <>
      <StateBadge color={color}>{label}</StateBadge>
      {status === 'PENDING' && expiresAt && (
        <Text size="xs" c="dimmed" mt={4}>
          {new Date(expiresAt) > now ? (
            <>
              Held, ends <Moment at={expiresAt} as="until" />
            </>
          ) : (
            'Its time is over'
          )}
        </Text>
      )}
    </>
  );
}
