import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
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

// Buffers only get shorter, so no constraint can fail. In this order as every transaction locks bookings.
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

// They end at most where the next booking or event begins, so no constraint can fail.
const EXTEND = prepareStatement(`
  WITH freed AS (SELECT DISTINCT * FROM jsonb_to_recordset($1::jsonb) r (resource_id uuid, starts_at timestamptz)),
    ended AS (
      SELECT b.id, b.resource_id, b.ends_at, b.ends_at + r.buffer_minutes * interval '1 minute' AS buffer_end
      FROM freed JOIN bookings b ON b.resource_id = freed.resource_id AND b.occupied_until = freed.starts_at
      JOIN resources r ON r.id = b.resource_id
      WHERE b.status IN ('pending', 'confirmed') ORDER BY b.id FOR NO KEY UPDATE OF b)
  UPDATE bookings b SET occupied_until = greatest(b.occupied_until, least(ended.buffer_end,
    (SELECT min(o.starts_at) FROM bookings o
     WHERE o.resource_id = ended.resource_id AND o.status IN ('pending', 'confirmed') AND o.starts_at >= ended.ends_at),
    (SELECT min(e.starts_at) FROM events e
     WHERE e.resource_id = ended.resource_id AND e.status = 'published' AND e.starts_at >= ended.ends_at))),
    import_revision = b.import_revision + 1
  FROM ended WHERE b.id = ended.id RETURNING 1 AS row`);

/** Gives the bookings whose buffers end where one of the bookings began their buffers back, once that one is cancelled or moved. */
export async function extendBuffers(
  ctx: Context,
  freed: { resourceId: string; startsAt: Date }[],
): Promise<void> {
  if (freed.length === 0) return;
  const rows = freed.map(({ resourceId, startsAt }) => ({
    resource_id: resourceId,
    starts_at: startsAt,
  }));
  await ctx.lockingSql(EXTEND, [JSON.stringify(rows)]);
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
