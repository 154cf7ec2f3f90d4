import { NumberInput, Select, SimpleGrid } from '@mantine/core';

const CONFIRMATION_OPTIONS = [
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
      data={CONFIRMATION_OPTIONS}
      allowDeselect={false}
      value={values.confirmFreeOrders}
      onChange={(value) =>
        onChange({ confirmFreeOrders: (value ?? 'auto') as OrderLimitValues['confirmFreeOrders'] })
      }
    />
  </>
);

/** A number as its input holds it: empty text while there is none. */
type NumberInputValue = number | string;

/** The order limits of an event or a day pass type, as a form holds them. Empty is automatic. */
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

const toNumberOrNull = (amount: NumberInputValue) => (amount === '' ? null : Number(amount));
