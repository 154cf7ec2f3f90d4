import { defineRowActions } from '../../lists/row-actions.ts';
import { toStatusSql } from './rows.ts';

const isActiveOwner = (user: string) =>
  `${user}.role = 'owner' AND ${user}.disabled_at IS NULL AND ${user}.invited_at IS NULL`;

/** The rules of the commands in `service/staff.ts`, which a test compares. */
export const staffActions = defineRowActions({
  table: 'users',
  access: 'staff:owner',
  toConditions: (row, { viewer, bind }) => {
    const isOwn = viewer.kind === 'staff' ? `${row}.id = ${bind(viewer.id, 'uuid')}` : 'false';
    const isLastOwner = `(${isActiveOwner(row)} AND NOT EXISTS (
      SELECT FROM users other WHERE other.id <> ${row}.id AND ${isActiveOwner('other')}))`;
    const hasStatus = (status: string) => `${toStatusSql(row)} = '${status}'`;
    const hasTokens = `EXISTS (SELECT FROM api_tokens token WHERE token.created_by_id = ${row}.id
      AND token.revoked_at IS NULL AND coalesce(token.expires_at > clock.now, true))`;
    return {
      setRole: `NOT ${isLastOwner}`,
      resetPassword: `(${hasStatus('active')} AND NOT ${isOwn})`,
      disable: `(${hasStatus('active')} AND NOT ${isOwn} AND NOT ${isLastOwner})`,
      revokeTokens: `(${hasStatus('disabled')} AND NOT ${isOwn} AND ${hasTokens})`,
      endSessions: `NOT ${isOwn}`,
      enable: hasStatus('disabled'),
      resendInvitation: hasStatus('invited'),
      withdrawInvitation: hasStatus('invited'),
    };
  },
});
