import { seesAll } from '../../../auth/viewer.ts';
import type { Ctx } from '../../../context.ts';
import type { Event } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { type Instant, instantOf } from '../../../values.ts';
import { stretch } from '../../bookings/policy/words.ts';
import { resource } from '../../spaces/service.ts';

/** What has the room already, as far as the viewer may know. */
interface RoomCollision {
  startsAt: Instant;
  endsAt: Instant;
  bookingId: string | null;
  eventId: string | null;
  title: string | null;
  holder: string | null;
}

interface Found {
  kind: 'booking' | 'event';
  id: string;
  startsAt: Date;
  endsAt: Date;
  title: string | null;
  holder: string | null;
}

const MOST_TOLD = 20;
const MOST_IN_WORDS = 3;

/**
 * Throws CONFLICT, reason SLOT_TAKEN, with what has the event's room at its time: live bookings, before which the
 * room's buffer is kept free, and published events. What comes while one looks, the database refuses.
 */
export async function refuseTakenRoom(
  ctx: Ctx,
  event: Pick<Event, 'id' | 'resourceId' | 'startsAt' | 'endsAt'>,
): Promise<void> {
  if (event.resourceId === null) return;
  const found = await inTheWay(ctx, event);
  if (found.length === 0) return;
  const room = await resource(ctx, event.resourceId);
  const knowsBookings = seesAll(ctx.viewer, 'bookings:read');
  const known = found.map((one) =>
    one.kind === 'event' || knowsBookings ? one : { ...one, title: null, holder: null },
  );
  const told = known
    .slice(0, MOST_IN_WORDS)
    .map((one) => `${inWords(one)}, ${when(one, room.location.timeZone)}`);
  const more = known.length > MOST_IN_WORDS ? ', and others' : '';
  throw new DomainError(
    'CONFLICT',
    `${room.name} is taken by ${told.join('; by ')}${more}. Choose another time or another room.`,
    { reason: 'SLOT_TAKEN', collisions: known.map((one) => collisionOf(one, knowsBookings)) },
  );
}

const inTheWay = (
  { db }: Ctx,
  { id, resourceId, startsAt, endsAt }: Pick<Event, 'id' | 'resourceId' | 'startsAt' | 'endsAt'>,
) => db.$queryRaw<Found[]>`
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
  ORDER BY "startsAt", id LIMIT ${MOST_TOLD}`;

function inWords({ kind, title, holder }: Found): string {
  const name = title === null ? '' : ` "${title}"`;
  if (kind === 'event') return `the event${name}`;
  return `${name === '' ? 'a booking' : `the booking${name}`}${holder === null ? '' : ` of ${holder}`}`;
}

const when = ({ startsAt, endsAt }: Found, timeZone: string) =>
  stretch(startsAt.getTime(), endsAt.getTime(), timeZone);

const collisionOf = (
  { kind, id, startsAt, endsAt, title, holder }: Found,
  knowsBookings: boolean,
): RoomCollision => ({
  startsAt: instantOf(startsAt),
  endsAt: instantOf(endsAt),
  bookingId: kind === 'booking' && knowsBookings ? id : null,
  eventId: kind === 'event' ? id : null,
  title,
  holder,
});
