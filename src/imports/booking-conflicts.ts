import type { Context } from '../context.ts';
import { formatLocalDateTimeRange } from '../core/time/format.ts';
import { hasOverlap, type TimeRange } from '../core/time/time-range.ts';
import { MINUTE_MS } from '../core/time/time-zone.ts';
import { toOccupiedRange } from '../features/spaces/types.ts';

/** The time that a booking occupies; `occupiedUntil` includes the buffer. */
export interface ImportSlot {
  startsAt: Date;
  endsAt: Date;
  occupiedUntil: Date;
}

interface OccupiedSlot extends ImportSlot {
  title: string | null;
  importUid: string | null;
}

/** Finds the live bookings of a resource between the first and the last of these slots. */
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

/** Finds the published events that occupy a resource between the first and the last of these slots, with buffers. */
export async function findEventsAround(
  db: Context['db'],
  resource: { id: string; bufferMinutes: number },
  slots: ImportSlot[],
): Promise<OccupiedSlot[]> {
  if (slots.length === 0) return [];
  const { first, last } = toBounds(slots);
  const events = await db.event.findMany({
    where: {
      resourceId: resource.id,
      status: 'published',
      startsAt: { lt: last },
      endsAt: { gt: new Date(first.getTime() - resource.bufferMinutes * MINUTE_MS) },
    },
    select: { startsAt: true, endsAt: true, title: true },
    orderBy: { startsAt: 'asc' },
  });
  return events.map((event) => ({
    ...event,
    occupiedUntil: new Date(
      toOccupiedRange(resource, { start: +event.startsAt, end: +event.endsAt }).end,
    ),
    importUid: null,
  }));
}

const toBounds = (slots: ImportSlot[]) => ({
  first: new Date(Math.min(...slots.map(({ startsAt }) => startsAt.getTime()))),
  last: new Date(Math.max(...slots.map(({ occupiedUntil }) => occupiedUntil.getTime()))),
});

type OccupiedTime = Pick<ImportSlot, 'startsAt' | 'occupiedUntil'>;

export const isOverlapping = (one: OccupiedTime, other: OccupiedTime): boolean =>
  hasOverlap(toTimeRange(one), toTimeRange(other));

const toTimeRange = ({ startsAt, occupiedUntil }: OccupiedTime): TimeRange => ({
  start: startsAt.getTime(),
  end: occupiedUntil.getTime(),
});

/** Explains why a slot was not imported and names the first conflicting booking. */
export function formatConflict(
  slot: ImportSlot,
  occupied: OccupiedSlot[],
  lines: Map<string, number>,
  timeZone: string,
): string {
  const conflict = occupied.find((candidate) => isOverlapping(slot, candidate));
  if (!conflict) return 'The slot was taken while the import ran. Import the file again.';
  const line = conflict.importUid && lines.get(conflict.importUid);
  const isWithoutBuffer = conflict.startsAt < slot.endsAt && conflict.endsAt > slot.startsAt;
  const span = formatLocalDateTimeRange(conflict.startsAt, conflict.endsAt, timeZone);
  return (
    `The slot is taken by ${conflict.title ? `"${conflict.title}"` : 'a booking'}, ${span}` +
    `${line ? ` (line ${line})` : ''}${isWithoutBuffer ? '' : ', including the buffer between bookings'}.`
  );
}
