import type { Ctx } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import type { Booking } from '../booking.ts';

/** Of a series: this one, this and those that follow, or all that are still to come. */
export type SeriesScope = 'this' | 'following' | 'all';

/** Bookings that hold their slot, of rows called `b`. */
export const LIVE = Prisma.sql`b.status IN ('pending', 'confirmed')`;

/**
 * What is meant beside this booking and meets a condition on rows called `b`, kept from all others until the
 * transaction ends. Always in the same order, so that two of them wait for each other and neither for ever.
 */
export async function lockMeant(
  ctx: Ctx,
  booking: Booking,
  scope: SeriesScope,
  condition: Prisma.Sql,
): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM bookings b WHERE ${meant(ctx, booking, scope)} AND ${condition}
    ORDER BY b.id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}

/** What is over is never meant but by name. */
function meant(ctx: Ctx, { id, seriesId, startsAt }: Booking, scope: SeriesScope): Prisma.Sql {
  if (scope === 'this' || seriesId === null) return Prisma.sql`b.id = ${id}::uuid`;
  const later =
    scope === 'following'
      ? Prisma.sql`b.starts_at >= ${new Date(startsAt)}`
      : Prisma.sql`b.starts_at > ${ctx.now()}`;
  return Prisma.sql`(b.id = ${id}::uuid OR (b.series_id = ${seriesId}::uuid AND ${later}))`;
}
