import { Group, Text } from '@mantine/core';
import { formatMoney, type Money } from '../../components/money.ts';

interface Props {
  total: Money;
  hasDiscount: boolean;
  /** Whether the order is paid at the front desk. */
  isPaidOnSite: boolean;
}

/** Returns what the button does that places the order. Null if nothing is selected yet. */
export function toOrderLabel(total: Money | null, isPaidOnSite: boolean): string {
  if (total === null || total.amount === 0) return 'Register';
  return isPaidOnSite ? 'Reserve, pay at the front desk' : 'Order and pay';
}

export const OrderTotal = ({ total, hasDiscount, isPaidOnSite }: Props) => (
  <div role="status">
    <Group justify="space-between" align="baseline">
      <Text fw={600}>Total</Text>
      <Text fw={700} size="lg">
        {total.amount === 0 ? 'Free' : formatMoney(total)}
      </Text>
    </Group>
    {total.amount > 0 && (
      <Text size="sm" c="dimmed">
        {hasDiscount
          ? 'The discount is applied when you order.'
          : isPaidOnSite
            ? 'You pay at the front desk. After you order, we say until when we hold it.'
            : 'We’ll hold your order for 15 minutes while you pay.'}
      </Text>
    )}
  </div>
);
