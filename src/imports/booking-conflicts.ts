import type { Context } from '../context.ts';
import { formatWallClock, MINUTE_MS } from '../core/time/time-zone.ts';

/** What a booking takes of its resource, with the buffer after it. */
export interface ImportSlot {
  startsAt: Date;
  endsAt: Date;
  occupiedUntil: Date;
}

interface OccupiedSlot extends ImportSlot {
  title: string | null;
  importUid: string | null;
}

/** The live bookings of a resource that may stand in the way of these slots. */
export async function findBookingsAround(
  db: Context['db'],
  resourceId: string,
  slots: ImportSlot[],
): Promise<OccupiedSlot[]> {
  if (slots.length === 0) return [];
  const { first, last } = toBounds(slots);
  return db.booking.findMany({
    where: {
      resourceId,
      status: { in: ['pending', 'confirmed'] },
      startsAt: { lt: last },
      occupiedUntil: { gt: first },
    },
    select: { startsAt: true, endsAt: true, occupiedUntil: true, title: true, importUid: true },
    orderBy: { startsAt: 'asc' },
  });
}

/** The published events that have a resource for themselves when these slots are, and the time after them. */
export async function findEventsAround(
  db: Context['db'],
  resource: { id: string; bufferMinutes: number },
  slots: ImportSlot[],
): Promise<OccupiedSlot[]> {
  if (slots.length === 0) return [];
  const { first, last } = toBounds(slots);
  const bufferMs = resource.bufferMinutes * MINUTE_MS;
  const events = await db.event.findMany({
    where: {
      resourceId: resource.id,
      status: 'published',
      startsAt: { lt: last },
      endsAt: { gt: new Date(first.getTime() - bufferMs) },
    },
    select: { startsAt: true, endsAt: true, title: true },
    orderBy: { startsAt: 'asc' },
  });
  return events.map((event) => ({
    ...event,
    occupiedUntil: new Date(event.endsAt.getTime() + bufferMs),
    importUid: null,
  }));
}

const toBounds = (slots: ImportSlot[]) => ({
  first: new Date(Math.min(...slots.map(({ startsAt }) => startsAt.getTime()))),
  last: new Date(Math.max(...slots.map(({ occupiedUntil }) => occupiedUntil.getTime()))),
});

export const isOverlapping = (
  one: Pick<ImportSlot, 'startsAt' | 'occupiedUntil'>,
  other: typeof one,
): boolean => one.startsAt < other.occupiedUntil && one.occupiedUntil > other.startsAt;

/** Why a slot could not be had, with the first booking that it meets. */
export function formatConflict(
  slot: ImportSlot,
  taken: OccupiedSlot[],
  lines: Map<string, number>,
  timeZone: string,
): string {
  const other = taken.find((one) => isOverlapping(slot, one));
  if (!other) return 'The slot was taken while the import ran; import the file again.';
  const line = other.importUid && lines.get(other.importUid);
  const meetsItself = other.startsAt < slot.endsAt && other.endsAt > slot.startsAt;
  const span = `${formatWallClock(other.startsAt, timeZone)} to ${formatWallClock(other.endsAt, timeZone)}`;
  return (
    `The slot is taken by ${other.title ? `"${other.title}"` : 'a booking'}, ${span}` +
    `${line ? ` (line ${line})` : ''}${meetsItself ? '' : ', with the time kept free between bookings'}.`
  );
}
