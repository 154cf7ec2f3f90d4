import type { Ctx } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import type { Booking } from '../booking.ts';

/** Of a series: this one, this and those that follow, or all that are still to come. */
export const SCOPES = ['this', 'following', 'all'] as const;
export type SeriesScope = (typeof SCOPES)[number];

/** The condition, on a row called `b`, for what is meant beside this booking. What is over is never meant but by name. */
export function meant(
  ctx: Ctx,
  { id, seriesId, startsAt }: Booking,
  scope: SeriesScope,
): Prisma.Sql {
  if (scope === 'this' || seriesId === null) return Prisma.sql`b.id = ${id}::uuid`;
  const later =
    scope === 'following'
      ? Prisma.sql`b.starts_at >= ${new Date(startsAt)}`
      : Prisma.sql`b.starts_at > ${ctx.now()}`;
  return Prisma.sql`(b.id = ${id}::uuid OR (b.series_id = ${seriesId}::uuid AND ${later}))`;
}

/** Bookings that hold their slot. */
export const LIVE = Prisma.sql`b.status IN ('pending', 'confirmed')`;
