import { timeAt } from '../../ui/wall-clock.ts';
import { takes } from '../book/lengths.ts';
import type { MyBooking } from './queries.ts';

interface Slot {
  startsAt: string;
  endsAt: string;
}

const MINUTE = 60_000;

/**
 * Starts at which a booking would overlap where it is now: to others its own time is taken, to itself it is not. The
 * service has the last word.
 */
export function nearby(booking: MyBooking, free: Slot[], now: Date): Slot[] {
  const { gridMinutes, noticeMinutes, bufferMinutes } = booking.resource;
  const own = spanOf(booking);
  const length = own.end - own.start;
  const room = roomAround(own, bufferMinutes * MINUTE, free.map(spanOf));
  const isUsual = takes(booking.resource, length / MINUTE) && isOnGrid(booking);
  if (!isUsual) return []; // staff set the rules aside, and only staff can again
  const first = Math.max(room.start, now.getTime() + noticeMinutes * MINUTE);
  const found: Slot[] = [];
  const step = gridMinutes * MINUTE;
  const back = Math.floor((length - 1) / step) * step;
  for (let start = own.start - back; start < own.end; start += step) {
    if (start === own.start || start < first || start + length > room.end) continue;
    found.push({ startsAt: iso(start), endsAt: iso(start + length) });
  }
  return found;
}

function isOnGrid({ startsAt, resource, location }: MyBooking): boolean {
  const [hour = 0, minute = 0] = timeAt(startsAt, location.timeZone).split(':').map(Number);
  return (hour * 60 + minute) % resource.gridMinutes === 0;
}

/** The stretch that is free but for the booking itself and what is kept free after it. */
function roomAround(own: Span, buffer: number, free: Span[]): Span {
  const before = free.find(({ end }) => end === own.start);
  const after = free.find(({ start }) => start === own.end + buffer);
  return { start: before?.start ?? own.start, end: after?.end ?? own.end };
}

interface Span {
  start: number;
  end: number;
}

const spanOf = ({ startsAt, endsAt }: Slot): Span => ({
  start: new Date(startsAt).getTime(),
  end: new Date(endsAt).getTime(),
});

const iso = (at: number) => new Date(at).toISOString();
