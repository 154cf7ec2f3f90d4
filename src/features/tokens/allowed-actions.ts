import { scopeDescriptions } from '../../auth/scopes.ts';
import { can } from '../../auth/viewer.ts';
import { defineRowActions } from '../../lists/row-actions.ts';

/** The rules of `rotateApiToken` and `revokeApiToken`, which a test compares. */
export const apiTokenActions = defineRowActions({
  table: 'api_tokens',
  access: 'staff:manage',
  toConditions: (row, { viewer, bind }) => {
    const works = `${row}.revoked_at IS NULL AND coalesce(${row}.expires_at > clock.now, true)`;
    const grantable = scopeDescriptions.flatMap(({ scope }) => (can(viewer, scope) ? scope : []));
    const canManage = can(viewer, '*') ? 'true' : `NOT '*' = ANY (${row}.scopes)`;
    return {
      rotate: `(${works} AND ${row}.replaced_by_id IS NULL AND ${row}.scopes <@ ${bind(grantable, 'text[]')})`,
      // An expired token can be revoked too, but no longer works.
      revoke: `(${works} AND ${canManage})`,
    };
  },
});
