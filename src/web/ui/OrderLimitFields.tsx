import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import type { OrderLimitValues } from './order-limits.ts';

const CONFIRMATIONS = [
  { value: 'auto', label: 'Where there are at most 100 places' },
  { value: 'yes', label: 'Always' },
  { value: 'no', label: 'Never' },
];

interface Props {
  values: OrderLimitValues;
  onChange: (change: Partial<OrderLimitValues>) => void;
}

/** How many unpaid and free places one client takes, and whether free orders are confirmed by mail. */
export const OrderLimitFields = ({ values, onChange }: Props) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label="Unpaid places per e-mail address"
        description="Free places count too"
        placeholder="automatic"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={values.maxSeatsPerEmail}
        onChange={(maxSeatsPerEmail) => onChange({ maxSeatsPerEmail })}
      />
      <NumberInput
        label="Per internet connection"
        description="Raise it for a school or an office that orders together"
        placeholder="automatic"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={values.maxSeatsPerAddress}
        onChange={(maxSeatsPerAddress) => onChange({ maxSeatsPerAddress })}
      />
      <NumberInput
        label="Per network"
        description="Many connections of one provider"
        placeholder="automatic"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={values.maxSeatsPerNetwork}
        onChange={(maxSeatsPerNetwork) => onChange({ maxSeatsPerNetwork })}
      />
      <NumberInput
        label="Counted for"
        description="How long held places count"
        suffix=" h"
        min={1}
        max={168}
        allowDecimal={false}
        value={values.limitWindowHours}
        onChange={(limitWindowHours) => onChange({ limitWindowHours })}
      />
    </SimpleGrid>
    <Select
      label="Free orders are confirmed by mail"
      description="Whoever is not signed in opens a link within 30 minutes"
      data={CONFIRMATIONS}
      allowDeselect={false}
      value={values.confirmFreeOrders}
      onChange={(value) =>
        onChange({ confirmFreeOrders: (value ?? 'auto') as OrderLimitValues['confirmFreeOrders'] })
      }
    />
  </>
);
