import { Group, Text } from '@mantine/core';
import type { Money } from '../../../core/money.ts';
import { formatPrice } from '../../components/prices.ts';
import { getText } from '../../language/page-texts.ts';

interface Props {
  total: Money;
  hasDiscount: boolean;
  /** Whether the order is paid at the front desk. */
  isPaidOnSite: boolean;
}

export const OrderTotal = ({ total, hasDiscount, isPaidOnSite }: Props) => (
  <div role="status">
    <Group justify="space-between" align="baseline">
      <Text fw={600}>{getText('order.total')}</Text>
      <Text fw={700} size="lg">
        {total.amount === 0 ? getText('event.free') : formatPrice(total)}
      </Text>
    </Group>
    {total.amount > 0 && (
      <Text size="sm" c="dimmed">
        {hasDiscount
          ? getText('order.discountLater')
          : isPaidOnSite
            ? getText('order.payOnSite')
            : getText('order.payOnline')}
      </Text>
    )}
  </div>
);
