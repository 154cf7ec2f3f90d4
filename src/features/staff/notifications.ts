import type { Context } from '../../context.ts';
import { renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail, type OutgoingEmail } from '../../integrations/email/outbox.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../settings/service.ts';
import { REQUESTED_LINK_LIFETIME_MINUTES, STAFF_LINK_LIFETIME_DAYS } from './service/links.ts';
import type { IssuedStaffLink } from './types.ts';

const describeLink = ({ text }: EmailTexts) =>
  text('staff.link', { days: STAFF_LINK_LIFETIME_DAYS });

export async function sendInvitation(
  ctx: Context,
  { staffUser, url }: IssuedStaffLink,
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  const space = texts.spaceName ?? 'Foyer';
  await enqueueEmail(ctx, {
    to: staffUser.email,
    subject: text('staff.invitation.subject', { space }),
    priority: 'critical',
    ...renderEmail(texts, {
      greeting: text('email.greetingNamed', { name: staffUser.name }),
      paragraphs: [
        text('staff.invitation.text', {
          ...{ space, url: ctx.baseUrl },
          role: text(`staff.role.${staffUser.role}`),
        }),
      ],
      action: { label: text('staff.invitation.action'), url },
      footnote: `${describeLink(texts)} ${text('staff.invitation.unexpected')}`,
    }),
  });
}

export async function sendPasswordReset(
  ctx: Context,
  { staffUser, url }: IssuedStaffLink,
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  await enqueueEmail(ctx, {
    to: staffUser.email,
    subject: text('staff.reset.subject'),
    priority: 'critical',
    ...renderEmail(texts, {
      greeting: text('email.greetingNamed', { name: staffUser.name }),
      paragraphs: [text('staff.reset.text', { url: ctx.baseUrl })],
      action: { label: text('staff.reset.action'), url },
      footnote: describeLink(texts),
    }),
  });
}

/** Emails a link that someone requested on the sign-in page. */
export async function sendRequestedReset(
  ctx: Context,
  { name, email, url }: { name: string; email: string; url: string },
  delivery: Pick<OutgoingEmail, 'priority' | 'client'>,
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  await enqueueEmail(ctx, {
    to: email,
    subject: text('staff.forgotten.subject'),
    ...delivery,
    ...renderEmail(texts, {
      greeting: text('email.greetingNamed', { name }),
      paragraphs: [text('staff.forgotten.text', { url: ctx.baseUrl })],
      action: { label: text('staff.reset.action'), url },
      footnote: text('staff.forgotten.link', { minutes: REQUESTED_LINK_LIFETIME_MINUTES }),
    }),
  });
}
