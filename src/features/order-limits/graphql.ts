import { builder } from '../../graphql/builder.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { type OrderLimits, orderLimits } from './types.ts';

export const OrderLimitsType = builder.objectRef<OrderLimits>('OrderLimits');
OrderLimitsType.implement({
  description: 'How many unpaid and free seats one client can reserve. See docs/order-limits.md.',
  fields: (t) => showFields(t, orderLimits),
});
