import { defineRowActions } from '../../lists/row-actions.ts';

/** The rules of `updateDiscountCode` and `deleteDiscountCode`, which a test compares. */
export const discountCodeActions = defineRowActions({
  table: 'discount_codes',
  access: 'events:write',
  toConditions: (row) => ({
    update: 'true',
    delete: `NOT EXISTS (SELECT FROM orders o WHERE o.discount_code_id = ${row}.id)`,
  }),
});
