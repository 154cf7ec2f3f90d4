import { Agent, request } from 'node:http';
import type { Database } from '../../src/db/database.ts';

export interface Doorstep {
  locationId: string;
  /** Of another location, without a limit. */
  elsewhereId: string;
  /** For what runs now at the location. */
  tickets: string[];
  /** Of members, all different. */
  members: string[];
}

export interface Wanted {
  /** As many as come, if left out. */
  capacity?: number;
  members?: number;
  tickets?: number;
}

/** A house that holds so many, one more house, so many members, and tickets for what runs now. */
export async function setDoorstep(
  { pool }: Pick<Database, 'pool'>,
  { capacity, members = 0, tickets = 0 }: Wanted,
): Promise<Doorstep> {
  const { rows } = await pool.query(
    `WITH l AS (INSERT INTO locations (id, slug, name, time_zone, capacity, updated_at)
        VALUES (gen_random_uuid(), 'arena', 'Arena', 'Europe/Berlin', $1, now()) RETURNING id),
      away AS (INSERT INTO locations (id, slug, name, time_zone, updated_at)
        VALUES (gen_random_uuid(), 'annexe', 'Annexe', 'Europe/Berlin', now()) RETURNING id),
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
    SELECT l.id AS "locationId", away.id AS "elsewhereId" FROM l, away`,
    [capacity ?? null, members, tickets],
  );
  return {
    ...rows[0],
    tickets: Array.from({ length: tickets }, (_, n) => `TICKET${n + 1}`),
    members: Array.from({ length: members }, (_, n) => `MEMBER${n + 1}`),
  };
}

export interface Arrival {
  location_id: string;
  code: string;
  scan_id?: string;
  leaving?: boolean;
}

export interface ArrivalTally {
  /** How often each result was answered. */
  results: Record<string, number>;
  /** Whatever else was answered, a few of each. */
  errors: Map<string, number>;
  /** The ids that admissions were given. */
  ids: string[];
  ms: number;
  /** How long each waited for its answer, the shortest first. */
  waits: number[];
}

/** All of them at once, over so many connections. With a key each is a transaction of its own from the start. */
export async function arriveAll(
  urls: string[],
  arrivals: Arrival[],
  { connections, named = false }: { connections: number; named?: boolean },
): Promise<ArrivalTally> {
  const tally: ArrivalTally = { results: {}, errors: new Map(), ids: [], ms: 0, waits: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  try {
    await Promise.all(
      arrivals.map(async (arrival, n) => {
        const begun = performance.now();
        const url = urls[n % urls.length] ?? '';
        const { status, data } = await scan(
          agent,
          url,
          arrival,
          named ? `arrival-${n}` : undefined,
        );
        tally.waits.push(performance.now() - begun);
        const told = typeof data === 'object' ? data.check_in : null;
        if (!told || status !== (told.result === 'admitted' ? 201 : 200)) {
          const what = `${status} ${JSON.stringify(data)}`;
          tally.errors.set(what, (tally.errors.get(what) ?? 0) + 1);
          return;
        }
        tally.results[told.result] = (tally.results[told.result] ?? 0) + 1;
        if (told.id) tally.ids.push(told.id);
      }),
    );
  } finally {
    agent.destroy();
  }
  tally.ms = performance.now() - started;
  tally.waits.sort((a, b) => a - b);
  return tally;
}

type Data = { check_in: { id: string | null; result: string } } | string;

const scan = (agent: Agent, url: string, arrival: Arrival, key: string | undefined) =>
  new Promise<{ status: number; data: Data }>((resolve, reject) => {
    const text = JSON.stringify(arrival);
    const req = request(`${url}/public/check-ins`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(key ? { 'idempotency-key': key } : {}),
      },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: res.statusCode ?? 0, data });
      });
    });
    req.end(text);
  });

/** What the database says of a location: the counter, the open visits, how often anybody was admitted, all attempts. */
export async function visitsAt({ pool }: Pick<Database, 'pool'>, locationId: string) {
  const { rows } = await pool.query(
    `SELECT (SELECT present FROM occupancies WHERE location_id = $1::uuid) AS present,
      count(*) FILTER (WHERE result = 'admitted' AND checked_out_at IS NULL)::int AS open,
      count(*) FILTER (WHERE result = 'admitted')::int AS admitted, count(*)::int AS attempts
    FROM check_ins WHERE location_id = $1::uuid`,
    [locationId],
  );
  return rows[0] as { present: number; open: number; admitted: number; attempts: number };
}
