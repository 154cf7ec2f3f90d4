import { defineRowActions } from '../../lists/row-actions.ts';

/** The rule of `cancelMailing`, which a test compares. */
export const mailingActions = defineRowActions({
  table: 'mailings',
  access: 'mailings:write',
  toConditions: (row) => ({ cancel: `${row}.status = 'sending'` }),
});
