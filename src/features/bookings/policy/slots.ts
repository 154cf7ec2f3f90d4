import { gridStarts } from './grid.ts';
import type { Ground } from './ground.ts';
import { bookableStarts } from './horizon.ts';
import { endAfter } from './length.ts';
import { openSpans } from './opening.ts';
import { intersection, MINUTE, overlap, type Span, without } from './span.ts';

/** The stretches of a span in which the location is open and nothing stands in the resource's way. */
export const freeSpans = (ground: Ground, span: Span): Span[] =>
  without(openSpans(ground.calendar, span), ground.busy);

/**
 * The slots of that length within a span that `judge` would let anybody have, in order. The ground must have been
 * read for the span and the buffer after it.
 */
export function* freeSlots(
  ground: Ground,
  minutes: number,
  span: Span,
  now: number,
): Generator<Span> {
  const { resource, calendar, busy } = ground;
  if (!resource.active || !fits(ground, minutes)) return;
  const starts = intersection(span, bookableStarts(ground, now));
  if (!starts) return;
  const buffer = resource.bufferMinutes * MINUTE;
  let first = 0;
  for (const open of openSpans(calendar, { start: starts.start, end: span.end })) {
    const last = { start: open.start, end: Math.min(open.end, starts.end) };
    if (last.end <= last.start) return;
    for (const start of gridStarts(resource.slotIntervalMinutes, calendar.timeZone, last)) {
      const end = endAfter(ground, start, minutes);
      if (end > open.end) break;
      // Both walk forwards, so that nothing is looked at twice.
      while ((busy[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1;
      if (!blocked(busy, first, { start, end: end + buffer })) yield { start, end };
    }
  }
}

export const fits = ({ resource }: Ground, minutes: number) =>
  minutes >= resource.minMinutes &&
  minutes <= resource.maxMinutes &&
  minutes % resource.slotIntervalMinutes === 0;

/** From the first that has not ended; what stands there is sorted by start, and never overlaps but with events. */
function blocked(busy: Span[], first: number, occupied: Span): boolean {
  for (let index = first; index < busy.length; index += 1) {
    const other = busy[index] as Span;
    if (other.start >= occupied.end) return false;
    if (overlap(other, occupied)) return true;
  }
  return false;
}

/** The slots nearest to a wish of the same length, nearest first, at most so many. */
export function nearest(slots: Iterable<Span>, wish: Span, most: number): Span[] {
  const far = ({ start }: Span) => Math.abs(start - wish.start);
  const found: Span[] = [];
  for (const slot of slots) {
    // Slots come in order: once later ones lie farther than all that are kept, none is nearer.
    if (found.length === most && slot.start > wish.start && far(slot) >= far(found.at(-1) as Span))
      break;
    found.push(slot);
    found.sort((a, b) => far(a) - far(b) || a.start - b.start);
    if (found.length > most) found.pop();
  }
  return found;
}
