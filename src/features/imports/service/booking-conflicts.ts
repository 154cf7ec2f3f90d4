import type { Context } from '../../../context.ts';
import { formatLocalDateTimeRange } from '../../../core/time/format.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { toOccupiedRange } from '../../spaces/types.ts';

/** The time that a booking occupies; `occupiedUntil` includes the buffer. */
export interface ImportSlot {
  startsAt: Date;
  endsAt: Date;
  occupiedUntil: Date;
}

/** The slot of a booking, or of an event. */
export interface OccupiedSlot extends ImportSlot {
  /** Null for an event. */
  id: string | null;
  title: string | null;
  importUid: string | null;
}

/** The times at a resource, with its buffer. */
export const toImportSlot = (
  { startsAt, endsAt }: Pick<ImportSlot, 'startsAt' | 'endsAt'>,
  resource: Parameters<typeof toOccupiedRange>[0],
): ImportSlot => ({
  startsAt,
  endsAt,
  occupiedUntil: new Date(toOccupiedRange(resource, { start: +startsAt, end: +endsAt }).end),
});

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
    select: {
      ...{ id: true, title: true, importUid: true },
      ...{ startsAt: true, endsAt: true, occupiedUntil: true },
    },
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
  return events.map(({ title, ...times }) => ({
    ...{ id: null, title, importUid: null },
    ...toImportSlot(times, resource),
  }));
}

// A calendar can have more entries than Math.min can have arguments.
const toBounds = (slots: ImportSlot[]) => ({
  first: new Date(slots.reduce((first, { startsAt }) => Math.min(first, +startsAt), Infinity)),
  last: new Date(slots.reduce((last, { occupiedUntil }) => Math.max(last, +occupiedUntil), 0)),
});

type OccupiedTime = Pick<ImportSlot, 'startsAt' | 'occupiedUntil'>;

export const isOverlapping = (one: OccupiedTime, other: OccupiedTime): boolean =>
  one.startsAt.getTime() < other.occupiedUntil.getTime() &&
  other.startsAt.getTime() < one.occupiedUntil.getTime();

interface ConflictLabels {
  /** The lines of the file, by UID. */
  lines: Map<string, number>;
  timeZone: string;
}

/**
 * Explains why a slot cannot be used, and says when the conflict is. The title of a booking can name a person, and the
 * text is stored, so it names events alone.
 */
export function formatConflict(
  slot: ImportSlot,
  conflict: OccupiedSlot | undefined,
  { lines, timeZone }: ConflictLabels,
): string {
  if (!conflict) return 'The slot was taken while the import ran. Import the file again.';
  const line = conflict.importUid && lines.get(conflict.importUid);
  const isWithoutBuffer = conflict.startsAt < slot.endsAt && conflict.endsAt > slot.startsAt;
  const span = formatLocalDateTimeRange(conflict.startsAt, conflict.endsAt, timeZone);
  return (
    `The slot is taken by ${conflict.id === null ? `the event "${conflict.title}"` : 'a booking'}, ${span}` +
    `${line ? ` (line ${line})` : ''}${isWithoutBuffer ? '' : ', including the buffer between bookings'}.`
  );
}
