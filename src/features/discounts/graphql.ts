import { builder, createInputType, Money } from '../../graphql/builder.ts';
import { getOrderEnum, listField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import {
  createDiscountCodeInput,
  discountCodeFilter,
  discountCodeIdInput,
  updateDiscountCodeInput,
} from './inputs.ts';
import {
  createDiscountCode,
  type Discount,
  deleteDiscountCode,
  discountCodeList,
  toDiscountCodeProjection,
  updateDiscountCode,
} from './service.ts';

// Not events:read, which members have: anyone who knows a code can use it.
const READ = { access: 'orders:read' } as const;
export const DiscountCode = builder.objectRef<Discount>('DiscountCode').implement({
  description: 'A discount on orders, either a percentage or an amount',
  interfaces: [Node],
  extensions: { projection: toDiscountCodeProjection },
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Identifies the code in updateDiscountCode and deleteDiscountCode',
    }),
    code: t.exposeString('code', { description: 'What buyers type, in capitals' }),
    eventId: t.exposeID('eventId', {
      nullable: true,
      description: 'The event that the code applies to. Null: all events, and day passes.',
    }),
    percent: t.exposeInt('percent', {
      nullable: true,
      description: 'Percentage off the whole order',
    }),
    amount: t.field({
      type: Money,
      nullable: true,
      description: 'Amount off the whole order. Applies only to orders in this currency.',
      extensions: { reads: 'amount' },
      resolve: ({ amount, currency }) =>
        amount === null || currency === null ? null : { amount, currency },
    }),
    maxUses: t.exposeInt('maxUses', { nullable: true, description: 'Null: unlimited' }),
    uses: t.exposeInt('uses', {
      description:
        'The number of pending and confirmed orders with this code. Orders that are paid late keep their discount, so it can exceed maxUses.',
    }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      description: 'When the code begins to work; null if it does already',
      nullable: true,
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      description: 'When the code stops working; null if it does not',
      nullable: true,
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether buyers can use the code; false turns it off',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the code was created',
    }),
  }),
});

export const DiscountCodeFilter = createInputType('DiscountCodeFilter', discountCodeFilter);
export const DiscountCodeOrder = getOrderEnum('DiscountCode', discountCodeList);

builder.queryField('discountCodes', (t) =>
  t.connection({
    type: DiscountCode,
    description: 'Discount codes, newest first, including expired and inactive ones',
    authScopes: READ,
    args: {
      filter: t.arg({
        type: DiscountCodeFilter,
        description: 'Which codes to list. Default: all.',
      }),
      orderBy: t.arg({ type: DiscountCodeOrder }),
    },
    ...listField(discountCodeList),
  }),
);

addMutation('createDiscountCode', {
  description: 'Creates a discount code',
  access: 'events:write',
  input: createDiscountCodeInput,
  payload: { discountCode: { type: DiscountCode, description: 'The new discount code' } },
  resolve: async (input, { ctx }) => ({ discountCode: await createDiscountCode(ctx, input) }),
});

addMutation('updateDiscountCode', {
  description: 'Updates a discount code. Orders with the code keep their discount.',
  access: 'events:write',
  input: updateDiscountCodeInput,
  payload: { discountCode: { type: DiscountCode, description: 'The changed discount code' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    discountCode: await updateDiscountCode(ctx, id, change),
  }),
});

addMutation('deleteDiscountCode', {
  description: 'Deletes a discount code without orders',
  access: 'events:write',
  input: discountCodeIdInput,
  payload: {
    deletedDiscountCodeId: { type: 'ID', description: 'The id of the deleted discount code' },
  },
  resolve: async ({ id }, { ctx }) => {
    await deleteDiscountCode(ctx, id);
    return { deletedDiscountCodeId: id };
  },
});
