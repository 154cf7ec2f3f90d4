import { ignoreNull } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { limitWindowHours, nullableLimits, type OrderLimits } from './types.ts';

const DEFAULT_NOTE = 'Null: the default in docs/order-limits.md.';

const DESCRIPTIONS = {
  maxSeatsPerEmail: `The largest number of unpaid and free seats for one email address within the window. ${DEFAULT_NOTE}`,
  maxSeatsPerAddress: `The same for one IPv4 address or IPv6 /64. ${DEFAULT_NOTE}`,
  maxSeatsPerNetwork: `The same for one IPv6 /48, and three times as many for one IPv4 /24. ${DEFAULT_NOTE}`,
  limitWindowHours: 'How many hours a seat counts after it was ordered, up to 168',
  confirmFreeOrders:
    'Whether anonymous buyers must confirm free orders by a link in an email. Null: only with at most 100 seats.',
};

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The limits as input fields of events and day pass types. */
export const limitInputFields = (t: InputFields) => ({
  maxSeatsPerEmail: t.int({ description: DESCRIPTIONS.maxSeatsPerEmail }),
  maxSeatsPerAddress: t.int({ description: DESCRIPTIONS.maxSeatsPerAddress }),
  maxSeatsPerNetwork: t.int({ description: DESCRIPTIONS.maxSeatsPerNetwork }),
  limitWindowHours: t.int({ description: DESCRIPTIONS.limitWindowHours }),
  confirmFreeOrders: t.boolean({ description: DESCRIPTIONS.confirmFreeOrders }),
});

export const createLimits = { ...nullableLimits, limitWindowHours };

export const updateLimits = {
  maxSeatsPerEmail: nullableLimits.maxSeatsPerEmail.nullish(),
  maxSeatsPerAddress: nullableLimits.maxSeatsPerAddress.nullish(),
  maxSeatsPerNetwork: nullableLimits.maxSeatsPerNetwork.nullish(),
  confirmFreeOrders: nullableLimits.confirmFreeOrders.nullish(),
  limitWindowHours: ignoreNull(limitWindowHours),
};

export const OrderLimitsType = builder.objectRef<OrderLimits>('OrderLimits');
OrderLimitsType.implement({
  description: 'How many unpaid and free seats one client can take. See docs/order-limits.md.',
  fields: (t) => ({
    maxSeatsPerEmail: t.exposeInt('maxSeatsPerEmail', {
      nullable: true,
      description: DESCRIPTIONS.maxSeatsPerEmail,
    }),
    maxSeatsPerAddress: t.exposeInt('maxSeatsPerAddress', {
      nullable: true,
      description: DESCRIPTIONS.maxSeatsPerAddress,
    }),
    maxSeatsPerNetwork: t.exposeInt('maxSeatsPerNetwork', {
      nullable: true,
      description: DESCRIPTIONS.maxSeatsPerNetwork,
    }),
    limitWindowHours: t.exposeInt('limitWindowHours', {
      description: DESCRIPTIONS.limitWindowHours,
    }),
    confirmFreeOrders: t.exposeBoolean('confirmFreeOrders', {
      nullable: true,
      description: DESCRIPTIONS.confirmFreeOrders,
    }),
  }),
});
