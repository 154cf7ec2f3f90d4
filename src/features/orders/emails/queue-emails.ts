import { createSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import type { ActorKind } from '../../../db/generated/client.ts';
import {
  type EmailClient,
  isDeletedAddress,
  type OutgoingEmail,
  toEmailRow,
} from '../../../integrations/email/outbox.ts';
import {
  renderTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import { portalUrl } from '../links.ts';

/** Creates links to orders, as rows to insert. */
export function createLinks(ctx: Context) {
  const rows: {
    hash: Uint8Array<ArrayBuffer>;
    orderId: string;
    canConfirm: true;
    createdAt: Date;
  }[] = [];
  return {
    rows,
    create(orderId: string): string {
      const { plainText, hash } = createSecret('orderLink');
      rows.push({ hash, orderId, canConfirm: true, createdAt: ctx.now() });
      return portalUrl(ctx, plainText);
    },
  };
}

/** Who made a change, as columns of the journal. */
export interface ChangeActor {
  actorKind: ActorKind;
  address: string | null;
}

export const toEmailClient = ({ actorKind, address }: ChangeActor): EmailClient => ({
  viewer: { kind: actorKind },
  ...(address === null ? {} : { clientAddress: address }),
});

export type QueuedEmail = OutgoingEmail & { client: EmailClient };
export type QueuedTemplateEmail = TemplateEmail & { client: EmailClient };

/** Queues emails with the links to orders that they contain. Templates word some of them. */
export async function queueEmails(
  ctx: Context,
  emails: (QueuedEmail | QueuedTemplateEmail)[],
  links: ReturnType<typeof createLinks>['rows'] = [],
): Promise<void> {
  const now = ctx.now();
  const rendered = await renderTemplateEmails(
    ctx,
    emails.filter((email) => 'template' in email),
  );
  const data = [
    ...emails.filter((email): email is QueuedEmail => !('template' in email)),
    ...rendered.map(({ source, ...email }) => ({ ...email, client: source.client })),
  ]
    .filter(({ to }) => !isDeletedAddress(to))
    .map(({ client, ...email }) => ({
      ...toEmailRow(email, client),
      createdAt: now,
      nextAttemptAt: now,
    }));
  if (data.length === 0) return;
  await ctx.db.orderAccessToken.createMany({ data: links });
  await ctx.db.mail.createMany({ data });
  await ctx.triggerJob?.(ctx, 'mail.deliver');
}
