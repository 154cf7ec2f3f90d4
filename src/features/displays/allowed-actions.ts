import { defineRowActions } from '../../lists/row-actions.ts';

/** The rules of the commands in `service/manage-displays.ts` and of `claimPairing`, which a test compares. */
export const displayActions = defineRowActions({
  table: 'displays',
  access: 'displays:write',
  toConditions: (row) => {
    const isInUse = `${row}.revoked_at IS NULL`;
    return { update: isInUse, claimPairing: isInUse, rotateToken: isInUse, revoke: isInUse };
  },
});
