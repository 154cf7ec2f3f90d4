import { createSecret } from '../../src/auth/tokens.ts';
import type { Database } from '../../src/db/database.ts';
import { checkInAll, countVisits } from '../support/clients/check-in-race.ts';
import { type BusyLocationOptions, createBusyLocation } from '../support/factories/race-stages.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { serveDatabase } from '../support/harness/app.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const ARRIVALS = 100;
const CAPACITY = 20;
const CONNECTIONS = 64;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Wrap = (database: Database) => Database | Promise<Database>;

/** Opens a database with a location. `wrap` can change the database of the service. */
async function openLocation(options: BusyLocationOptions, wrap: Wrap = (database) => database) {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const stage = await createBusyLocation(database, options);
  const service = await serveDatabase(await wrap(database), () => new Date());
  closing.push(service.close);
  return { ...stage, urls: [service.url], database };
}

interface Race {
  /** With a key, so that each runs in its own transaction. */
  withKeys: boolean;
  wrap?: Wrap;
  /** How many tickets there are, or how many people fit. */
  of?: number;
  arrivals?: number;
}

/** Scans the same tickets at every gate concurrently. */
async function scanTickets({ withKeys, wrap, of: tickets = 1, arrivals: count = ARRIVALS }: Race) {
  const { urls, locationId, database, ...stage } = await openLocation({ tickets }, wrap);
  const arrivals = Array.from({ length: count }, (_, n) => ({
    location_id: locationId,
    code: stage.tickets[Math.floor((n * tickets) / count)] as string,
  }));
  const tally = await checkInAll(urls, arrivals, { connections: CONNECTIONS, withKeys });
  return { tally, counts: await countVisits(database, locationId) };
}

/** More members than the capacity. */
async function fillLocation({
  withKeys,
  wrap,
  of: capacity = CAPACITY,
  arrivals: count = ARRIVALS,
}: Race) {
  const options = { capacity, members: count };
  const { urls, locationId, members, database } = await openLocation(options, wrap);
  const arrivals = members.map((code) => ({ location_id: locationId, code }));
  const tally = await checkInAll(urls, arrivals, { connections: CONNECTIONS, withKeys });
  return { tally, counts: await countVisits(database, locationId) };
}

const VARIANTS = [
  ['without keys', false],
  ['with a key and a transaction each', true],
] as const;

describe(`${ARRIVALS} concurrent scans of one ticket`, () => {
  it.each(VARIANTS)('admit one, and the others get already_in: %s', async (_, withKeys) => {
    const { tally, counts } = await scanTickets({ withKeys });
    expect(tally.errors).toEqual(new Map());
    expect(tally.results).toEqual({ admitted: 1, already_in: ARRIVALS - 1 });
    expect(counts).toEqual({
      present: 1,
      unconfirmed: 0,
      open: 1,
      admitted: 1,
      attempts: ARRIVALS,
    });
  });

  it('admit one per ticket even without the lock, because of the unique index', async () => {
    const many = { withKeys: true, of: 25, arrivals: 100 };
    const { counts } = await scanTickets({ ...many, wrap: withoutLocks });
    expect(counts).toMatchObject({ present: 25, open: 25, admitted: 25 });
  });
  it('admit two without the lock and the index (negative control)', async () => {
    const two = { withKeys: true, of: 1, arrivals: 2 };
    const { counts } = await scanTickets({ ...two, wrap: withoutGuards });
    expect(counts).toMatchObject({ present: 2, open: 2, admitted: 2 });
  });
});

describe(`${ARRIVALS} members who check in concurrently at a location for ${CAPACITY}`, () => {
  it.each(VARIANTS)('fill it exactly: %s', async (_, withKeys) => {
    const { tally, counts } = await fillLocation({ withKeys });
    expect(tally.errors).toEqual(new Map());
    expect(tally.results).toEqual({ admitted: CAPACITY, capacity_full: ARRIVALS - CAPACITY });
    const [present, open, admitted] = [CAPACITY, CAPACITY, CAPACITY];
    expect(counts).toEqual({ present, unconfirmed: 0, open, admitted, attempts: ARRIVALS });
  });

  it('fill it exactly even without the lock, because of the trigger', async () => {
    const many = { withKeys: true, of: 20, arrivals: 80 };
    const { counts } = await fillLocation({ ...many, wrap: withoutLocks });
    expect(counts).toMatchObject({ present: 20, admitted: 20 });
  });
  it('overfill it without the lock and the trigger (negative control)', async () => {
    const two = { withKeys: true, of: 1, arrivals: 2 };
    const { counts } = await fillLocation({ ...two, wrap: withoutGuards });
    expect(counts).toMatchObject({ present: 2, admitted: 2 });
  });
});

describe('concurrent check-ins by handle without pairing', () => {
  /** Members who check in by handle fill the location, before or while others check in by code. */
  async function fillUnconfirmed({ wrap, isBefore }: { wrap?: Wrap; isBefore: boolean }) {
    const options = { capacity: CAPACITY, members: 3 * CAPACITY };
    const { urls, locationId, members, database } = await openLocation(options, wrap);
    const handles = await createHandles(database, locationId, members.slice(0, 2 * CAPACITY));
    const byHandle = handles.map((handle) => ({ location_id: locationId, handle }));
    const byCode = members.slice(2 * CAPACITY).map((code) => ({ location_id: locationId, code }));
    const waves = isBefore
      ? [byHandle, byCode]
      : [byHandle.flatMap((one, n) => [one, ...byCode.slice(n, n + 1)])];
    for (const [n, wave] of waves.entries()) {
      const { errors } = await checkInAll(urls, wave, {
        ...{ connections: CONNECTIONS, withKeys: true, keyPrefix: `wave-${n}` },
      });
      expect(errors).toEqual(new Map());
    }
    return countVisits(database, locationId);
  }

  it('take no place from people with a code', async () => {
    expect(await fillUnconfirmed({ isBefore: true })).toMatchObject({
      ...{ present: CAPACITY, unconfirmed: CAPACITY, open: 2 * CAPACITY },
    });
    const mixed = await fillUnconfirmed({ isBefore: false });
    expect(mixed.present).toBe(CAPACITY);
    expect(mixed.unconfirmed).toBeLessThanOrEqual(CAPACITY);
    expect(mixed.open).toBe(mixed.present + mixed.unconfirmed);
  });

  it('fill it exactly even without the lock, because of the trigger', async () => {
    const counts = await fillUnconfirmed({ isBefore: true, wrap: withoutLocks });
    expect(counts).toMatchObject({ present: CAPACITY, unconfirmed: CAPACITY });
  });
  it('take all places if the trigger counts them like others (negative control)', async () => {
    const counts = await fillUnconfirmed({ isBefore: true, wrap: withOneCounter });
    expect(counts).toMatchObject({ present: CAPACITY, unconfirmed: 0, admitted: CAPACITY });
  });
});

describe('concurrent check-ins and check-outs', () => {
  it('leave members who check in at two locations at one of them, without deadlocks', async () => {
    const { urls, locationId, otherLocationId, members, database } = await openLocation({
      members: 8,
    });
    const arrivals = Array.from({ length: ARRIVALS }, (_, n) => ({
      location_id: n % 2 === 0 ? locationId : otherLocationId,
      code: members[Math.floor(n / 2) % members.length] as string,
    }));
    const { errors, results } = await checkInAll(urls, arrivals, { connections: CONNECTIONS });
    expect(errors).toEqual(new Map());
    expect((results.admitted ?? 0) + (results.already_in ?? 0)).toBe(ARRIVALS);
    const counts = [
      await countVisits(database, locationId),
      await countVisits(database, otherLocationId),
    ];
    expect(counts.reduce((sum, { open }) => sum + open, 0)).toBe(members.length);
    for (const { open, present } of counts) expect(present).toBe(open);
  });

  it('record a scan that is sent many times once', async () => {
    const { urls, locationId, members, database } = await openLocation({ members: 1 });
    const scan = { location_id: locationId, code: members[0] as string, scan_id: 'one' };
    const tally = await checkInAll(urls, Array(30).fill(scan), { connections: CONNECTIONS });
    expect(tally.results).toEqual({ admitted: 30 });
    expect(new Set(tally.ids).size).toBe(1);
    expect(await countVisits(database, locationId)).toMatchObject({ attempts: 1, present: 1 });
  });

  it('make room for one person per check-out', async () => {
    const { urls, locationId, members, database } = await openLocation({
      capacity: 1,
      members: 6,
    });
    for (let round = 0; round < 3; round += 1) {
      const arrivals = members.flatMap((code) => [
        { location_id: locationId, code },
        { location_id: locationId, code, leaving: true },
      ]);
      const { errors } = await checkInAll(urls, arrivals, { connections: CONNECTIONS });
      expect(errors).toEqual(new Map());
      const { open, present } = await countVisits(database, locationId);
      expect(open).toBeLessThanOrEqual(1);
      expect(present).toBe(open);
    }
  });
});

/** The same database without the lock on locations. */
const withoutLocks = (database: Database) => rewriteTransactions(database, withoutLock);

const withoutLock = (text: string) => text.replaceAll('FOR UPDATE OF o', '');

/**
 * Also without the unique index on tickets and the trigger for the capacity. Two check-ins read before either writes.
 */
async function withoutGuards(database: Database): Promise<Database> {
  await database.pool.query(`
    DROP INDEX check_ins_ticket_id_entry_key; DROP INDEX check_ins_open_ticket_key;
    CREATE OR REPLACE FUNCTION maintain_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' AND NEW.result = 'admitted' AND NEW.checked_out_at IS NULL THEN
        UPDATE occupancies SET present = present + 1 WHERE location_id = NEW.location_id;
      END IF;
      RETURN NULL;
    END $$`);
  return rewriteTransactions(database, withoutLock, { before: 'INSERT INTO check_ins', count: 2 });
}

/** With a trigger that does not distinguish unconfirmed visits. */
async function withOneCounter(database: Database): Promise<Database> {
  await database.pool.query(`
    CREATE OR REPLACE FUNCTION maintain_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' AND NEW.result = 'admitted' AND NEW.checked_out_at IS NULL THEN
        UPDATE occupancies o SET present = o.present + 1 FROM locations l
        WHERE o.location_id = NEW.location_id AND l.id = o.location_id AND o.present < l.capacity;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'the location is full'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'occupancies_never_over_capacity';
        END IF;
      END IF;
      RETURN NULL;
    END $$`);
  return database;
}

/** Handles of the members with these codes, as lookups return them. */
async function createHandles(
  { pool }: Database,
  locationId: string,
  codes: string[],
): Promise<string[]> {
  const secrets = codes.map(() => createSecret('lookupHandle'));
  await pool.query(
    `INSERT INTO lookup_handles (hash, lookup_id, location_id, member_id, address, exact, created_at, expires_at)
     SELECT one.hash, gen_random_uuid(), $1, m.id, '127.0.0.1', true, now(), now() + interval '2 minutes'
     FROM unnest($2::text[], $3::bytea[]) AS one(code, hash) JOIN members m ON m.code = one.code`,
    [locationId, codes, secrets.map(({ hash }) => Buffer.from(hash))],
  );
  return secrets.map(({ plainText }) => plainText);
}
