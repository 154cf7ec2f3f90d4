import type { DisplaySnapshot, DisplayState } from '@foyer/client/device';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { addDays } from '../components/wall-clock.ts';
import type {
  DisplayedAnnouncement,
  DisplayedBooking,
  DisplayedEvent,
  ScheduledItem,
} from './device-transport.ts';

// These functions compute what to show now from a state that may have been loaded hours ago.

const SNAPSHOT_VALIDITY_MS = 24 * 3_600_000;

/** Returns whether a state still applies. It covers the 24 hours after it was confirmed. */
export const isSnapshotValid = ({ confirmedAt }: DisplaySnapshot, now: Date) =>
  now.getTime() < confirmedAt + SNAPSHOT_VALIDITY_MS;

export interface RoomItem extends ScheduledItem {
  host?: string | null;
}

interface RoomState {
  current: RoomItem | null;
  /** When the room is free again, including items that follow without a gap. */
  busyUntil: string | null;
  next: RoomItem | null;
  /** Current and later items of today, in the location's time zone. */
  today: RoomItem[];
}

/** Returns whether a room is in use, until when, and what comes next. */
export function getRoomState({ bookings, events, device }: DisplayState, now: Date): RoomState {
  const { time_zone } = device.location;
  const items = [...bookings, ...events].filter(endsAfter(now)).sort(compareByStart);
  const isCurrent = hasBegun(now);
  const current = items.find(isCurrent) ?? null;
  const today = toLocalDate(now, time_zone);
  return {
    current,
    busyUntil: current && getEndOfBusyTime(items, current),
    next: items.find((item) => !isCurrent(item)) ?? null,
    today: items.filter(
      (item) => isCurrent(item) || toLocalDate(item.starts_at, time_zone) === today,
    ),
  };
}

function getEndOfBusyTime(items: ScheduledItem[], current: ScheduledItem): string {
  let end = current.ends_at;
  for (const { starts_at, ends_at } of items) {
    if (starts_at <= end && ends_at > end) end = ends_at;
  }
  return end;
}

interface EventDay {
  day: string;
  events: DisplayedEvent[];
}

/** Groups current and upcoming events by local day. An event that began before today belongs to today. */
export function groupEventsByDay({ events, device }: DisplayState, now: Date): EventDay[] {
  const { time_zone } = device.location;
  const today = toLocalDate(now, time_zone);
  const days = new Map<string, DisplayedEvent[]>();
  for (const event of events.filter(endsAfter(now)).sort(compareByStart)) {
    const day = [today, toLocalDate(event.starts_at, time_zone)].sort().at(-1) ?? today;
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days].map(([day, ofDay]) => ({ day, events: ofDay }));
}

/**
 * Returns today's current and later bookings, and tomorrow's once all of today's have begun. Leaves out bookings of which the
 * location shows nothing.
 */
export function getExpectedGuests(
  { bookings, device }: DisplayState,
  now: Date,
): { today: DisplayedBooking[]; tomorrow: DisplayedBooking[] } {
  const { time_zone } = device.location;
  const day = toLocalDate(now, time_zone);
  const upcoming = bookings
    .filter(({ host }) => host !== null)
    .filter(endsAfter(now))
    .sort(compareByStart);
  const today = upcoming.filter(({ starts_at }) => toLocalDate(starts_at, time_zone) <= day);
  const tomorrow = upcoming.filter(
    ({ starts_at }) => toLocalDate(starts_at, time_zone) === addDays(day, 1),
  );
  return { today, tomorrow: today.every(hasBegun(now)) ? tomorrow : [] };
}

/** Returns the announcements to show now, newest first. */
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

const endsAfter = (now: Date) => (item: ScheduledItem) => new Date(item.ends_at) > now;
const hasBegun = (now: Date) => (item: ScheduledItem) => new Date(item.starts_at) <= now;
const compareByStart = (a: ScheduledItem, b: ScheduledItem) =>
  a.starts_at.localeCompare(b.starts_at);

export interface OpeningState {
  isOpen: boolean;
  /** Null if the location is closed or does not close soon. */
  closesAt: string | null;
  /** Null if the location is open or the next opening is unknown. */
  opensAt: string | null;
}

const ALWAYS_OPEN: OpeningState = { isOpen: true, closesAt: null, opensAt: null };

/** Returns whether the location is open now. A snapshot without hours, or one that is too old, counts as open. */
export function getOpeningState(snapshot: DisplaySnapshot, now: Date): OpeningState {
  const { opening } = snapshot.state.content;
  if (!opening || !isSnapshotValid(snapshot, now)) return ALWAYS_OPEN;
  const periods = opening.filter(
    ({ closes_at }) => closes_at === null || new Date(closes_at) > now,
  );
  const hasOpened = (opensAt: string | null) => opensAt === null || new Date(opensAt) <= now;
  const current = periods.find(({ opens_at }) => hasOpened(opens_at));
  if (current) return { ...ALWAYS_OPEN, closesAt: current.closes_at };
  return { isOpen: false, closesAt: null, opensAt: periods[0]?.opens_at ?? null };
}
