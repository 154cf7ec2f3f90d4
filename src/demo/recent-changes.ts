import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { DAY_MS, HOUR_MS } from '../core/time/time-zone.ts';
import { updateEmailTemplate } from '../features/email-templates/service.ts';
import { createMailing, previewMailing } from '../features/mailings/service/mailings.ts';
import { sendMailings } from '../features/mailings/service/send-mailings.ts';
import { updatePlan } from '../features/plans/service/plans.ts';

/** Adds what staff did in the last days: a mailing, a changed price and a reworded email. The audit log shows them. */
export async function addRecentChanges(ctx: Context): Promise<void> {
  await sendMailing(await actAs(ctx, 'mona@example.org', DAY_MS));
  const ada = await actAs(ctx, 'ada@example.org', 3 * HOUR_MS);
  const { id: planId } = await ctx.db.plan.findFirstOrThrow({ where: { name: 'Nomad' } });
  await updatePlan(ada, planId, { price: { amount: 10_900, currency: 'EUR' } });
  await updateEmailTemplate(ada, {
    key: 'membership-started',
    body: 'Welcome to Foyer! Your membership “{{plan}}” begins on {{start}}.\n\nAsk at the front desk for a tour and your key.',
  });
}

/** Returns the context of a staff account at a time in the past. */
async function actAs(ctx: Context, email: string, agoMs: number): Promise<Context> {
  const { id, name, role } = await ctx.db.user.findUniqueOrThrow({ where: { email } });
  const viewer: Viewer = { kind: 'staff', id, name, role: role ?? 'manager', sessionId: '' };
  const at = new Date(ctx.now().getTime() - agoMs);
  return { ...ctx, viewer, now: () => at };
}

async function sendMailing(ctx: Context): Promise<void> {
  const { id: planId } = await ctx.db.plan.findFirstOrThrow({ where: { name: 'Resident' } });
  const input = {
    audience: 'members' as const,
    planId,
    subject: 'The saal is closed on Monday',
    body: 'Hello {{name}},\n\nthe floor of the saal is sanded on Monday. All other rooms stay open.\n\nSee you soon!',
  };
  const { recipients } = await previewMailing(ctx, input);
  const { id: mailingId } = await createMailing(ctx, { ...input, expectedRecipients: recipients });
  await sendMailings(ctx);
  // The demo has no mail server.
  await ctx.db.mail.updateMany({
    where: { mailingId },
    data: { status: 'sent', sentAt: ctx.now() },
  });
  await sendMailings(ctx);
}
