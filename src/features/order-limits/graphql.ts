import { ignoreNull } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { limitWindowHours, nullableLimits, type OrderLimits } from './types.ts';

const DEFAULT_NOTE = 'Null: the default of docs/order-limits.md.';

const DESCRIPTIONS = {
  maxSeatsPerEmail: `At most so many unpaid and free seats within the window per e-mail address. ${DEFAULT_NOTE}`,
  maxSeatsPerAddress: `The same per IPv4 address and per IPv6 /64. ${DEFAULT_NOTE}`,
  maxSeatsPerNetwork: `The same per IPv6 /48; three times as many per IPv4 /24. ${DEFAULT_NOTE}`,
  limitWindowHours: 'How many hours a seat counts after it was taken, up to 168',
  confirmFreeOrders:
    'Whether anonymous buyers confirm free orders by a link in a mail. Null: where there are at most 100 seats.',
};

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The limits as fields of an input, of an event or of a day pass type. */
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
  description:
    'How many unpaid and free seats one client takes; docs/order-limits.md has the rules',
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
