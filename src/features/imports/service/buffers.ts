import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { ImportSlot, OccupiedSlot } from './booking-conflicts.ts';

// A buffer keeps new bookings apart. Meetings of a calendar took place back to back before, so only real overlaps keep them out, and a
// buffer ends where the next meeting begins. Those of events stay, since the database keeps bookings out of them.

/** The slot without its buffer. That of an event keeps it. */
export const withoutBuffer = <Slot extends ImportSlot & { id?: string | null }>(slot: Slot) =>
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

// Only ever shorter, so no constraint can fail. In this order as every transaction locks bookings.
const SHORTEN = prepareStatement(`
  WITH next AS (SELECT * FROM jsonb_to_recordset($1::jsonb) r (id uuid, starts_at timestamptz)),
    locked AS (SELECT id FROM bookings WHERE id IN (SELECT id FROM next) ORDER BY id FOR NO KEY UPDATE)
  UPDATE bookings b SET occupied_until = greatest(b.ends_at, least(b.occupied_until, next.starts_at))
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
