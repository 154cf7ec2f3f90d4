import { addDays, toLocalDate } from '../components/wall-clock.ts';
import type {
  DisplayedAnnouncement,
  DisplayedBooking,
  DisplayedEvent,
  DisplayState,
  ScheduledItem,
} from './device-api.ts';
import type { DisplaySnapshot } from './device-storage.ts';

// What there is to be seen at a moment, out of a state that may have been read long before.

const SNAPSHOT_VALIDITY_MS = 24 * 3_600_000;

/** Beyond it nobody can tell without asking the service. */
export const isSnapshotValid = ({ confirmedAt }: DisplaySnapshot, now: Date) =>
  now.getTime() < confirmedAt + SNAPSHOT_VALIDITY_MS;

export interface RoomItem extends ScheduledItem {
  host?: string;
}

interface RoomState {
  current: RoomItem | null;
  /** When the room is free again: the end of what follows without a gap, too. */
  busyUntil: string | null;
  next: RoomItem | null;
  /** What is on or to come today, by the clocks of the place. */
  today: RoomItem[];
}

/** A room at a moment. */
export function getRoomState({ bookings, events, device }: DisplayState, now: Date): RoomState {
  const { time_zone } = device.location;
  const coming = [...bookings, ...events].filter(endsAfter(now)).sort(compareByStart);
  const current = coming.find(hasBegun(now)) ?? null;
  const today = toLocalDate(now, time_zone);
  return {
    current,
    busyUntil: current && getEndOfBusyTime(coming, current),
    next: coming.find((one) => !hasBegun(now)(one)) ?? null,
    today: coming.filter(
      (one) => hasBegun(now)(one) || toLocalDate(one.starts_at, time_zone) === today,
    ),
  };
}

function getEndOfBusyTime(coming: ScheduledItem[], current: ScheduledItem): string {
  let end = current.ends_at;
  for (const { starts_at, ends_at } of coming) {
    if (starts_at <= end && ends_at > end) end = ends_at;
  }
  return end;
}

interface EventDay<Of> {
  day: string;
  items: Of[];
}

/** What is on or coming, day by day of the place; what began before today is on today. */
export function groupEventsByDay(
  { events, device }: DisplayState,
  now: Date,
): EventDay<DisplayedEvent>[] {
  const { time_zone } = device.location;
  const today = toLocalDate(now, time_zone);
  const days = new Map<string, DisplayedEvent[]>();
  for (const event of events.filter(endsAfter(now)).sort(compareByStart)) {
    const [, day = today] = [today, toLocalDate(event.starts_at, time_zone)].sort();
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days].map(([day, of]) => ({ day, items: of }));
}

/** Who is here or comes today; and tomorrow, once nobody else comes today. */
export function getExpectedGuests(
  { bookings, device }: DisplayState,
  now: Date,
): { today: DisplayedBooking[]; tomorrow: DisplayedBooking[] } {
  const { time_zone } = device.location;
  const day = toLocalDate(now, time_zone);
  const coming = bookings.filter(endsAfter(now)).sort(compareByStart);
  const today = coming.filter((one) => toLocalDate(one.starts_at, time_zone) <= day);
  const tomorrow = coming.filter(
    (one) => toLocalDate(one.starts_at, time_zone) === addDays(day, 1),
  );
  return { today, tomorrow: today.every(hasBegun(now)) ? tomorrow : [] };
}

/** The newest first. */
export const getAnnouncements = (
  { announcements }: DisplayState,
  now: Date,
): DisplayedAnnouncement[] =>
  announcements
    .filter(
      ({ starts_at, ends_at }) =>
        new Date(starts_at) <= now && (ends_at === null || new Date(ends_at) > now),
    )
    .sort((a, b) => b.starts_at.localeCompare(a.starts_at) || b.id.localeCompare(a.id));

const endsAfter = (now: Date) => (one: ScheduledItem) => new Date(one.ends_at) > now;
const hasBegun = (now: Date) => (one: ScheduledItem) => new Date(one.starts_at) <= now;
const compareByStart = (a: ScheduledItem, b: ScheduledItem) =>
  a.starts_at.localeCompare(b.starts_at);

/** Whether a house is open at a moment, out of a state that may have been read long before. */
export interface OpeningState {
  isOpen: boolean;
  /** Null where it is closed, or does not close for long. */
  closesAt: string | null;
  /** Null where it is open, or nobody knows. */
  opensAt: string | null;
}

const ALWAYS_OPEN: OpeningState = { isOpen: true, closesAt: null, opensAt: null };

export function getOpeningState(kept: DisplaySnapshot, now: Date): OpeningState {
  const { opening } = kept.state.content;
  // Kept by a screen that knew no hours, it has none; and beyond what is covered nobody can tell.
  if (!opening || !isSnapshotValid(kept, now)) return ALWAYS_OPEN;
  const coming = opening.filter(({ closes_at }) => closes_at === null || new Date(closes_at) > now);
  const hasOpened = (at: string | null) => at === null || new Date(at) <= now;
  const current = coming.find(({ opens_at }) => hasOpened(opens_at));
  if (current) return { ...ALWAYS_OPEN, closesAt: current.closes_at };
  return { isOpen: false, closesAt: null, opensAt: coming[0]?.opens_at ?? null };
}
