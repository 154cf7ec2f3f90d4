import { Radio, Stack } from '@mantine/core';
import type { PaymentMethod } from '../../gql/graphql.ts';

export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  CARD_ONLINE: 'Card online',
  CASH: 'Cash',
  CARD: 'Card at the front desk',
  OTHER: 'Other',
};

/** How staff receive or return money. */
const STAFF_METHODS = ['CASH', 'CARD', 'OTHER'] as const satisfies PaymentMethod[];

interface PaymentMethodFieldProps {
  label: string;
  value: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
}

/** Asks how staff received or returned money. */
export const PaymentMethodField = ({ label, value, onChange }: PaymentMethodFieldProps) => (
  <Radio.Group label={label} value={value} onChange={(method) => onChange(method as PaymentMethod)}>
    <Stack gap="xs" mt="xs">
      {STAFF_METHODS.map((method) => (
        <Radio
          key={method}
          value={method}
          label={PAYMENT_METHOD_LABELS[method]}
          {...(method === 'OTHER' && { description: 'Such as a bank transfer or a voucher' })}
        />
      ))}
    </Stack>
  </Radio.Group>
);
