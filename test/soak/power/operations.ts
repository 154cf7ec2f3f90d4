import { addPrisma } from '../../../src/db/database.ts';
import { openEmbedded } from '../../../src/db/embedded/embedded-database.ts';
import { migrate } from '../../../src/db/migrations.ts';
import { createApiToken } from '../../../src/features/tokens/service.ts';
import { createBookingRace } from '../../support/factories/race-stages.ts';
import { createSystemContext } from '../../support/factories/seed.ts';

// Members, bookings, orders and check-ins over HTTP, several at once. Each response names a row that must then exist.

export interface OperationStage {
  token: string;
  memberId: string;
  locationId: string;
  resourceIds: string[];
  ticketTypeId: string;
}

/** A row that the service has acknowledged. */
export interface AcknowledgedRow {
  table: 'members' | 'bookings' | 'orders' | 'check_ins';
  id: string;
}

const EVENT = 'big-night';
const WORKERS = 8;
const ROOMS = 8;
const HOUR_MS = 3_600_000;

/** Creates a database with rooms, members with codes, and an event with free tickets. */
export async function createStage(dataDir: string, arrivals: number): Promise<OperationStage> {
  const database = addPrisma(await openEmbedded(dataDir, { fsync: false }));
  try {
    await migrate(database.pool);
    const plan = { includedHours: 1, limitHours: null };
    const { resourceIds, memberId } = await createBookingRace(database, plan, ROOMS);
    const { plainText } = await createApiToken(createSystemContext(database), {
      name: 'soak',
      scopes: ['*'],
    });
    const { rows } = await database.pool.query(
      `WITH members AS (INSERT INTO members (id, name, email, code, updated_at)
          SELECT gen_random_uuid(), 'Guest ' || n, 'guest-' || n || '@example.org', 'ARRIVAL' || n, now()
          FROM generate_series(0, $1::int) n),
        e AS (INSERT INTO events (id, slug, title, status, published_at, location_id, starts_at, ends_at, updated_at)
          SELECT gen_random_uuid(), $2, 'Big night', 'published', now(), id, now() + interval '9 days',
            now() + interval '10 days', now() FROM locations RETURNING id, location_id)
      INSERT INTO ticket_types (id, event_id, name, price_amount, quantity, updated_at)
      SELECT gen_random_uuid(), id, 'Free', 0, 100000, now() FROM e
      RETURNING id, (SELECT location_id FROM e) AS "locationId"`,
      [arrivals, EVENT],
    );
    const [ticketType] = rows;
    return {
      token: plainText,
      memberId,
      resourceIds,
      locationId: ticketType.locationId,
      ticketTypeId: ticketType.id,
    };
  } finally {
    await database.close();
  }
}

interface RequestOfOperation {
  path: string;
  body: object;
  table: AcknowledgedRow['table'];
  key: string;
}

function createRequest(n: number, stage: OperationStage): RequestOfOperation {
  const { memberId, locationId, resourceIds, ticketTypeId } = stage;
  const person = { name: `Person ${n}`, email: `person-${n}@example.org` };
  const turn = Math.floor(n / 4);
  switch (n % 4) {
    case 0:
      return { path: '/members', body: person, table: 'members', key: 'member' };
    case 1: {
      const day = new Date().setUTCHours(0, 0, 0, 0);
      const start = day + 24 * HOUR_MS + Math.floor(turn / ROOMS) * HOUR_MS;
      return {
        path: '/bookings',
        body: {
          resource_id: resourceIds[turn % ROOMS],
          starts_at: new Date(start).toISOString(),
          ends_at: new Date(start + HOUR_MS / 2).toISOString(),
          member_id: memberId,
          notes: `Notes ${'x'.repeat(300)}`,
        },
        table: 'bookings',
        key: 'booking',
      };
    }
    case 2:
      return {
        path: `/public/events/${EVENT}/orders`,
        body: { buyer: person, items: [{ ticket_type_id: ticketTypeId, quantity: 1 }] },
        table: 'orders',
        key: 'order',
      };
    default:
      return {
        path: '/public/check-ins',
        body: { location_id: locationId, code: `ARRIVAL${turn}` },
        table: 'check_ins',
        key: 'check_in',
      };
  }
}

/**
 * Sends the operations with these numbers, and returns the row of each that succeeded by its number. On a busy machine some can
 * fail.
 * @throws if most of them fail.
 */
export async function runOperations(
  url: string,
  stage: OperationStage,
  { from, to }: { from: number; to: number },
): Promise<Map<string, AcknowledgedRow>> {
  const rows = new Map<string, AcknowledgedRow>();
  const failures: string[] = [];
  let next = from;
  const work = async () => {
    while (next < to) {
      const n = next;
      next += 1;
      const { path, body, table, key } = createRequest(n, stage);
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.token}`,
          'content-type': 'application/json',
          'x-operation': String(n),
          'x-forwarded-for': `10.${n & 255}.${n >> 8}.1`,
        },
        body: JSON.stringify(body),
      });
      const { data } = (await response.json()) as { data: Record<string, { id: string }> };
      const id = data?.[key]?.id;
      if (response.status === 201 && id !== undefined) rows.set(String(n), { table, id });
      else failures.push(`${path}: ${response.status} ${JSON.stringify(data)}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  if (failures.length > rows.size) throw new Error(failures[0]);
  return rows;
}
