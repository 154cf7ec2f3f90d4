import type { Ctx } from '../context.ts';

export interface OutgoingMail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Writes the mail down in the caller's transaction: it leaves when that is done, or never was. Calls nobody. */
export async function send(
  ctx: Ctx,
  { to, subject, text, html = '' }: OutgoingMail,
): Promise<void> {
  const now = ctx.now();
  await ctx.db.mail.create({
    data: { recipient: to, subject, text, html: html || null, createdAt: now, dueAt: now },
  });
  await ctx.wake?.(ctx, 'mail.deliver');
}
