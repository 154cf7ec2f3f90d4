import { dayAt, nextDay } from '../ui/wall-clock.ts';
import type { Kept } from './storage.ts';
import type { Announcement, Booking, CommunityEvent, DisplayState, Occasion } from './wire.ts';

// What there is to be seen at a moment, out of a state that may have been read long before.

const COVERED_MS = 24 * 3_600_000;

/** Beyond it nobody can tell without asking the service. */
export const isCovered = ({ confirmedAt }: Kept, now: Date) =>
  now.getTime() < confirmedAt + COVERED_MS;

export interface InRoom extends Occasion {
  host?: string;
}

export interface Room {
  current: InRoom | null;
  /** When the room is free again: the end of what follows without a gap, too. */
  busyUntil: string | null;
  next: InRoom | null;
  /** What is on or to come today, by the clocks of the place. */
  today: InRoom[];
}

/** A room at a moment. */
export function roomAt({ bookings, events, device }: DisplayState, now: Date): Room {
  const { time_zone } = device.location;
  const coming = [...bookings, ...events].filter(endsAfter(now)).sort(byStart);
  const current = coming.find(hasBegun(now)) ?? null;
  const today = dayAt(now, time_zone);
  return {
    current,
    busyUntil: current && endOfRow(coming, current),
    next: coming.find((one) => !hasBegun(now)(one)) ?? null,
    today: coming.filter((one) => hasBegun(now)(one) || dayAt(one.starts_at, time_zone) === today),
  };
}

function endOfRow(coming: Occasion[], current: Occasion): string {
  let end = current.ends_at;
  for (const { starts_at, ends_at } of coming) {
    if (starts_at <= end && ends_at > end) end = ends_at;
  }
  return end;
}

export interface Day<Of> {
  day: string;
  of: Of[];
}

/** What is on or coming, day by day of the place; what began before today is on today. */
export function eventDays({ events, device }: DisplayState, now: Date): Day<CommunityEvent>[] {
  const { time_zone } = device.location;
  const today = dayAt(now, time_zone);
  const days = new Map<string, CommunityEvent[]>();
  for (const event of events.filter(endsAfter(now)).sort(byStart)) {
    const [, day = today] = [today, dayAt(event.starts_at, time_zone)].sort();
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days].map(([day, of]) => ({ day, of }));
}

/** Who is here or comes today; and tomorrow, once nobody else comes today. */
export function expectedAt(
  { bookings, device }: DisplayState,
  now: Date,
): { today: Booking[]; tomorrow: Booking[] } {
  const { time_zone } = device.location;
  const day = dayAt(now, time_zone);
  const coming = bookings.filter(endsAfter(now)).sort(byStart);
  const today = coming.filter((one) => dayAt(one.starts_at, time_zone) <= day);
  const tomorrow = coming.filter((one) => dayAt(one.starts_at, time_zone) === nextDay(day, 1));
  return { today, tomorrow: today.every(hasBegun(now)) ? tomorrow : [] };
}

/** The newest first. */
export const announcedAt = ({ announcements }: DisplayState, now: Date): Announcement[] =>
  announcements
    .filter(
      ({ starts_at, ends_at }) =>
        new Date(starts_at) <= now && (ends_at === null || new Date(ends_at) > now),
    )
    .sort((a, b) => b.starts_at.localeCompare(a.starts_at) || b.id.localeCompare(a.id));

const endsAfter = (now: Date) => (one: Occasion) => new Date(one.ends_at) > now;
const hasBegun = (now: Date) => (one: Occasion) => new Date(one.starts_at) <= now;
const byStart = (a: Occasion, b: Occasion) => a.starts_at.localeCompare(b.starts_at);
