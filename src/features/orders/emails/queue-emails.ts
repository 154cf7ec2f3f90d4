import { createSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import {
  isDeletedAddress,
  type OutgoingEmail,
  toEmailRow,
} from '../../../integrations/email/outbox.ts';
import { portalUrl } from '../links.ts';

/** Who caused an email. Its client's network has a budget. */
export type Client = Parameters<typeof toEmailRow>[1];

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

export type Queued = OutgoingEmail & { client: Client };

/** Queues emails about orders with their links. */
export async function queueEmails(
  ctx: Context,
  links: ReturnType<typeof createLinks>['rows'],
  emails: Queued[],
): Promise<void> {
  const now = ctx.now();
  const data = emails
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
