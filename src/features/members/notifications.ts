import type { Context } from '../../context.ts';
import type { MailPriority } from '../../db/generated/client.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';

interface ConfirmationLink {
  email: string;
  secret: string;
  days: number;
}

// Browsers do not send what follows the #, so no server can log the secret.
const toConfirmUrl = ({ baseUrl }: Context, secret: string) =>
  `${baseUrl}/my/confirm-email#${secret}`;
const toApproveUrl = ({ baseUrl }: Context, secret: string) =>
  `${baseUrl}/my/approve-email#${secret}`;

/** A token can name any address, so its emails are limited. Emails that staff causes are not. */
const choosePriority = ({ viewer }: Context): MailPriority =>
  viewer.kind === 'token' ? 'requested' : 'critical';

/** To the address of a member that a token created. It names nobody, because the address is not confirmed. */
export const sendFirstConfirmation = (
  ctx: Context,
  { email, secret, days }: ConfirmationLink,
): Promise<void> =>
  enqueueEmail(ctx, {
    to: email,
    priority: choosePriority(ctx),
    subject: 'Confirm your email address',
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        `you were added as a member. Confirm your email address within ${days} days to sign in with it.`,
      ],
      action: { label: 'Confirm email address', url: toConfirmUrl(ctx, secret) },
      footnote:
        'If you did not expect this email, ignore it. Nobody can sign in without your confirmation.',
    }),
  });

/** To the new address of a member. */
export const sendAddressConfirmation = (
  ctx: Context,
  { email, secret, days }: ConfirmationLink,
): Promise<void> =>
  enqueueEmail(ctx, {
    to: email,
    priority: choosePriority(ctx),
    subject: 'Confirm your new email address',
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        `a member wants to use this email address. If it is yours, confirm it within ${days} days.`,
      ],
      action: { label: 'Confirm email address', url: toConfirmUrl(ctx, secret) },
      footnote: 'If you did not expect this email, ignore it. The address does not change.',
    }),
  });

/** To the current address, when a token wants to replace it. */
export const sendChangeRequest = (
  ctx: Context,
  { to, email, secret }: { to: { name: string; email: string }; email: string; secret: string },
): Promise<void> =>
  enqueueEmail(ctx, {
    to: to.email,
    priority: 'essential',
    subject: 'Approve your new email address',
    ...renderEmail({
      greeting: formatGreeting(to.name),
      paragraphs: [
        `someone asked to change your email address to ${email}. It changes only if you or the space approve.`,
      ],
      action: { label: 'Approve or reject', url: toApproveUrl(ctx, secret) },
      footnote: 'If you did not ask for this, reject it and contact the space.',
    }),
  });

/** To the old address. */
export const sendAddressChanged = (
  ctx: Context,
  { to, email }: { to: { name: string; email: string }; email: string },
): Promise<void> =>
  enqueueEmail(ctx, {
    to: to.email,
    priority: 'essential',
    subject: 'Your email address was changed',
    ...renderEmail({
      greeting: formatGreeting(to.name),
      paragraphs: [
        `your email address is now ${email}. Sign-in links go there, and you were signed out everywhere.`,
        'If you did not do this, contact the space immediately.',
      ],
    }),
  });
