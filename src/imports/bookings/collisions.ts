import type { Ctx } from '../../context.ts';
import { wallClock } from '../../time.ts';

/** What a booking takes of its resource, with the buffer after it. */
export interface Slot {
  startsAt: Date;
  endsAt: Date;
  occupiedUntil: Date;
}

interface Taken extends Slot {
  title: string | null;
  importUid: string | null;
}

/** The live bookings of a resource that may stand in the way of these slots. */
export async function takenAround(
  db: Ctx['db'],
  resourceId: string,
  slots: Slot[],
): Promise<Taken[]> {
  if (slots.length === 0) return [];
  const first = Math.min(...slots.map(({ startsAt }) => startsAt.getTime()));
  const last = Math.max(...slots.map(({ occupiedUntil }) => occupiedUntil.getTime()));
  return db.booking.findMany({
    where: {
      resourceId,
      status: { in: ['pending', 'confirmed'] },
      startsAt: { lt: new Date(last) },
      occupiedUntil: { gt: new Date(first) },
    },
    select: { startsAt: true, endsAt: true, occupiedUntil: true, title: true, importUid: true },
    orderBy: { startsAt: 'asc' },
  });
}

/** Why a slot could not be had, with the first booking that it meets. */
export function collision(
  slot: Slot,
  taken: Taken[],
  lines: Map<string, number>,
  timeZone: string,
): string {
  const other = taken.find(
    (one) => one.startsAt < slot.occupiedUntil && one.occupiedUntil > slot.startsAt,
  );
  if (!other) return 'The slot was taken while the import ran; import the file again.';
  const line = other.importUid && lines.get(other.importUid);
  const meetsItself = other.startsAt < slot.endsAt && other.endsAt > slot.startsAt;
  const span = `${wallClock(other.startsAt, timeZone)} to ${wallClock(other.endsAt, timeZone)}`;
  return (
    `The slot is taken by ${other.title ? `"${other.title}"` : 'a booking'}, ${span}` +
    `${line ? ` (line ${line})` : ''}${meetsItself ? '' : ', with the time kept free between bookings'}.`
  );
}
