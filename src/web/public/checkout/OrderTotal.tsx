import { Group, Text } from '@mantine/core';
import { formatMoney, type Money } from '../../components/money.ts';

interface Props {
  total: Money;
  hasDiscount: boolean;
}

export const OrderTotal = ({ total, hasDiscount }: Props) => (
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
          : 'We’ll hold your order for 15 minutes while you pay.'}
      </Text>
    )}
  </div>
);
