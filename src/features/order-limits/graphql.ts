import { builder } from '../../graphql/builder.ts';
import { LIMIT_DESCRIPTIONS, type OrderLimits } from './types.ts';

export const OrderLimitsType = builder.objectRef<OrderLimits>('OrderLimits');
OrderLimitsType.implement({
  description: 'How many unpaid and free seats one client can reserve. See docs/order-limits.md.',
  fields: (t) => ({
    maxSeatsPerEmail: t.exposeInt('maxSeatsPerEmail', {
      nullable: true,
      description: LIMIT_DESCRIPTIONS.maxSeatsPerEmail,
    }),
    maxSeatsPerAddress: t.exposeInt('maxSeatsPerAddress', {
      nullable: true,
      description: LIMIT_DESCRIPTIONS.maxSeatsPerAddress,
    }),
    maxSeatsPerNetwork: t.exposeInt('maxSeatsPerNetwork', {
      nullable: true,
      description: LIMIT_DESCRIPTIONS.maxSeatsPerNetwork,
    }),
    limitWindowHours: t.exposeInt('limitWindowHours', {
      description: LIMIT_DESCRIPTIONS.limitWindowHours,
    }),
    confirmFreeOrders: t.exposeBoolean('confirmFreeOrders', {
      nullable: true,
      description: LIMIT_DESCRIPTIONS.confirmFreeOrders,
    }),
  }),
});
