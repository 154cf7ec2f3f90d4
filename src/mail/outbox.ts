import { v7 } from 'uuid';
import type { Ctx } from '../context.ts';

export interface OutgoingMail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Writes the mail down in the caller's transaction: it leaves when that is done, or never was. Calls nobody. */
export async function send(ctx: Ctx, mail: OutgoingMail): Promise<void> {
  const now = ctx.now();
  await ctx.db.mail.create({ data: { ...rowOf(mail), createdAt: now, dueAt: now } });
  await ctx.wake?.(ctx, 'mail.deliver');
}

/** A mail as it is written down, for statements that write it together with what caused it. */
export const rowOf = ({ to, subject, text, html }: OutgoingMail) => ({
  id: v7(),
  recipient: to,
  subject,
  text,
  html: html ?? null,
});
