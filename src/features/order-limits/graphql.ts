import { builder } from '../../graphql/builder.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { type OrderLimits, orderLimits } from './types.ts';

builder.enumType('UnpaidHold', {
  description:
    'How long unpaid orders that are paid at the front desk are held: at most until the event starts, or until the location closes on the day of the passes',
  values: {
    UNTIL_START: {
      value: 'until_start',
      description: 'Until the event starts, or until the location closes on the day of the passes',
    },
    DAYS: { value: 'days', description: 'For a number of days after the order' },
    OPENING_HOURS: {
      value: 'opening_hours',
      description: 'Until the location has been open for a number of hours after the order',
    },
  } as const,
});

export const OrderLimitsType = builder.objectRef<OrderLimits>('OrderLimits');
OrderLimitsType.implement({
  description: 'How many unpaid and free seats one client can reserve. See docs/order-limits.md.',
  fields: (t) => showFields(t, orderLimits),
});
