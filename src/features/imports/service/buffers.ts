import type { Context } from '../../../context.ts';
import { toSnakeCaseKeys } from '../../../core/letter-case.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { MAX_BUFFER_MS } from '../../spaces/types.ts';
import type { ImportSlot, OccupiedSlot } from './booking-conflicts.ts';

// A buffer keeps new bookings apart. Meetings of a calendar took place back to back before, so only real overlaps keep them out, and a
// buffer ends where the next meeting begins. Events keep their buffers, since the database keeps bookings out of them.

/** Removes the buffer from the slot of a booking. Events keep theirs. */
export const removeBuffer = <Slot extends ImportSlot & { id?: string | null }>(slot: Slot) =>
  slot.id === null ? slot : { ...slot, occupiedUntil: slot.endsAt };

/** Ends the buffer of each slot where the next of the slots or of the others begins. */
export function fitBuffers<Slot extends ImportSlot>(
  slots: Slot[],
  others: Pick<ImportSlot, 'startsAt'>[],
): Slot[] {
  const findNext = createNextFinder([...slots, ...others]);
  return slots.map((slot) => {
    const next = findNext(slot.endsAt);
    return next && next < slot.occupiedUntil ? { ...slot, occupiedUntil: next } : slot;
  });
}

// One pass, as for FIND_SHORT_BUFFERS below. A slot does not contain its own end.
const FIND_BUFFERS = prepareStatement(`
  SELECT b.id, b.ends_at AS "endsAt",
    greatest(b.occupied_until, b.ends_at + r.buffer_minutes * interval '1 minute') AS "bufferEnd"
  FROM bookings b JOIN resources r ON r.id = b.resource_id
  WHERE b.resource_id = $1::uuid AND b.status IN ('pending', 'confirmed')
    AND tstzrange(b.starts_at, b.occupied_until) && tstzrange($2::timestamptz, $3::timestamptz)
    AND (b.occupied_until > b.ends_at OR r.buffer_minutes > 0)`);

/** Where and when a booking begins. */
export interface BookingStart {
  resourceId: string;
  startsAt: Date;
}

/**
 * Finds the bookings whose buffers can change once bookings begin at these times, or no longer do. Whoever changes bookings
 * locks these along with them, in one order.
 */
export async function findBufferNeighbours(
  ctx: Context,
  starts: BookingStart[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [resourceId, group] of groupByResource(starts))
    ids.push(...(await findNeighboursAtResource(ctx, resourceId, group)));
  return ids;
}

async function findNeighboursAtResource(
  ctx: Context,
  resourceId: string,
  starts: BookingStart[],
): Promise<string[]> {
  const { first, last } = toBounds(starts.map(({ startsAt }) => startsAt));
  const found = await ctx.lockingSql<{ id: string; endsAt: Date; bufferEnd: Date }>(FIND_BUFFERS, [
    resourceId,
    new Date(first - MAX_BUFFER_MS - 1),
    new Date(last),
  ]);
  const findNext = createNextFinder(starts);
  return found.flatMap(({ id, endsAt, bufferEnd }) => {
    const next = findNext(endsAt);
    return next && next <= bufferEnd ? [id] : [];
  });
}

// A calendar can have more bookings than Math.min can have arguments.
const toBounds = (times: Date[]) => ({
  first: times.reduce((first, time) => Math.min(first, +time), Number.POSITIVE_INFINITY),
  last: times.reduce((last, time) => Math.max(last, +time), 0),
});

// Buffers only get shorter, so no constraint can fail.
const SHORTEN = prepareStatement(`
  WITH next AS (SELECT * FROM jsonb_to_recordset($1::jsonb) r (id uuid, starts_at timestamptz)),
    locked AS (SELECT id FROM bookings WHERE id IN (SELECT id FROM next) ORDER BY id FOR NO KEY UPDATE)
  UPDATE bookings b SET occupied_until = greatest(b.ends_at, least(b.occupied_until, next.starts_at)),
    import_revision = b.import_revision + 1
  FROM next JOIN locked USING (id) WHERE b.id = next.id RETURNING 1 AS row`);

/** Ends the buffers of stored bookings where one of the slots begins. */
export async function shortenBuffers(
  ctx: Context,
  bookings: OccupiedSlot[],
  slots: Pick<ImportSlot, 'startsAt'>[],
): Promise<void> {
  const findNext = createNextFinder(slots);
  const rows = bookings.flatMap(({ id, endsAt, occupiedUntil }) => {
    const next = findNext(endsAt);
    return id !== null && next && next < occupiedUntil ? [{ id, starts_at: next }] : [];
  });
  if (rows.length > 0) await ctx.lockingSql(SHORTEN, [JSON.stringify(rows)]);
}

// One pass over the slots from the first to the last of these times: a search for the next slot of each booking would read all
// bookings of the resource, on an index that the planner takes for small. Slots never overlap, so the next one is where the buffer must end.
const FIND_SHORT_BUFFERS = prepareStatement(`
  WITH slots AS (
    SELECT id, starts_at, ends_at, occupied_until FROM bookings
    WHERE resource_id = $1::uuid AND status IN ('pending', 'confirmed')
      AND tstzrange(starts_at, occupied_until) && tstzrange($2::timestamptz, $3::timestamptz)
    UNION ALL
    SELECT NULL, starts_at, ends_at, ends_at FROM events
    WHERE resource_id = $1::uuid AND status = 'published'
      AND tstzrange(starts_at, ends_at) && tstzrange($2::timestamptz, $3::timestamptz))
  SELECT id, occupied_until AS "occupiedUntil", free_until AS "freeUntil" FROM (
    SELECT s.id, s.occupied_until, least(
      s.ends_at + r.buffer_minutes * interval '1 minute', lead(s.starts_at) OVER (ORDER BY s.starts_at)) AS free_until
    FROM slots s JOIN resources r ON r.id = $1::uuid) slot
  WHERE id IS NOT NULL AND free_until > occupied_until`);

// Each booking only if it still is as it was read. They end at most where the next booking or event begins, so no constraint can fail.
const EXTEND = prepareStatement(`
  WITH extended AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) r (id uuid, occupied_until timestamptz, free_until timestamptz)),
    locked AS (SELECT id FROM bookings WHERE id IN (SELECT id FROM extended) ORDER BY id FOR NO KEY UPDATE)
  UPDATE bookings b SET occupied_until = extended.free_until, import_revision = b.import_revision + 1
  FROM extended JOIN locked USING (id)
  WHERE b.id = extended.id AND b.occupied_until = extended.occupied_until AND b.status IN ('pending', 'confirmed')
  RETURNING 1 AS row`);

interface ShortBuffer {
  id: string;
  occupiedUntil: Date;
  /** Where the buffer would end if nothing had shortened it but what is there now. */
  freeUntil: Date;
}

/** Gives the bookings whose buffers end where one of the bookings began their buffers back, once that one is cancelled or moved. */
export async function extendBuffers(ctx: Context, freed: BookingStart[]): Promise<void> {
  for (const [resourceId, bookings] of groupByResource(freed)) {
    const starts = new Set(bookings.map(({ startsAt }) => +startsAt));
    const { first, last } = toBounds(bookings.map(({ startsAt }) => startsAt));
    const found = await ctx.lockingSql<ShortBuffer>(FIND_SHORT_BUFFERS, [
      resourceId,
      // A slot does not contain its own end.
      new Date(first - 1),
      new Date(last + MAX_BUFFER_MS),
    ]);
    const rows = found
      .filter(({ occupiedUntil }) => starts.has(+occupiedUntil))
      .map((slot) => toSnakeCaseKeys(slot));
    if (rows.length > 0) await ctx.lockingSql(EXTEND, [JSON.stringify(rows)]);
  }
}

function groupByResource(starts: BookingStart[]): Map<string, BookingStart[]> {
  const groups = new Map<string, BookingStart[]>();
  for (const start of starts) {
    const group = groups.get(start.resourceId) ?? [];
    group.push(start);
    groups.set(start.resourceId, group);
  }
  return groups;
}

/** Returns a function that finds the first start at or after a time. */
function createNextFinder(slots: Pick<ImportSlot, 'startsAt'>[]) {
  const starts = slots.map(({ startsAt }) => startsAt).toSorted((a, b) => +a - +b);
  return (time: Date): Date | undefined => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (+(starts[middle] ?? 0) < +time) low = middle + 1;
      else high = middle;
    }
    return starts[low];
  };
}
