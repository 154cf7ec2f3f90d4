import { Agent } from 'node:http';
import type { Database } from '../../src/db/database.ts';
import {
  type BookingRace,
  type BookingRaceResult,
  countOverlaps,
  createGraphqlSender,
  dropOverlapConstraint,
  raceForBookings,
} from '../support/clients/booking-race.ts';
import {
  type BookingRaceStage,
  createBookingRace,
  type PlanHours,
} from '../support/factories/race-stages.ts';
import { NOW } from '../support/factories/seed.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { serveDatabase } from '../support/harness/app.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import { waitUntilBlockedOrSettled } from '../support/harness/lock-waits.ts';

const ATTEMPTS = 1_500;
const CONTROL_ATTEMPTS = 300;
const MAX_MS = 45_000;
const MIN_ATTEMPTS = 200;
const CONNECTIONS = 32;
const INCLUDED_HOURS = 10;
const LIMIT_HOURS = 15;
const TOMORROW = new Date('2026-03-19T08:00:00Z');

interface Arena extends BookingRaceStage {
  stored: TestDatabase;
  url: string;
  close(): Promise<void>;
}

const opened: Arena[] = [];
afterEach(async () => {
  for (const openArena of opened.splice(0)) await openArena.close();
});

const HOURS: PlanHours = { includedHours: INCLUDED_HOURS, limitHours: LIMIT_HOURS };

/** Opens a database with `rooms` rooms. */
async function openArena(
  rooms: number,
  hours = HOURS,
  change?: (stored: TestDatabase) => Promise<unknown>,
) {
  const stored = await openTestDatabase();
  await change?.(stored);
  const stage = await createBookingRace(stored.database, hours, rooms);
  const { url, close } = await serveDatabase(stored.database, () => NOW);
  const created: Arena = { ...stage, stored, url, close: () => close().then(stored.close) };
  opened.push(created);
  return created;
}

const createRace = ({ url, token, resourceIds }: Arena, attempts: number): BookingRace => ({
  urls: [url],
  token,
  resourceIds,
  from: TOMORROW,
  attempts,
  connections: CONNECTIONS,
  maxMs: MAX_MS,
});

describe('concurrent bookings, reschedules and cancellations in the same few hours', () => {
  it('never overlap, and rejected requests get alternatives', async () => {
    const stage = await openArena(3);
    const tally: BookingRaceResult = await raceForBookings(createRace(stage, ATTEMPTS));
    expect(await countOverlaps(stage.stored.database)).toBe(0);
    expect(tally).toMatchObject({ overlaps: 0, withoutAlternative: 0, errors: new Map() });
    expect(tally.attempts).toBeGreaterThan(MIN_ATTEMPTS);
    expect(tally.succeeded).toBeGreaterThan(tally.attempts / 20);
    expect(tally.rejected).toBeGreaterThan(tally.attempts / 4);
  });

  it('overlap without the constraint (negative control)', async () => {
    const stage = await openArena(3, HOURS, ({ database }) => dropOverlapConstraint(database));
    const tally = await raceForBookings(createRace(stage, CONTROL_ATTEMPTS));
    expect((await countOverlaps(stage.stored.database)) + tally.overlaps).toBeGreaterThan(0);
  });
});

describe('people who book any free room at once', () => {
  const ROOMS = 12;
  const PEOPLE = 30;
  const BOOK_ANY =
    'mutation ($input: BookAnyResourceInput!) { changed: bookAnyResource(input: $input) { booking { id } } }';

  async function bookAll({ stored, url, token }: Arena) {
    const agent = new Agent({ keepAlive: true, maxSockets: PEOPLE });
    const { id: locationId } = await stored.database.prisma.location.findFirstOrThrow();
    const send = createGraphqlSender({ urls: [url], token }, agent, 0);
    const times = {
      startsAt: TOMORROW.toISOString(),
      endsAt: new Date(TOMORROW.getTime() + 3_600_000).toISOString(),
    };
    const responses = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => {
        const guest = { name: `Guest ${String.fromCharCode(65 + n)}` };
        return send(BOOK_ANY, { input: { locationId, type: 'ROOM', guest, ...times } });
      }),
    );
    agent.destroy();
    const rejected = responses.flatMap(({ error }) => (error ? [error] : []));
    return { booked: PEOPLE - rejected.length, rejected };
  }

  it('get all rooms, one each, and the others learn that none is free', async () => {
    const stage = await openArena(ROOMS);
    const { booked, rejected } = await bookAll(stage);
    expect(rejected.map(({ message }) => message)).toEqual(
      Array(PEOPLE - ROOMS).fill('No room is free at that time. Choose another time.'),
    );
    expect(booked).toBe(ROOMS);
    expect(await countOverlaps(stage.stored.database)).toBe(0);
  });

  it('share rooms without the constraint (negative control)', async () => {
    const stage = await openArena(ROOMS, HOURS, ({ database }) => dropOverlapConstraint(database));
    await bookAll(stage);
    expect(await countOverlaps(stage.stored.database)).toBeGreaterThan(0);
  });
});

describe('two bookings of a room that swap slots concurrently', () => {
  it('keep one slot each', async () => {
    const stage = await openArena(1);
    const agent = new Agent({ keepAlive: true });
    const send = createGraphqlSender({ urls: [stage.url], token: stage.token }, agent, 0);
    const hour = 3_600_000;
    const slot = (n: number) => ({
      startsAt: new Date(TOMORROW.getTime() + 2 * n * hour).toISOString(),
      endsAt: new Date(TOMORROW.getTime() + (2 * n + 1) * hour).toISOString(),
    });
    const ids = await Promise.all(
      [0, 1].map(async (n) => {
        const input = { resourceId: stage.resourceIds[0], ...slot(n), guest: { name: 'Gisa' } };
        const { booking } = await send(CREATE, { input });
        return booking?.id;
      }),
    );
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all(
        ids.map((id, n) => send(MOVE, { id, ...slot((n + round + 1) % 2) })),
      );
      for (const { error } of responses) {
        if (error) expect(error).toMatchObject({ code: 'CONFLICT', reason: 'SLOT_TAKEN' });
      }
      expect(await countOverlaps(stage.stored.database)).toBe(0);
    }
    agent.destroy();
  });
});

describe('a member who books many rooms concurrently', () => {
  it('gets the included hours once and never exceeds the limit', async () => {
    const stage = await openArena(30);
    const { included, booked, rejections } = await bookEverything(stage, stage.url);
    expect(included).toBe(INCLUDED_HOURS * 60);
    expect(booked).toBe(LIMIT_HOURS * 60);
    for (const error of rejections) expect(error).toMatch(/allows \d+ hours of room bookings/);
  });

  it('gets too many hours without the lock on the membership (negative control)', async () => {
    // Both read the included hour before either uses it.
    const stage = await openArena(2, { includedHours: 1, limitHours: 2 });
    const { url, close } = await serveDatabase(withoutLocks(stage.stored.database), () => NOW);
    const { included } = await bookEverything(stage, url);
    await close();
    expect(included).toBe(2 * 60);
  });
});

describe('a member whose next membership begins while a booking is evaluated', () => {
  const INCLUDED = { includedHours: 1, limitHours: null };

  /**
   * Books a room twice. The membership with the included hour begins after the first evaluation of one booking. The other booking is
   * sent when that one is about to be inserted.
   */
  async function bookWithNextMembership(locks: 'all' | 'first') {
    const stage = await openArena(2, INCLUDED);
    const [first = '', second = ''] = stage.resourceIds;
    const other = { response: Promise.resolve() };
    const hooked = hookStatements(stage.stored.database, {
      skipsLock: (count) => locks === 'first' && count > 1,
      beforeLock: (count) => (count === 1 ? startNextMembership(stage) : undefined),
      beforeInsert: async () => {
        other.response = bookOne(stage, stage.url, second);
        await waitUntilBlockedOrSettled(stage.stored.database.pool, other.response);
      },
    });
    const { url, close } = await serveDatabase(hooked, () => NOW);
    await bookOne(stage, url, first);
    await other.response;
    await close();
    const { rows } = await stage.stored.database.pool.query(
      'SELECT included_minutes AS included FROM bookings ORDER BY 1',
    );
    return rows.map(({ included }) => included);
  }

  it('uses its included hour once', async () => {
    expect(await bookWithNextMembership('all')).toEqual([0, 60]);
  });

  it('uses it twice if only the first membership is locked (negative control)', async () => {
    expect(await bookWithNextMembership('first')).toEqual([60, 60]);
  });
});

/** Ends the membership of the member today, and starts one of the same plan tomorrow. */
async function startNextMembership({ stored, memberId }: Arena): Promise<void> {
  const { pool } = stored.database;
  await pool.query(`UPDATE memberships SET ends_on = '2026-03-18'`);
  await pool.query(
    `INSERT INTO memberships (id, member_id, plan_id, starts_on)
      SELECT gen_random_uuid(), $1, id, '2026-03-19' FROM plans`,
    [memberId],
  );
}

async function bookOne({ token, memberId }: Arena, url: string, resourceId: string) {
  const span = { starts_at: TOMORROW, ends_at: '2026-03-19T09:00:00Z' };
  const response = await fetch(`${url}/bookings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resource_id: resourceId, member_id: memberId, ...span }),
  });
  expect(response.status).toBe(201);
}

interface StatementHooks {
  /** Called with the number of the lock, from 1. */
  skipsLock(count: number): boolean;
  beforeLock(count: number): Promise<void> | undefined;
  beforeInsert(): Promise<void>;
}

/** The same database with hooks before its locks on memberships and before the insertion of a booking. */
function hookStatements(database: Database, hooks: StatementHooks): Database {
  let locks = 0;
  const prisma = database.prisma.$extends({
    query: {
      $queryRaw: async ({ args, query }) => {
        if (!args.sql.includes('FROM memberships')) return query(args);
        locks += 1;
        await hooks.beforeLock(locks);
        return hooks.skipsLock(locks) ? [] : query(args);
      },
      $queryRawUnsafe: async ({ args, query }) => {
        if (String(args[0]).includes('INSERT INTO bookings')) await hooks.beforeInsert();
        return query(args);
      },
    },
  });
  return { ...database, prisma: prisma as unknown as Database['prisma'] };
}

const CREATE =
  'mutation ($input: CreateBookingInput!) { changed: createBooking(input: $input) { booking { id } } }';
const MOVE = `mutation ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
  changed: rescheduleBooking(input: { id: $id, startsAt: $startsAt, endsAt: $endsAt }) { booking { id } } }`;

/**
 * Books an hour of every room concurrently. Each request has a key, so that all are in a transaction before they reach the
 * membership, where only its lock makes them wait.
 */
async function bookEverything({ stored, token, resourceIds, memberId }: Arena, url: string) {
  const responses = await Promise.all(
    resourceIds.map(async (resourceId) => {
      const span = { starts_at: TOMORROW, ends_at: '2026-03-19T09:00:00Z' };
      const response = await fetch(`${url}/bookings`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': resourceId,
        },
        body: JSON.stringify({ resource_id: resourceId, member_id: memberId, ...span }),
      });
      return { status: response.status, data: ((await response.json()) as { data: unknown }).data };
    }),
  );
  const { rows } = await stored.database.pool.query(`
    SELECT sum(included_minutes)::int AS included,
      (sum(extract(epoch FROM ends_at - starts_at)) / 60)::int AS booked FROM bookings`);
  const rejections = responses.flatMap(({ status, data }) =>
    status === 201 ? [] : [String(data)],
  );
  return { ...rows[0], rejections } as { included: number; booked: number; rejections: string[] };
}

/** The same database without the lock on memberships. Two bookings are evaluated before either is inserted. */
function withoutLocks(database: Database): Database {
  const meeting = { before: 'INSERT INTO bookings', count: 2 };
  const met = rewriteTransactions(database, (text) => text, meeting);
  const prisma = met.prisma.$extends({
    query: {
      $queryRaw: ({ args, query }) =>
        args.sql.includes('FOR NO KEY UPDATE') ? Promise.resolve([]) : query(args),
    },
  });
  return { ...met, prisma: prisma as unknown as Database['prisma'] };
}
