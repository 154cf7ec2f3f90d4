import { isDeepStrictEqual } from 'node:util';
import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { ErrorReason } from '../../core/error-reasons.ts';
import { isUuid } from '../../core/ids.ts';
import { formatLongTimeRange } from '../../core/time/format.ts';
import { DAY_MS, type Instant, toInstant } from '../../core/time/time-zone.ts';
import type { Event, Location } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { getLocation } from '../spaces/service/locations.ts';
import { getResource } from '../spaces/service/resources.ts';

const MAX_EVENT_DAYS = 366;
const MAX_YEARS_AHEAD = 10;

/** Checks the start and end of an event. @throws VALIDATION (ENDS_BEFORE_START, TOO_LONG or TOO_FAR_AHEAD). */
export function validateEventTimes(
  { startsAt, endsAt }: Pick<Event, 'startsAt' | 'endsAt'>,
  now: Date,
) {
  if (endsAt <= startsAt)
    throw invalidEvent(
      'ENDS_BEFORE_START',
      'endsAt',
      'The event ends before it starts. Choose a later end.',
    );
  if (+endsAt - +startsAt > MAX_EVENT_DAYS * DAY_MS)
    throw invalidEvent(
      'TOO_LONG',
      'endsAt',
      `Events can last at most ${MAX_EVENT_DAYS} days. Choose an earlier end.`,
    );
  if (Math.abs(+startsAt - +now) > MAX_YEARS_AHEAD * 366 * DAY_MS)
    throw invalidEvent(
      'TOO_FAR_AHEAD',
      'startsAt',
      `Events must start within ${MAX_YEARS_AHEAD} years. Choose another date.`,
    );
}

/**
 * Checks the location and room of an event and returns the location.
 *
 * @throws NOT_FOUND for an unknown location or room, VALIDATION (RESOURCE_ELSEWHERE) for a room at another location
 */
export async function validateEventLocation(
  ctx: Context,
  {
    locationId,
    resourceId,
  }: Pick<Event, 'locationId'> & { resourceId?: string | null | undefined },
): Promise<Location> {
  const location = await getLocation(ctx, locationId);
  if (resourceId == null) return location;
  const room = await getResource(ctx, resourceId);
  if (room.location.id === location.id) return location;
  throw invalidEvent(
    'RESOURCE_ELSEWHERE',
    'resourceId',
    `resourceId: ${room.name} is not at ${location.name}. Choose a room at this location, or none.`,
  );
}

const invalidEvent = (reason: ErrorReason, field: string, message: string) =>
  new DomainError('VALIDATION', message, { reason, fields: [field] });

/** A booking or event that occupies the room, without details that the viewer cannot see. */
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
 * Checks that the room of the event is free at its time. Active bookings, with their buffers, and published events occupy a
 * room. The database rejects conflicts that arise after this check.
 *
 * @throws CONFLICT (SLOT_TAKEN) with the conflicting bookings and events
 */
export async function assertRoomFree(
  ctx: Context,
  event: Pick<Event, 'id' | 'resourceId' | 'startsAt' | 'endsAt'>,
): Promise<void> {
  if (event.resourceId === null) return;
  const conflicts = await findRoomConflicts(ctx, event);
  if (conflicts.length === 0) return;
  const room = await getResource(ctx, event.resourceId);
  const canSeeBookings = canSeeAll(ctx.viewer, 'bookings:read');
  const visible = conflicts.map((conflict) =>
    conflict.kind === 'event' || canSeeBookings
      ? conflict
      : { ...conflict, title: null, holder: null },
  );
  const descriptions = visible
    .slice(0, MAX_CONFLICTS_IN_MESSAGE)
    .map(
      (conflict) =>
        `${describeRoomConflict(conflict)}, ${formatConflictTime(conflict, room.location.timeZone)}`,
    );
  const more = visible.length > MAX_CONFLICTS_IN_MESSAGE ? ', and others' : '';
  throw new DomainError(
    'CONFLICT',
    `${room.name} is not free: ${descriptions.join('; ')}${more}. Choose another time or room.`,
    {
      reason: 'SLOT_TAKEN',
      collisions: visible.map((conflict) => toRoomConflict(conflict, canSeeBookings)),
    },
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
      AND tstzrange(e.starts_at, e.ends_at) && tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz)) conflict
  ORDER BY "startsAt", id LIMIT ${MAX_ROOM_CONFLICTS}`;

function describeRoomConflict({ kind, title, holder }: RoomConflictRow): string {
  if (kind === 'event') return title === null ? 'the event' : `the event "${title}"`;
  const booking = title === null ? 'a booking' : `the booking "${title}"`;
  return holder === null ? booking : `${booking} of ${holder}`;
}

const formatConflictTime = ({ startsAt, endsAt }: RoomConflictRow, timeZone: string) =>
  formatLongTimeRange(startsAt.getTime(), endsAt.getTime(), timeZone);

const toRoomConflict = (
  { kind, id, startsAt, endsAt, title, holder }: RoomConflictRow,
  canSeeBookings: boolean,
): RoomConflict => ({
  startsAt: toInstant(startsAt),
  endsAt: toInstant(endsAt),
  bookingId: kind === 'booking' && canSeeBookings ? id : null,
  eventId: kind === 'event' ? id : null,
  title,
  holder,
});

/**
 * Locks an event until the transaction ends, so that others can neither change it nor sell its tickets.
 * @throws NOT_FOUND.
 */
export async function lockEvent({ db }: Context, id: string): Promise<Event> {
  if (!isUuid(id)) throw notFound('event');
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const event = await db.event.findUnique({ where: { id } });
  if (event === null) throw notFound('event');
  return event;
}

/** Locks an event that is not cancelled. @throws NOT_FOUND, and CONFLICT (EVENT_CANCELLED). */
export async function lockEditableEvent(ctx: Context, id: string): Promise<Event> {
  const event = await lockEvent(ctx, id);
  if (event.status === 'cancelled') {
    throw new DomainError('CONFLICT', 'The event is cancelled. Create a new event instead.', {
      reason: 'EVENT_CANCELLED',
    });
  }
  return event;
}

/** Changes to a stored row. Missing and undefined fields stay unchanged. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** Picks the fields that differ from the stored row, so that unchanged fields cause no checks or emails. */
export const pickChanged = <T extends object>(stored: T, changes: Changes<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([key, value]) => value !== undefined && !isDeepStrictEqual(stored[key as keyof T], value),
    ),
  ) as Partial<T>;

/** Whether a CHECK constraint rejected a capacity below the number of sold and held tickets. */
export const isBelowSoldError = (error: unknown) =>
  error instanceof Error &&
  JSON.stringify([error.message, error.cause, error]).includes('_never_oversold');
