import type { Context } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import { enqueueEmail } from '../../../integrations/email/outbox.ts';
import { findOtherHolders, ticketCancelled } from '../emails/changes.ts';
import { releaseDayPasses, releaseDiscounts, releaseTickets } from '../stock.ts';
import type { Order } from '../types.ts';
import { offerReleasedTickets } from '../waitlist/offer-tickets.ts';

export interface ValidAdmission {
  id: string;
  kind: 'ticket' | 'pass';
  /** Minor units. */
  amount: number;
}

/** What of an order lets people in, in its order. */
export async function findValidAdmissions(
  { db }: Context,
  orderId: string,
): Promise<ValidAdmission[]> {
  const query = {
    where: { orderId, status: 'valid' as const },
    orderBy: { position: 'asc' as const },
    select: { id: true, amount: true },
  };
  const tickets = await db.ticket.findMany(query);
  const passes = await db.dayPass.findMany(query);
  return [
    ...tickets.map((one) => ({ ...one, kind: 'ticket' as const })),
    ...passes.map((one) => ({ ...one, kind: 'pass' as const })),
  ];
}

/** Tells those besides the buyer who would have come with them. `order` is as it is after the end. */
export async function notifyHolders(
  ctx: Context,
  order: Order,
  admissions: ValidAdmission[],
  reason: string | null,
): Promise<void> {
  const ids = admissions.map(({ id }) => id);
  for (const holder of findOtherHolders(order, ids)) {
    await enqueueEmail(ctx, ticketCancelled(order, holder, reason));
  }
}

/**
 * Cancels these admissions of a paid order; with the last of them the order is cancelled. Their places go to those who
 * wait, or are for sale again. Call it within a transaction that has locked the order.
 */
export async function cancelAdmissions(
  ctx: Context,
  orderId: string,
  admissions: ValidAdmission[],
): Promise<void> {
  // A gesture ends nothing: an order that ended before must not give its discount back once more.
  if (admissions.length === 0) return;
  const idsOf = (kind: ValidAdmission['kind']) =>
    admissions.filter((one) => one.kind === kind).map(({ id }) => id);
  const freed = await releaseTickets(ctx, { ids: idsOf('ticket') });
  await releaseDayPasses(ctx, { ids: idsOf('pass') });
  if ((await findValidAdmissions(ctx, orderId)).length === 0) {
    const now = ctx.now();
    await ctx.db.order.update({
      where: { id: orderId },
      data: { status: 'cancelled', cancelledAt: now, updatedAt: now },
    });
    await releaseDiscounts(ctx, [orderId]);
  }
  await offerReleasedTickets(ctx, freed);
}

/**
 * Those of an order that have let somebody in. Until the transaction ends none of its others does: who presents one waits
 * for it. Call it once the order is locked.
 */
export async function lockUsedAdmissions({ db }: Context, orderId: string): Promise<Set<string>> {
  // In the order of their ids, as those who present them lock them.
  await db.$queryRaw`SELECT 1 FROM tickets WHERE order_id = ${orderId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT 1 FROM day_passes WHERE order_id = ${orderId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM tickets t WHERE order_id = ${orderId}::uuid
      AND EXISTS (SELECT FROM check_ins c WHERE c.ticket_id = t.id AND c.result = 'admitted')
    UNION ALL
    SELECT id FROM day_passes p WHERE order_id = ${orderId}::uuid
      AND EXISTS (SELECT FROM check_ins c WHERE c.day_pass_id = p.id AND c.result = 'admitted')`;
  return new Set(rows.map(({ id }) => id));
}

export const alreadyUsed = (admissions: Pick<ValidAdmission, 'kind'>[], what: string) =>
  new DomainError(
    'CONFLICT',
    `${describeAdmissions(admissions)} let somebody in already: ${what}`,
    {
      reason: 'ALREADY_USED',
    },
  );

function describeAdmissions([one, ...others]: Pick<ValidAdmission, 'kind'>[]): string {
  if (others.length > 0) return 'These have';
  return one?.kind === 'pass' ? 'This day pass has' : 'This ticket has';
}
