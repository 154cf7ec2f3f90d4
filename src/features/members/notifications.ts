import type { Context } from '../../context.ts';
import type { MailPriority } from '../../db/generated/client.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../integrations/email/template-email.ts';

interface ConfirmationLink {
  email: string;
  secret: string;
  days: number;
}

// Browsers do not send the part after the #, so no server can log the secret.
const toConfirmUrl = ({ baseUrl }: Context, secret: string) =>
  `${baseUrl}/my/confirm-email#${secret}`;
const toApproveUrl = ({ baseUrl }: Context, secret: string) =>
  `${baseUrl}/my/approve-email#${secret}`;

/** An API token can enter any address, so its emails have a smaller budget than those caused by staff. */
const choosePriority = ({ viewer }: Context): MailPriority =>
  viewer.kind === 'token' ? 'requested' : 'critical';

/**
 * Welcomes a new member, as operators have worded it. The link opens the sign-in page with the address filled in, and contains no
 * secret: unlike a link that signs in, it can be used at any time and by nobody else.
 */
export const sendWelcome = (
  ctx: Context,
  { name, email }: { name: string; email: string },
): Promise<void> =>
  enqueueTemplateEmails(ctx, [
    defineTemplateEmail(
      'member-welcome',
      { email },
      {
        ...{ to: email, priority: 'essential' },
        frame: {
          recipientName: name,
          // Browsers do not send the part after the #, so the address stays out of logs.
          actionUrl: `${ctx.baseUrl}/my/sign-in#email=${encodeURIComponent(email)}`,
        },
      },
    ),
  ]);

/** To the address of a member that a token created. It contains no name, because the address is not confirmed. */
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
        `You were added as a member. Confirm your email address within ${days} days to sign in with it.`,
      ],
      action: { label: 'Confirm email address', url: toConfirmUrl(ctx, secret) },
      footnote:
        "If you didn't expect this email, ignore it. No one can sign in with your address unless you confirm it.",
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
        `A member asked to use this email address for their account. If this was you, confirm the address within ${days} days.`,
      ],
      action: { label: 'Confirm email address', url: toConfirmUrl(ctx, secret) },
      footnote: "If you didn't expect this email, ignore it. Nothing changes unless you confirm.",
    }),
  });

/** To the current address of a member when a token asks to replace it. */
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
        `Someone asked to change your email address to ${email}. It changes only if you or the staff approve.`,
      ],
      action: { label: 'Approve or reject', url: toApproveUrl(ctx, secret) },
      footnote: "If you didn't ask for this, reject it and contact the front desk.",
    }),
  });

/** To the former address of a member. */
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
        `Your email address is now ${email}. We send sign-in links there from now on, and we've signed you out everywhere.`,
        "If you didn't make this change, contact the front desk immediately.",
      ],
    }),
  });
