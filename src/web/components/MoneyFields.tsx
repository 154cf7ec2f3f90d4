import { Group, NumberInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { getCurrencyDigits } from './money.ts';

interface Props {
  label: string;
  description?: string;
  /** In major units, such as euros. */
  price: number | string;
  currency: string;
  error?: ReactNode;
  onChange: (change: { price?: number | string; currency?: string }) => void;
}

export const MoneyFields = ({ label, description, price, currency, error, onChange }: Props) => (
  <Group gap="xs" align="flex-end" wrap="nowrap">
    <NumberInput
      flex={1}
      label={label}
      description={description}
      min={0}
      decimalScale={getCurrencyDigits(currency)}
      value={price}
      error={error}
      onChange={(price) => onChange({ price })}
    />
    <TextInput
      w={84}
      aria-label={`Currency: ${label}`}
      maxLength={3}
      value={currency}
      onChange={({ currentTarget: { value } }) => onChange({ currency: value.toUpperCase() })}
    />
  </Group>
);
