import type { Context } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { releaseDayPasses, releaseDiscount, releaseTickets } from './release-stock.ts';
import { offerReleasedTickets } from './waitlist/service/offer-tickets.ts';

export interface ValidAdmission {
  id: string;
  kind: 'ticket' | 'pass';
  /** Minor units. */
  amount: number;
}

/** Finds the valid tickets and day passes of an order, by position. */
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
    ...tickets.map((ticket) => ({ ...ticket, kind: 'ticket' as const })),
    ...passes.map((pass) => ({ ...pass, kind: 'pass' as const })),
  ];
}

/**
 * Cancels admissions of a paid order, and the order itself if none is left. Their seats are offered to the waiting
 * list first, and their holders are emailed with the reason. Call it in a transaction that has locked the order.
 */
export async function cancelAdmissions(
  ctx: Context,
  orderId: string,
  admissions: ValidAdmission[],
  reason: string | null,
): Promise<void> {
  // Without admissions nothing is cancelled, and the discount of a cancelled order must not be released twice.
  if (admissions.length === 0) return;
  const selectIds = (kind: ValidAdmission['kind']) =>
    admissions.filter((admission) => admission.kind === kind).map(({ id }) => id);
  const releasedTypeIds = await releaseTickets(ctx, selectIds('ticket'), reason);
  await releaseDayPasses(ctx, selectIds('pass'), reason);
  if ((await findValidAdmissions(ctx, orderId)).length === 0) {
    const now = ctx.now();
    await recordUpdated(ctx, 'order.cancelled', [orderId], () =>
      ctx.db.order.update({
        where: { id: orderId },
        data: { status: 'cancelled', cancelledAt: now, updatedAt: now },
      }),
    );
    await releaseDiscount(ctx, orderId);
  }
  await offerReleasedTickets(ctx, releasedTypeIds);
}

/**
 * Finds the used tickets and passes of an order and locks all of its tickets and passes, so that a check-in waits until the
 * transaction ends. Call it after locking the order.
 */
export async function lockUsedAdmissions({ db }: Context, orderId: string): Promise<Set<string>> {
  // Check-ins also lock tickets in the order of their ids, so this cannot deadlock.
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

export const alreadyUsed = (admissions: Pick<ValidAdmission, 'kind'>[], nextStep: string) =>
  new DomainError('CONFLICT', `${describeAdmissions(admissions)} already used. ${nextStep}`, {
    reason: 'ALREADY_USED',
  });

function describeAdmissions([first, ...others]: Pick<ValidAdmission, 'kind'>[]): string {
  if (others.length > 0) return 'These are';
  return first?.kind === 'pass' ? 'This day pass is' : 'This ticket is';
}
