import type { StaffRole } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import { STAFF_LINK_LIFETIME_DAYS } from './service/links.ts';
import type { IssuedStaffLink } from './types.ts';

const ROLE_LABELS: Record<StaffRole, string> = {
  owner: 'an owner',
  manager: 'a manager',
  front_desk: 'front desk staff',
};

const FOOTNOTE = `The link works once and expires in ${STAFF_LINK_LIFETIME_DAYS} days. Don't forward it: anyone who opens it can set the password.`;

export async function sendInvitation(
  ctx: Context,
  { staffUser, url }: IssuedStaffLink,
): Promise<void> {
  await enqueueEmail(ctx, {
    to: staffUser.email,
    subject: 'Your invitation to Foyer',
    priority: 'critical',
    ...renderEmail({
      greeting: `Hello ${staffUser.name},`,
      paragraphs: [
        `You've been invited to the admin panel at ${ctx.baseUrl} as ${ROLE_LABELS[staffUser.role]}. Choose a password to accept.`,
      ],
      action: { label: 'Choose a password', url },
      footnote: `${FOOTNOTE} If you didn't expect this invitation, you can ignore it.`,
    }),
  });
}

export async function sendPasswordReset(
  ctx: Context,
  { staffUser, url }: IssuedStaffLink,
): Promise<void> {
  await enqueueEmail(ctx, {
    to: staffUser.email,
    subject: 'Set a new password',
    priority: 'critical',
    ...renderEmail({
      greeting: `Hello ${staffUser.name},`,
      paragraphs: [
        `An owner has reset your password for ${ctx.baseUrl}. Your old password no longer works, and we've signed you out everywhere.`,
      ],
      action: { label: 'Set a new password', url },
      footnote: FOOTNOTE,
    }),
  });
}
