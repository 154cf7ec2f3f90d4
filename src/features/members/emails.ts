import type { Ctx } from '../../context.ts';
import type { MailPriority } from '../../db/generated/client.ts';
import { greetingTo, written } from '../../mail/letter.ts';
import * as outbox from '../../mail/outbox.ts';

interface Link {
  email: string;
  secret: string;
  days: number;
}

// After the # it stays in the browser: no server on the way writes it down.
const confirmUrl = ({ baseUrl }: Ctx, secret: string) => `${baseUrl}/my/confirm-email#${secret}`;
const approveUrl = ({ baseUrl }: Ctx, secret: string) => `${baseUrl}/my/approve-email#${secret}`;

/** A token may name any address; what staff asks for does not wait. */
const priorityOf = ({ viewer }: Ctx): MailPriority =>
  viewer.kind === 'token' ? 'requested' : 'critical';

/** To the address of a member whom a token made. Whose address it is, nobody knows yet: it names nobody. */
export const confirmFirstAddress = (ctx: Ctx, { email, secret, days }: Link): Promise<void> =>
  outbox.send(ctx, {
    to: email,
    priority: priorityOf(ctx),
    subject: 'Confirm your e-mail address',
    ...written({
      greeting: greetingTo(null),
      paragraphs: [
        `you were added as a member. Confirm that this address is yours, within ${days} days; then you can sign in with it.`,
      ],
      action: { label: 'Confirm the address', url: confirmUrl(ctx, secret) },
      footnote: 'If this is a mistake, do nothing: without your confirmation nobody can sign in.',
    }),
  });

/** To the new address of a member. */
export const confirmAddress = (ctx: Ctx, { email, secret, days }: Link): Promise<void> =>
  outbox.send(ctx, {
    to: email,
    priority: priorityOf(ctx),
    subject: 'Confirm your new e-mail address',
    ...written({
      greeting: greetingTo(null),
      paragraphs: [
        `this is to become the address of a member. Confirm that it is yours, within ${days} days.`,
      ],
      action: { label: 'Confirm the address', url: confirmUrl(ctx, secret) },
      footnote: 'If this is a mistake, do nothing: the address does not change.',
    }),
  });

/** To the present address: a program wants to replace it. */
export const changeRequested = (
  ctx: Ctx,
  { to, email, secret }: { to: { name: string; email: string }; email: string; secret: string },
): Promise<void> =>
  outbox.send(ctx, {
    to: to.email,
    priority: 'essential',
    subject: 'Is this your new e-mail address?',
    ...written({
      greeting: greetingTo(to.name),
      paragraphs: [
        `your address is to be changed to ${email}. That happens only if you or the space agree.`,
      ],
      action: { label: 'Agree or refuse', url: approveUrl(ctx, secret) },
      footnote: 'If you know nothing of it, refuse, and tell the space.',
    }),
  });

/** To the former address. */
export const addressChanged = (
  ctx: Ctx,
  { to, email }: { to: { name: string; email: string }; email: string },
): Promise<void> =>
  outbox.send(ctx, {
    to: to.email,
    priority: 'essential',
    subject: 'Your e-mail address was changed',
    ...written({
      greeting: greetingTo(to.name),
      paragraphs: [
        `your address is now ${email}. Links to sign in go there, and you were signed out everywhere.`,
        'If you did not want this, tell the space at once.',
      ],
    }),
  });
