import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/database.ts';
import { createApiToken } from '../../../src/features/tokens/service.ts';
import { createSystemContext } from './seed.ts';

export interface BookingRaceStage {
  token: string;
  resourceIds: string[];
  /** A member with a plan. */
  memberId: string;
}

/** Creates a location that is always open, with rooms and a member with a plan. */
export async function createBookingRace(
  database: Database,
  plan: PlanHours,
  rooms: number,
): Promise<BookingRaceStage> {
  const ctx: Context = createSystemContext(database);
  const { db } = ctx;
  const location = await db.location.create({
    data: { slug: 'arena', name: 'Arena', timeZone: 'Europe/Berlin', memberAdmission: 'all' },
  });
  const resources = await db.resource.createManyAndReturn({
    data: Array.from({ length: rooms }, (_, n) => ({
      locationId: location.id,
      slug: `room-${n}`,
      name: `Room ${n}`,
      type: 'room' as const,
      hourlyAmount: 1_200,
      minMinutes: 30,
      bufferMinutes: 15,
    })),
  });
  const member = await db.member.create({
    data: { name: 'Ben Okafor', email: 'ben@example.org', code: 'BEN' },
  });
  await db.plan.create({
    data: {
      name: 'Flex',
      benefits: { create: { resourceType: 'room', ...plan } },
      memberships: { create: { memberId: member.id, startsOn: new Date('2026-01-01') } },
    },
  });
  const { plainText } = await createApiToken(ctx, {
    name: 'race',
    scopes: ['bookings:read', 'bookings:write', 'members:read'],
  });
  return {
    token: plainText,
    resourceIds: resources.map(({ id }) => id),
    memberId: member.id,
  };
}

export interface PlanHours {
  includedHours: number;
  limitHours: number | null;
}

/** Creates a published event with one ticket type. */
export async function createSale(
  { pool }: Pick<Database, 'pool'>,
  quantity: number,
  startsAt: Date,
) {
  const { rows } = await pool.query(
    `WITH l AS (INSERT INTO locations (id, slug, name, time_zone, updated_at)
        VALUES (gen_random_uuid(), 'arena', 'Arena', 'Europe/Berlin', now()) RETURNING id),
      e AS (INSERT INTO events (id, slug, title, status, published_at, location_id, starts_at, ends_at, updated_at)
        SELECT gen_random_uuid(), 'big-night', 'Big night', 'published', now(), id, $2::timestamptz,
          $2::timestamptz + interval '4 hours', now() FROM l RETURNING id)
    INSERT INTO ticket_types (id, event_id, name, price_amount, quantity, updated_at)
    SELECT gen_random_uuid(), id, 'Standard', 1500, $1, now() FROM e RETURNING id`,
    [quantity, startsAt],
  );
  return { event: 'big-night', ticketTypeId: rows[0].id as string };
}

export interface BusyLocation {
  locationId: string;
  /** A location without a limit. */
  otherLocationId: string;
  /** For the current event at the location. */
  tickets: string[];
  /** Codes of members. */
  members: string[];
}

export interface BusyLocationOptions {
  /** Unlimited by default. */
  capacity?: number;
  members?: number;
  tickets?: number;
}

/** Creates a location with a capacity, another one, members, and tickets of a current event. */
export async function createBusyLocation(
  { pool }: Pick<Database, 'pool'>,
  { capacity, members = 0, tickets = 0 }: BusyLocationOptions,
): Promise<BusyLocation> {
  const { rows } = await pool.query(
    `WITH l AS (INSERT INTO locations (id, slug, name, time_zone, capacity, member_admission, updated_at)
        VALUES (gen_random_uuid(), 'arena', 'Arena', 'Europe/Berlin', $1, 'all', now()) RETURNING id),
      away AS (INSERT INTO locations (id, slug, name, time_zone, member_admission, updated_at)
        VALUES (gen_random_uuid(), 'annexe', 'Annexe', 'Europe/Berlin', 'all', now()) RETURNING id),
      e AS (INSERT INTO events (id, slug, title, status, published_at, location_id, starts_at, ends_at, updated_at)
        SELECT gen_random_uuid(), 'big-night', 'Big night', 'published', now(), id, now(), now() + interval '4 hours', now()
        FROM l RETURNING id),
      type AS (INSERT INTO ticket_types (id, event_id, name, updated_at)
        SELECT gen_random_uuid(), id, 'Standard', now() FROM e RETURNING id, event_id),
      o AS (INSERT INTO orders (id, code, status, event_id, buyer_name, buyer_email, currency, total_amount, paid_at, updated_at)
        SELECT gen_random_uuid(), 'ORDER', 'paid', id, 'Nora Lind', 'nora@example.org', 'EUR', 0, now(), now()
        FROM e RETURNING id),
      t AS (INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, unit_price,
          amount, updated_at)
        SELECT gen_random_uuid(), 'TICKET' || n, o.id, type.event_id, type.id, n, 'valid', 'Nora Lind', 0, 0, now()
        FROM o, type, generate_series(1, $3::int) n),
      m AS (INSERT INTO members (id, name, email, code, updated_at)
        SELECT gen_random_uuid(), 'Member ' || n, 'member-' || n || '@example.org', 'MEMBER' || n, now()
        FROM generate_series(1, $2::int) n)
    SELECT l.id AS "locationId", away.id AS "otherLocationId" FROM l, away`,
    [capacity ?? null, members, tickets],
  );
  return {
    ...rows[0],
    tickets: Array.from({ length: tickets }, (_, n) => `TICKET${n + 1}`),
    members: Array.from({ length: members }, (_, n) => `MEMBER${n + 1}`),
  };
}
