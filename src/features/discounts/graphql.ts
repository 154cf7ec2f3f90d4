import { builder, createInputType, Money } from '../../graphql/builder.ts';
import { getOrderEnum, listField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { discountCodeActions } from './allowed-actions.ts';
import {
  createDiscountCodeInput,
  discountCodeFilter,
  discountCodeIdInput,
  updateDiscountCodeInput,
} from './inputs.ts';
import { discountCodeRow } from './rows.ts';
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
    ...showFields(t, discountCodeRow),
    amount: t.field({
      type: Money,
      nullable: true,
      description: 'Amount off the whole order. Applies only to orders in this currency.',
      extensions: { reads: 'amount' },
      resolve: ({ amount, currency }) =>
        amount === null || currency === null ? null : { amount, currency },
    }),
  }),
});

addActions(DiscountCode, {
  type: 'DiscountCodeActions',
  noun: 'a discount code',
  rules: discountCodeActions,
  actions: {
    update: 'Change it with updateDiscountCode, also to turn it on and off',
    delete: 'Delete it with deleteDiscountCode',
  },
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
  creates: { discountCode: discountCodeList },
  resolve: async (input, { ctx }) => ({ discountCode: await createDiscountCode(ctx, input) }),
});

addMutation('updateDiscountCode', {
  description: 'Updates a discount code. Orders with the code keep their discount.',
  access: 'events:write',
  input: updateDiscountCodeInput,
  takesVersion: true,
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
