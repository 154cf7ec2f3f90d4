import type { Context } from '../../context.ts';
import type { MailPriority } from '../../db/generated/client.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';

interface ConfirmationLink {
  email: string;
  secret: string;
  days: number;
}

// After the # it stays in the browser: no server on the way writes it down.
const toConfirmUrl = ({ baseUrl }: Context, secret: string) =>
  `${baseUrl}/my/confirm-email#${secret}`;
const toApproveUrl = ({ baseUrl }: Context, secret: string) =>
  `${baseUrl}/my/approve-email#${secret}`;

/** A token may name any address; what staff asks for does not wait. */
const choosePriority = ({ viewer }: Context): MailPriority =>
  viewer.kind === 'token' ? 'requested' : 'critical';

/** To the address of a member whom a token made. Whose address it is, nobody knows yet: it names nobody. */
export const sendFirstConfirmation = (
  ctx: Context,
  { email, secret, days }: ConfirmationLink,
): Promise<void> =>
  enqueueEmail(ctx, {
    to: email,
    priority: choosePriority(ctx),
    subject: 'Confirm your e-mail address',
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        `you were added as a member. Confirm that this address is yours, within ${days} days; then you can sign in with it.`,
      ],
      action: { label: 'Confirm the address', url: toConfirmUrl(ctx, secret) },
      footnote: 'If this is a mistake, do nothing: without your confirmation nobody can sign in.',
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
    subject: 'Confirm your new e-mail address',
    ...renderEmail({
      greeting: formatGreeting(null),
      paragraphs: [
        `this is to become the address of a member. Confirm that it is yours, within ${days} days.`,
      ],
      action: { label: 'Confirm the address', url: toConfirmUrl(ctx, secret) },
      footnote: 'If this is a mistake, do nothing: the address does not change.',
    }),
  });

/** To the present address: a program wants to replace it. */
export const sendChangeRequest = (
  ctx: Context,
  { to, email, secret }: { to: { name: string; email: string }; email: string; secret: string },
): Promise<void> =>
  enqueueEmail(ctx, {
    to: to.email,
    priority: 'essential',
    subject: 'Is this your new e-mail address?',
    ...renderEmail({
      greeting: formatGreeting(to.name),
      paragraphs: [
        `your address is to be changed to ${email}. That happens only if you or the space agree.`,
      ],
      action: { label: 'Agree or refuse', url: toApproveUrl(ctx, secret) },
      footnote: 'If you know nothing of it, refuse, and tell the space.',
    }),
  });

/** To the former address. */
export const sendAddressChanged = (
  ctx: Context,
  { to, email }: { to: { name: string; email: string }; email: string },
): Promise<void> =>
  enqueueEmail(ctx, {
    to: to.email,
    priority: 'essential',
    subject: 'Your e-mail address was changed',
    ...renderEmail({
      greeting: formatGreeting(to.name),
      paragraphs: [
        `your address is now ${email}. Links to sign in go there, and you were signed out everywhere.`,
        'If you did not want this, tell the space at once.',
      ],
    }),
  });
