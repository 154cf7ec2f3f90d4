import { hasAccess } from '../../auth/viewer.ts';
import { defineRowActions } from '../../lists/row-actions.ts';
import { toCanSignInSql } from '../sign-in/service.ts';
import { toEmailChangeConditions } from './service/email-change.ts';

/** The rules of `updateMember`, `sendMemberSignInLink` and the commands in `service/email-change.ts`, which a test compares. */
export const memberActions = defineRowActions({
  table: 'members',
  access: 'members:write',
  toConditions: (row, { viewer }) => {
    const hasChange = (condition: string) =>
      `EXISTS (SELECT FROM member_email_changes change WHERE change.member_id = ${row}.id AND ${condition})`;
    const isPending = toEmailChangeConditions('change', `${row}.id`, 'clock.now').join(' AND ');
    return {
      update: 'true',
      // A request that has expired is sent again too.
      resendConfirmation: `(${hasChange('change.confirmed_at IS NULL')}
        OR ${row}.email_confirmed_at IS NULL AND NOT ${hasChange('true')})`,
      approveEmailChange: `(${hasAccess(viewer, 'staff:manage')} AND ${hasChange(`${isPending} AND change.approved_at IS NULL`)})`,
      cancelEmailChange: hasChange(isPending),
      sendSignInLink: toCanSignInSql(row),
      endSessions: 'true',
    };
  },
});
