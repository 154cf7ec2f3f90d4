import { defineRowActions } from '../../lists/row-actions.ts';

/** The rules of `endMembership`, `changePlan`, `undoPlanChange` and `deleteMembership`, which a test compares. */
export const membershipActions = defineRowActions({
  table: 'memberships',
  access: 'members:write',
  toConditions: (row) => ({
    end: 'true',
    // The first day of the other plan is after the first day, and not after the last.
    changePlan: `coalesce(${row}.ends_on > ${row}.starts_on, true)`,
    undoPlanChange: `(${row}.previous_id IS NOT NULL AND ${toUnusedSql(row)})`,
    delete: toUnusedSql(row),
  }),
});

const toUnusedSql = (row: string) =>
  `NOT EXISTS (SELECT FROM bookings b WHERE b.membership_id = ${row}.id)`;
