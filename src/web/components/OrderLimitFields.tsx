import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { type NumberInputValue, toNumberOrNull } from './FieldGroups.tsx';

const CONFIRMATION_OPTIONS = [
  { value: 'auto', label: 'If capacity is at most 100' },
  { value: 'yes', label: 'Always' },
  { value: 'no', label: 'Never' },
];

interface Props {
  values: OrderLimitValues;
  onChange: (change: Partial<OrderLimitValues>) => void;
}

const LIMIT_FIELDS = [
  {
    name: 'maxSeatsPerEmail',
    label: 'Unpaid items per email address',
    description: 'Free items count too',
  },
  {
    name: 'maxSeatsPerAddress',
    label: 'Unpaid items per internet connection',
    description: 'Raise for schools or offices',
  },
  {
    name: 'maxSeatsPerNetwork',
    label: 'Unpaid items per network',
    description: 'Many connections from one internet provider',
  },
] as const;

/** Limits on unpaid and free items per client, and email confirmation of free orders. */
export const OrderLimitFields = ({ values, onChange }: Props) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {LIMIT_FIELDS.map(({ name, ...field }) => (
        <NumberInput
          key={name}
          {...field}
          placeholder="Automatic"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={values[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <NumberInput
        label="Limit period"
        description="How long items count"
        suffix=" h"
        min={1}
        max={168}
        allowDecimal={false}
        value={values.limitWindowHours}
        onChange={(limitWindowHours) => onChange({ limitWindowHours })}
      />
    </SimpleGrid>
    <Select
      label="Confirm free orders by email"
      description="Guests must open a link within 30 minutes"
      data={CONFIRMATION_OPTIONS}
      allowDeselect={false}
      value={values.confirmFreeOrders}
      onChange={(value) =>
        onChange({ confirmFreeOrders: (value ?? 'auto') as OrderLimitValues['confirmFreeOrders'] })
      }
    />
  </>
);

/** The order limits of an event or day pass type as form values. Blank means automatic. */
export interface OrderLimitValues {
  maxSeatsPerEmail: NumberInputValue;
  maxSeatsPerAddress: NumberInputValue;
  maxSeatsPerNetwork: NumberInputValue;
  limitWindowHours: NumberInputValue;
  confirmFreeOrders: 'auto' | 'yes' | 'no';
}

interface OrderLimits {
  maxSeatsPerEmail: number | null;
  maxSeatsPerAddress: number | null;
  maxSeatsPerNetwork: number | null;
  limitWindowHours: number;
  confirmFreeOrders: boolean | null;
}

const DEFAULT_WINDOW_HOURS = 24;

export const toLimitValues = (limits: OrderLimits | null | undefined): OrderLimitValues => ({
  maxSeatsPerEmail: limits?.maxSeatsPerEmail ?? '',
  maxSeatsPerAddress: limits?.maxSeatsPerAddress ?? '',
  maxSeatsPerNetwork: limits?.maxSeatsPerNetwork ?? '',
  limitWindowHours: limits?.limitWindowHours ?? DEFAULT_WINDOW_HOURS,
  confirmFreeOrders:
    limits?.confirmFreeOrders == null ? 'auto' : limits.confirmFreeOrders ? 'yes' : 'no',
});

export const toLimitInput = (values: OrderLimitValues): OrderLimits => ({
  maxSeatsPerEmail: toNumberOrNull(values.maxSeatsPerEmail),
  maxSeatsPerAddress: toNumberOrNull(values.maxSeatsPerAddress),
  maxSeatsPerNetwork: toNumberOrNull(values.maxSeatsPerNetwork),
  limitWindowHours: toNumberOrNull(values.limitWindowHours) ?? DEFAULT_WINDOW_HOURS,
  confirmFreeOrders:
    values.confirmFreeOrders === 'auto' ? null : values.confirmFreeOrders === 'yes',
});
