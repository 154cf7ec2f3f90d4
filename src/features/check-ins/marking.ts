import type { Ctx } from '../../context.ts';
import { MINUTE_MS } from '../../time.ts';
import type { Found } from './find.ts';

const SOON_MS = 60 * MINUTE_MS;

/**
 * Whoever is there has come to what they booked: a member to all that runs or begins soon at this location, a guest to
 * what was presented. So nothing of it is given up as a no-show.
 */
export async function markBookings(
  { db, now }: Ctx,
  found: Found,
  locationId: string,
  at: Date,
): Promise<void> {
  if (found.type !== 'booking' && found.type !== 'member') return;
  const memberId = found.type === 'member' ? found.id : found.memberId;
  const soon = new Date(at.getTime() + SOON_MS);
  await db.booking.updateMany({
    where: {
      ...(memberId === null ? { id: found.id } : { memberId }),
      ...{ locationId, status: 'confirmed', checkedInAt: null },
      ...{ startsAt: { lte: soon }, endsAt: { gt: at } },
    },
    data: { checkedInAt: at, updatedAt: now() },
  });
}
