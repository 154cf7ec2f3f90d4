import type { Context } from '../../context.ts';
import type { MailPriority } from '../../db/generated/client.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../integrations/email/template-email.ts';
import { readEmailTexts } from '../settings/service.ts';

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
export async function sendWelcome(
  ctx: Context,
  { name, email }: { name: string; email: string },
): Promise<void> {
  await enqueueTemplateEmails(ctx, await readEmailTexts(ctx), [
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
}

/** To the address of a member that a token created. It contains no name, because the address is not confirmed. */
export async function sendFirstConfirmation(
  ctx: Context,
  { email, secret, days }: ConfirmationLink,
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  await enqueueEmail(ctx, {
    to: email,
    priority: choosePriority(ctx),
    subject: text('address.first.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, null),
      paragraphs: [text('address.first.text', { days })],
      action: { label: text('address.confirm'), url: toConfirmUrl(ctx, secret) },
      footnote: text('address.first.unexpected'),
    }),
  });
}

/** To the new address of a member. */
export async function sendAddressConfirmation(
  ctx: Context,
  { email, secret, days }: ConfirmationLink,
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  await enqueueEmail(ctx, {
    to: email,
    priority: choosePriority(ctx),
    subject: text('address.new.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, null),
      paragraphs: [text('address.new.text', { days })],
      action: { label: text('address.confirm'), url: toConfirmUrl(ctx, secret) },
      footnote: text('address.new.unexpected'),
    }),
  });
}

/** To the current address of a member when a token or the front desk asks to replace it. */
export async function sendChangeRequest(
  ctx: Context,
  { to, email, secret }: { to: { name: string; email: string }; email: string; secret: string },
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  await enqueueEmail(ctx, {
    to: to.email,
    priority: 'essential',
    subject: text('address.approve.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, to.name),
      paragraphs: [text('address.approve.text', { email })],
      action: { label: text('address.approve.action'), url: toApproveUrl(ctx, secret) },
      footnote: text('address.approve.unexpected'),
    }),
  });
}

/** To the former address of a member. */
export async function sendAddressChanged(
  ctx: Context,
  { to, email }: { to: { name: string; email: string }; email: string },
): Promise<void> {
  const texts = await readEmailTexts(ctx);
  const { text } = texts;
  await enqueueEmail(ctx, {
    to: to.email,
    priority: 'essential',
    subject: text('address.changed.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, to.name),
      paragraphs: [text('address.changed.text', { email }), text('address.changed.unexpected')],
    }),
  });
}
