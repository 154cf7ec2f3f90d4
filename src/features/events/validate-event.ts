import { isDeepStrictEqual } from 'node:util';
import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { ErrorReason } from '../../core/error-reasons.ts';
import { isUuid } from '../../core/ids.ts';
import { formatTimeRange } from '../../core/time/format.ts';
import { type Instant, toInstant } from '../../core/time/instant.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import type { Event } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { getLocation, getResource, type Location } from '../spaces/service.ts';

const MAX_EVENT_DAYS = 366;
const MAX_YEARS_AHEAD = 10;

/** Throws VALIDATION for what can be no event's time. */
export function validateEventTimes(
  { startsAt, endsAt }: Pick<Event, 'startsAt' | 'endsAt'>,
  now: Date,
) {
  if (endsAt <= startsAt)
    throw invalidEvent('ENDS_BEFORE_START', 'The event ends before it begins. Choose a later end.');
  if (+endsAt - +startsAt > MAX_EVENT_DAYS * DAY_MS)
    throw invalidEvent(
      'TOO_LONG',
      `An event lasts at most ${MAX_EVENT_DAYS} days. Choose an earlier end.`,
    );
  if (Math.abs(+startsAt - +now) > MAX_YEARS_AHEAD * 366 * DAY_MS)
    throw invalidEvent(
      'TOO_FAR_AHEAD',
      `An event begins within ${MAX_YEARS_AHEAD} years. Choose another date.`,
    );
}

/** Throws NOT_FOUND for the location or the room, VALIDATION for a room that is elsewhere. */
export async function validateEventLocation(
  ctx: Context,
  {
    locationId,
    resourceId,
  }: Pick<Event, 'locationId'> & { resourceId?: string | null | undefined },
): Promise<Location> {
  const place = await getLocation(ctx, locationId);
  if (resourceId == null) return place;
  const room = await getResource(ctx, resourceId);
  if (room.location.id === place.id) return place;
  throw invalidEvent(
    'RESOURCE_ELSEWHERE',
    `resourceId: ${room.name} is not at ${place.name}. Choose one that is there, or none.`,
  );
}

const invalidEvent = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });

/** What has the room already, as far as the viewer may know. */
interface RoomConflict {
  startsAt: Instant;
  endsAt: Instant;
  bookingId: string | null;
  eventId: string | null;
  title: string | null;
  holder: string | null;
}

interface RoomConflictRow {
  kind: 'booking' | 'event';
  id: string;
  startsAt: Date;
  endsAt: Date;
  title: string | null;
  holder: string | null;
}

const MAX_ROOM_CONFLICTS = 20;
const MAX_CONFLICTS_IN_MESSAGE = 3;

/**
 * Throws CONFLICT, reason SLOT_TAKEN, with what has the event's room at its time: live bookings, before which the
 * room's buffer is kept free, and published events. What comes while one looks, the database refuses.
 */
export async function assertRoomFree(
  ctx: Context,
  event: Pick<Event, 'id' | 'resourceId' | 'startsAt' | 'endsAt'>,
): Promise<void> {
  if (event.resourceId === null) return;
  const found = await findRoomConflicts(ctx, event);
  if (found.length === 0) return;
  const room = await getResource(ctx, event.resourceId);
  const knowsBookings = canSeeAll(ctx.viewer, 'bookings:read');
  const known = found.map((one) =>
    one.kind === 'event' || knowsBookings ? one : { ...one, title: null, holder: null },
  );
  const told = known
    .slice(0, MAX_CONFLICTS_IN_MESSAGE)
    .map(
      (one) => `${describeRoomConflict(one)}, ${formatConflictTime(one, room.location.timeZone)}`,
    );
  const more = known.length > MAX_CONFLICTS_IN_MESSAGE ? ', and others' : '';
  throw new DomainError(
    'CONFLICT',
    `${room.name} is taken by ${told.join('; by ')}${more}. Choose another time or another room.`,
    { reason: 'SLOT_TAKEN', collisions: known.map((one) => toRoomConflict(one, knowsBookings)) },
  );
}

const findRoomConflicts = (
  { db }: Context,
  { id, resourceId, startsAt, endsAt }: Pick<Event, 'id' | 'resourceId' | 'startsAt' | 'endsAt'>,
) => db.$queryRaw<RoomConflictRow[]>`
  SELECT * FROM (
    SELECT 'booking' AS kind, b.id, b.starts_at AS "startsAt", b.ends_at AS "endsAt", b.title,
      coalesce(b.guest_name, m.name) AS holder
    FROM bookings b JOIN resources r ON r.id = b.resource_id LEFT JOIN members m ON m.id = b.member_id
    WHERE b.resource_id = ${resourceId}::uuid AND b.status IN ('pending', 'confirmed')
      AND tstzrange(b.starts_at, b.occupied_until)
        && tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz + r.buffer_minutes * interval '1 minute')
    UNION ALL
    SELECT 'event', e.id, e.starts_at, e.ends_at, e.title, NULL FROM events e
    WHERE e.resource_id = ${resourceId}::uuid AND e.status = 'published' AND e.id <> ${id}::uuid
      AND tstzrange(e.starts_at, e.ends_at) && tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz)) found
  ORDER BY "startsAt", id LIMIT ${MAX_ROOM_CONFLICTS}`;

function describeRoomConflict({ kind, title, holder }: RoomConflictRow): string {
  const name = title === null ? '' : ` "${title}"`;
  if (kind === 'event') return `the event${name}`;
  return `${name === '' ? 'a booking' : `the booking${name}`}${holder === null ? '' : ` of ${holder}`}`;
}

const formatConflictTime = ({ startsAt, endsAt }: RoomConflictRow, timeZone: string) =>
  formatTimeRange(startsAt.getTime(), endsAt.getTime(), timeZone);

const toRoomConflict = (
  { kind, id, startsAt, endsAt, title, holder }: RoomConflictRow,
  knowsBookings: boolean,
): RoomConflict => ({
  startsAt: toInstant(startsAt),
  endsAt: toInstant(endsAt),
  bookingId: kind === 'booking' && knowsBookings ? id : null,
  eventId: kind === 'event' ? id : null,
  title,
  holder,
});

/** Until the transaction ends nobody else changes the event, nor sells a ticket to it. Throws NOT_FOUND. */
export async function lockEvent({ db }: Context, id: string): Promise<Event> {
  if (!isUuid(id)) throw notFound('event');
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const event = await db.event.findUnique({ where: { id } });
  if (event === null) throw notFound('event');
  return event;
}

/** The same for an event that may still be changed. Throws CONFLICT, reason EVENT_CANCELLED, too. */
export async function lockEditableEvent(ctx: Context, id: string): Promise<Event> {
  const event = await lockEvent(ctx, id);
  if (event.status === 'cancelled') {
    throw new DomainError('CONFLICT', 'The event is cancelled. Make a new one instead.', {
      reason: 'EVENT_CANCELLED',
    });
  }
  return event;
}

/** Changes to something stored: what is missing or undefined stays. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** Those that make a difference, so that nothing is asked of the database but that. */
export const pickChanged = <T extends object>(stored: T, changes: Changes<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([key, value]) => value !== undefined && !isDeepStrictEqual(stored[key as keyof T], value),
    ),
  ) as Partial<T>;

/** Whether the database refused to let there be fewer than are sold and held. */
export const isBelowSoldError = (error: unknown) =>
  error instanceof Error &&
  JSON.stringify([error.message, error.cause, error]).includes('_never_oversold');
