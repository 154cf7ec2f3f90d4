import { type Ctx, inTransaction } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import type { Booking } from '../booking.ts';
import { staffOnly } from '../decisions/request.ts';
import { LIVE, lockMeant, type SeriesScope } from '../series/scope.ts';
import { getForWriting, getWith } from '../service.ts';
import { notLive } from './cancel.ts';
import { tellHolder } from './notices.ts';

/** Changes what a booking is called. Throws NOT_FOUND. */
export const update = (
  ctx: Ctx,
  id: string,
  { title, notes }: { title?: string | null | undefined; notes?: string | null | undefined },
  scope: SeriesScope = 'this',
): Promise<Booking> =>
  inTransaction(ctx, async (tx) => {
    const ids = await lockMeant(tx, await getForWriting(tx, id), scope, Prisma.sql`true`);
    const data = {
      updatedAt: ctx.now(),
      ...(title === undefined ? {} : { title }),
      ...(notes === undefined ? {} : { notes }),
    };
    await tx.db.booking.updateMany({ where: { id: { in: ids } }, data });
    return getForWriting(tx, id);
  });

/** Approves a pending booking; its slot is held already. Throws NOT_FOUND, CONFLICT for one that is not pending. */
export async function confirm(ctx: Ctx, id: string, scope: SeriesScope = 'this'): Promise<Booking> {
  staffOnly(ctx.viewer, 'Only staff approves bookings.');
  return inTransaction(ctx, async (tx) => {
    const booking = await getForWriting(tx, id);
    const ids = await lockMeant(tx, booking, scope, Prisma.sql`b.status = 'pending'`);
    if (ids.length === 0) throw notPending(await getForWriting(tx, id));
    const data = { status: 'confirmed', updatedAt: ctx.now() } as const;
    await tx.db.booking.updateMany({ where: { id: { in: ids } }, data });
    const confirmed = await getForWriting(tx, id);
    await tellHolder(tx, confirmed, 'confirmed', { bookings: ids.length });
    return confirmed;
  });
}

const notPending = ({ status }: Booking) =>
  new DomainError('CONFLICT', 'The booking does not wait for approval.', {
    reason: 'NOT_PENDING',
    status,
  });

const EARLY_MINUTES = 60;

/** Somebody has come for the booking, so it is not given up; a second time changes nothing. Throws NOT_FOUND, CONFLICT when it is over, cancelled or more than an hour away. */
export async function arrive(ctx: Ctx, id: string): Promise<Booking> {
  const booking = await getWith(ctx, id, 'check-ins:write');
  const now = ctx.now();
  const soonest = new Date(Date.parse(booking.startsAt) - EARLY_MINUTES * 60_000);
  if (now < soonest) {
    throw new DomainError('CONFLICT', `Check in from ${EARLY_MINUTES} minutes before the start.`, {
      reason: 'NOT_YET',
    });
  }
  const done = await ctx.db.$executeRaw`
    UPDATE bookings b SET checked_in_at = coalesce(b.checked_in_at, ${now}), updated_at = ${now}
    WHERE b.id = ${id}::uuid AND ${LIVE} AND b.ends_at > ${now}`;
  if (done === 0) throw notLive(await getWith(ctx, id, 'check-ins:write'));
  return getWith(ctx, id, 'check-ins:write');
}
