import type { Database } from '../../src/db/database.ts';
import { arriveAll, setDoorstep, visitsAt, type Wanted } from '../support/arrivals.ts';
import { openTestDatabase } from '../support/database.ts';
import { serveOver } from '../support/race-stage.ts';
import { serverUrl } from '../support/templates.ts';

// The embedded database has one connection, and everybody waits for it: there nothing races, and what is shown is only that
// many who ask at once are all answered right. The races, and what happens without each guard, are shown on PostgreSQL.
const AT_ONCE = serverUrl ? 'at once' : 'at once, one after the other in the embedded database';
const ARRIVALS = serverUrl ? 250 : 60;
const CAPACITY = serverUrl ? 50 : 20;
const CONNECTIONS = 64;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Seen = (database: Database) => Database | Promise<Database>;

/** A house in a database of its own, and who asks for it. `seen` is what the service has of the database. */
async function doorstep(wanted: Wanted, seen: Seen = (database) => database) {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const stage = await setDoorstep(database, wanted);
  const service = await serveOver(await seen(database), () => new Date());
  closing.push(service.close);
  return { ...stage, urls: [service.url], database };
}

interface Race {
  /** Each in the transaction of its key. */
  named: boolean;
  seen?: Seen;
  /** Tickets, or room. */
  of?: number;
  arrivals?: number;
}

/** The same tickets, scanned at every gate at once. */
async function scanTickets({ named, seen, of: tickets = 1, arrivals: count = ARRIVALS }: Race) {
  const { urls, locationId, database, ...stage } = await doorstep({ tickets }, seen);
  const arrivals = Array.from({ length: count }, (_, n) => ({
    location_id: locationId,
    code: stage.tickets[Math.floor((n * tickets) / count)] as string,
  }));
  const tally = await arriveAll(urls, arrivals, { connections: CONNECTIONS, named });
  return { tally, books: await visitsAt(database, locationId) };
}

/** More members than there is room for. */
async function fillHouse({
  named,
  seen,
  of: capacity = CAPACITY,
  arrivals: count = ARRIVALS,
}: Race) {
  const wanted = { capacity, members: count };
  const { urls, locationId, members, database } = await doorstep(wanted, seen);
  const arrivals = members.map((code) => ({ location_id: locationId, code }));
  const tally = await arriveAll(urls, arrivals, { connections: CONNECTIONS, named });
  return { tally, books: await visitsAt(database, locationId) };
}

const WAYS = [
  ['each by itself', false],
  ['each in the transaction of its key', true],
] as const;

describe(`of ${ARRIVALS} scans of one ticket ${AT_ONCE}`, () => {
  it.each(WAYS)('one is admitted, and the others are told that it is in: %s', async (_, named) => {
    const { tally, books } = await scanTickets({ named });
    expect(tally.errors).toEqual(new Map());
    expect(tally.results).toEqual({ admitted: 1, already_in: ARRIVALS - 1 });
    expect(books).toEqual({ present: 1, open: 1, admitted: 1, attempts: ARRIVALS });
  });

  // In the embedded database one arrival waits for the other anyhow.
  if (serverUrl) {
    const many = { named: true, of: 25, arrivals: 200 };
    it('one is admitted even without the lock, by the unique index', async () => {
      const { books } = await scanTickets({ ...many, seen: lockless });
      expect(books).toMatchObject({ present: 25, open: 25, admitted: 25 });
    });
    it('several are admitted without the lock and the index', async () => {
      const { books } = await scanTickets({ ...many, seen: unguarded });
      expect(books.admitted).toBeGreaterThan(25);
    });
  }
});

describe(`of ${ARRIVALS} members who arrive ${AT_ONCE}, where ${CAPACITY} find room`, () => {
  it.each(WAYS)('exactly so many are admitted: %s', async (_, named) => {
    const { tally, books } = await fillHouse({ named });
    expect(tally.errors).toEqual(new Map());
    expect(tally.results).toEqual({ admitted: CAPACITY, capacity_full: ARRIVALS - CAPACITY });
    const [present, open, admitted] = [CAPACITY, CAPACITY, CAPACITY];
    expect(books).toEqual({ present, open, admitted, attempts: ARRIVALS });
  });

  if (serverUrl) {
    const some = { named: true, of: 40, arrivals: 160 };
    it('no more are admitted even without the lock, by the trigger that counts', async () => {
      const { books } = await fillHouse({ ...some, seen: lockless });
      expect(books).toMatchObject({ present: 40, admitted: 40 });
    });
    it('more are admitted without the lock and the trigger’s refusal', async () => {
      const { books } = await fillHouse({ ...some, seen: unguarded });
      expect(books.admitted).toBeGreaterThan(40);
    });
  }
});

describe(
  serverUrl ? 'at the same moment' : 'asked at the same moment, of the embedded database',
  () => {
    it('members who are told to be in two places are in one of them, and nobody waits in a circle', async () => {
      const { urls, locationId, elsewhereId, members, database } = await doorstep({ members: 8 });
      const arrivals = Array.from({ length: ARRIVALS }, (_, n) => ({
        location_id: n % 2 === 0 ? locationId : elsewhereId,
        code: members[Math.floor(n / 2) % members.length] as string,
      }));
      const { errors, results } = await arriveAll(urls, arrivals, { connections: CONNECTIONS });
      expect(errors).toEqual(new Map());
      expect((results.admitted ?? 0) + (results.already_in ?? 0)).toBe(ARRIVALS);
      const books = [await visitsAt(database, locationId), await visitsAt(database, elsewhereId)];
      expect(books.reduce((sum, { open }) => sum + open, 0)).toBe(members.length);
      for (const { open, present } of books) expect(present).toBe(open);
    });

    it('one scan that is sent often is one attempt, and has one answer', async () => {
      const { urls, locationId, members, database } = await doorstep({ members: 1 });
      const scan = { location_id: locationId, code: members[0] as string, scan_id: 'one' };
      const tally = await arriveAll(urls, Array(30).fill(scan), { connections: CONNECTIONS });
      expect(tally.results).toEqual({ admitted: 30 });
      expect(new Set(tally.ids).size).toBe(1);
      expect(await visitsAt(database, locationId)).toMatchObject({ attempts: 1, present: 1 });
    });

    it('who leaves makes room, and never for two', async () => {
      const { urls, locationId, members, database } = await doorstep({ capacity: 1, members: 6 });
      for (let round = 0; round < 3; round += 1) {
        const arrivals = members.flatMap((code) => [
          { location_id: locationId, code },
          { location_id: locationId, code, leaving: true },
        ]);
        const { errors } = await arriveAll(urls, arrivals, { connections: CONNECTIONS });
        expect(errors).toEqual(new Map());
        const { open, present } = await visitsAt(database, locationId);
        expect(open).toBeLessThanOrEqual(1);
        expect(present).toBe(open);
      }
    });
  },
);

/** The same database, but that nobody waits for a place. */
function lockless(database: Database): Database {
  const without = (text: unknown) => String(text).replaceAll('FOR UPDATE OF o', '');
  return {
    ...database,
    prisma: database.prisma.$extends({
      query: {
        $queryRawUnsafe: ({ args, query }) => query([without(args[0]), ...args.slice(1)]),
      },
    }) as unknown as Database['prisma'],
  };
}

/** And but that it knows no ticket twice and no house that is full. */
async function unguarded(database: Database): Promise<Database> {
  await database.pool.query(`
    DROP INDEX check_ins_ticket_id_entry_key; DROP INDEX check_ins_open_ticket_key;
    CREATE OR REPLACE FUNCTION maintain_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' AND NEW.result = 'admitted' AND NEW.checked_out_at IS NULL THEN
        UPDATE occupancies SET present = present + 1 WHERE location_id = NEW.location_id;
      END IF;
      RETURN NULL;
    END $$`);
  return lockless(database);
}
