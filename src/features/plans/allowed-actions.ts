import { defineRowActions } from '../../lists/row-actions.ts';

/** The rules of `endMembership` and `deleteMembership`, which a test compares. */
export const membershipActions = defineRowActions({
  table: 'memberships',
  access: 'members:write',
  toConditions: (row) => ({
    end: 'true',
    delete: `NOT EXISTS (SELECT FROM bookings b WHERE b.membership_id = ${row}.id)`,
  }),
});
