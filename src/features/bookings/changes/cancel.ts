import { seesAll } from '../../../auth/viewer.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { emit } from '../../webhooks/emit.ts';
import type { Booking } from '../booking.ts';
import { staffOnly } from '../decisions/request.ts';
import { LIVE, lockMeant, type SeriesScope } from '../series/scope.ts';
import { getForWriting, ofIds } from '../service.ts';
import { tellHolder } from './notices.ts';

export interface Cancellation {
  reason?: string | undefined;
  scope?: SeriesScope | undefined;
  /** Staff lets off the fee of a late cancellation. */
  waiveFee?: boolean | undefined;
}

/**
 * Sets the slot free. Until the resource's deadline it costs nothing and gives back the plan's hours; later the
 * price stays due. Throws NOT_FOUND, and CONFLICT, reason NOT_LIVE, for what is cancelled or over already.
 */
export async function cancel(
  ctx: Ctx,
  id: string,
  { reason, scope = 'this', waiveFee = false }: Cancellation,
): Promise<Booking> {
  if (waiveFee) staffOnly(ctx.viewer, 'Only staff may waive the fee.');
  const now = ctx.now();
  // Who has left cannot cancel, but staff may tidy up what is over.
  const inTime = seesAll(ctx.viewer, 'bookings:write')
    ? LIVE
    : Prisma.sql`${LIVE} AND b.ends_at > ${now}`;
  return inTransaction(ctx, async (tx) => {
    const ids = await lockMeant(tx, await getForWriting(tx, id), scope, inTime);
    if (ids.length === 0) throw notLive(await getForWriting(tx, id));
    await tx.db.$executeRaw`
      UPDATE bookings b SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now},
        cancel_reason = ${reason ?? null}::text,
        cancel_fee = CASE WHEN c.free THEN 0 ELSE b.price_amount END,
        included_minutes = CASE WHEN c.free THEN 0 ELSE b.included_minutes END
      FROM (
        SELECT o.id, ${waiveFee} OR o.status = 'pending'
          OR ${now}::timestamptz <= o.starts_at - r.free_cancellation_hours * interval '1 hour' AS free
        FROM bookings o JOIN resources r ON r.id = o.resource_id
        WHERE o.id = ANY (${ids}::uuid[])) c
      WHERE b.id = c.id`;
    const booking = await getForWriting(tx, id);
    await tellHolder(tx, booking, 'cancelled', { bookings: ids.length, reason });
    await emit(tx, 'booking.cancelled', async () =>
      (await ofIds(tx, ids)).map((booking) => ({ booking })),
    );
    return booking;
  });
}

/** Why a booking can no longer be changed. */
export function notLive({ status }: Booking): DomainError {
  const message = {
    cancelled: 'The booking is cancelled already.',
    no_show: 'The booking was given up because nobody came.',
    pending: 'The booking is over.',
    confirmed: 'The booking is over.',
  }[status];
  return new DomainError('CONFLICT', message, { reason: 'NOT_LIVE', status });
}
