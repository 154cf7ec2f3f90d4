import { Group, Text } from '@mantine/core';
import { type Money, moneyWords } from '../../ui/money.ts';

interface Props {
  sum: Money;
  hasDiscount: boolean;
}

export const Sum = ({ sum, hasDiscount }: Props) => (
  <div role="status">
    <Group justify="space-between" align="baseline">
      <Text fw={600}>Total</Text>
      <Text fw={700} size="lg">
        {sum.amount === 0 ? 'Free' : moneyWords(sum)}
      </Text>
    </Group>
    {sum.amount > 0 && (
      <Text size="sm" c="dimmed">
        {hasDiscount
          ? 'The discount is taken off when you order.'
          : 'We keep what you ordered for a quarter of an hour while you pay.'}
      </Text>
    )}
  </div>
);
