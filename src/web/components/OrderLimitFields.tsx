import { Select, SimpleGrid } from '@mantine/core';
import type { UnpaidHold, UpdateEventInput } from '../gql/graphql.ts';
import { InputField, type InputForm } from './InputFields.tsx';
import type { FieldViews } from './input-values.ts';

const CONFIRMATION_OPTIONS = [
  { value: 'auto', label: 'If capacity is at most 100' },
  { value: 'yes', label: 'Always' },
  { value: 'no', label: 'Never' },
];

const UNPAID_HOLD_OPTIONS: { value: UnpaidHold; label: string }[] = [
  { value: 'UNTIL_START', label: 'Until the start' },
  { value: 'DAYS', label: 'A number of days' },
  { value: 'OPENING_HOURS', label: 'A number of opening hours' },
];

const UNPAID_HOLD_UNITS = {
  UNTIL_START: '',
  DAYS: 'Days after the order',
  OPENING_HOURS: 'Hours in which the location is open after the order',
};

/** The order limits of an event or day pass type. */
type OrderLimitInput = Pick<UpdateEventInput, keyof OrderLimits>;

const AUTOMATIC = { hidesOptional: true, placeholder: 'Automatic' } as const;

export const ORDER_LIMIT_VIEWS: FieldViews<OrderLimitInput> = {
  maxSeatsPerEmail: {
    ...AUTOMATIC,
    label: 'Unpaid items per email address',
    description: 'Free items count too',
  },
  maxSeatsPerAddress: {
    ...AUTOMATIC,
    label: 'Unpaid items per internet connection',
    description: 'Raise for schools or offices',
  },
  maxSeatsPerNetwork: {
    ...AUTOMATIC,
    label: 'Unpaid items per network',
    description: 'Many connections from one internet provider',
  },
  limitWindowHours: {
    label: 'Limit period',
    description: 'How long items count',
    suffix: ' h',
    missing: 'Enter a number of hours',
  },
  confirmFreeOrders: {
    label: 'Confirm free orders by email',
    description: 'Guests must open a link within 30 minutes',
  },
  unpaidHold: {
    label: 'Hold orders paid at the front desk',
    description: 'At most until the event starts, or until closing time on the day of a pass',
  },
  unpaidHoldAmount: { label: 'How long', missing: 'Enter a number' },
};

/** Limits on unpaid and free items per client, and email confirmation of free orders. */
export const OrderLimitFields = ({ form }: { form: OrderLimitForm }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <InputField form={form} name="maxSeatsPerEmail" />
      <InputField form={form} name="maxSeatsPerAddress" />
      <InputField form={form} name="maxSeatsPerNetwork" />
      <InputField form={form} name="limitWindowHours" />
    </SimpleGrid>
    <Select
      data={CONFIRMATION_OPTIONS}
      allowDeselect={false}
      {...form.getFieldProps('confirmFreeOrders')}
    />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        data={UNPAID_HOLD_OPTIONS}
        allowDeselect={false}
        {...form.getFieldProps('unpaidHold')}
      />
      {form.values.unpaidHold !== 'UNTIL_START' && (
        <InputField
          form={form}
          name="unpaidHoldAmount"
          description={UNPAID_HOLD_UNITS[form.values.unpaidHold]}
        />
      )}
    </SimpleGrid>
  </>
);

type OrderLimitForm = Pick<
  InputForm<OrderLimitInput, OwnOrderLimitValues>,
  'getField' | 'getFieldProps' | 'values'
>;

/** The select for these has three choices. */
export interface OwnOrderLimitValues {
  confirmFreeOrders: 'auto' | 'yes' | 'no';
}

interface OrderLimits {
  maxSeatsPerEmail: number | null;
  maxSeatsPerAddress: number | null;
  maxSeatsPerNetwork: number | null;
  limitWindowHours: number;
  confirmFreeOrders: boolean | null;
  unpaidHold: UnpaidHold;
  unpaidHoldAmount: number;
}

/** The defaults of the service. */
export const NEW_ORDER_LIMITS = {
  limitWindowHours: 24,
  unpaidHold: 'UNTIL_START',
  unpaidHoldAmount: 3,
} as const;

export const toOwnOrderLimitValues = (
  limits: Pick<OrderLimits, 'confirmFreeOrders'> | null | undefined,
): OwnOrderLimitValues => ({
  confirmFreeOrders:
    limits?.confirmFreeOrders == null ? 'auto' : limits.confirmFreeOrders ? 'yes' : 'no',
});

export const toOrderLimitInput = ({ confirmFreeOrders }: OwnOrderLimitValues) => ({
  confirmFreeOrders: confirmFreeOrders === 'auto' ? null : confirmFreeOrders === 'yes',
});
