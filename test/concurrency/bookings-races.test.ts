import { Agent } from 'node:http';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Stage, serveOver, setStage } from '../support/race-stage.ts';
import {
  asking,
  type Contest,
  dropConstraint,
  overlapsIn,
  race,
  type Tally,
} from '../support/races.ts';
import { NOW } from '../support/seed.ts';
import { serverUrl } from '../support/templates.ts';

// The embedded database has one connection, and everybody waits for it.
const ATTEMPTS = serverUrl ? 10_000 : 1_000;
const CONTROL_ATTEMPTS = serverUrl ? 1_000 : 300;
const LONGEST_MS = 45_000;
const FEWEST_ATTEMPTS = 200;
const CONNECTIONS = 32;
const INCLUDED_HOURS = 10;
const LIMIT_HOURS = 15;
const TOMORROW = new Date('2026-03-19T08:00:00Z');

interface Arena extends Stage {
  stored: TestDatabase;
  url: string;
  close(): Promise<void>;
}

const opened: Arena[] = [];
afterEach(async () => {
  for (const arena of opened.splice(0)) await arena.close();
});

/** A database of its own, with so many rooms. */
async function arena(rooms: number, change?: (stored: TestDatabase) => Promise<unknown>) {
  const stored = await openTestDatabase();
  await change?.(stored);
  const hours = { includedHours: INCLUDED_HOURS, limitHours: LIMIT_HOURS };
  const stage = await setStage(stored.database, hours, rooms);
  const { url, close } = await serveOver(stored.database, () => NOW);
  const made: Arena = { ...stage, stored, url, close: () => close().then(stored.close) };
  opened.push(made);
  return made;
}

const contest = ({ url, token, resourceIds }: Arena, attempts: number): Contest => ({
  urls: [url],
  token,
  resourceIds,
  from: TOMORROW,
  attempts,
  connections: CONNECTIONS,
  longestMs: LONGEST_MS,
});

describe('when many book, move and cancel in the same few hours at once', () => {
  it('nobody gets what another has, and who comes too late is told and shown other slots', async () => {
    const there = await arena(3);
    const tally: Tally = await race(contest(there, ATTEMPTS));
    expect(await overlapsIn(there.stored.database)).toBe(0);
    expect(tally).toMatchObject({ overlaps: 0, withoutAlternative: 0, errors: new Map() });
    expect(tally.attempts).toBeGreaterThan(FEWEST_ATTEMPTS);
    expect(tally.won).toBeGreaterThan(tally.attempts / 20);
    expect(tally.refused).toBeGreaterThan(tally.attempts / 4);
  });

  it('without the constraint the same race gives rooms out twice', async () => {
    const there = await arena(3, ({ database }) => dropConstraint(database));
    const tally = await race(contest(there, CONTROL_ATTEMPTS));
    expect((await overlapsIn(there.stored.database)) + tally.overlaps).toBeGreaterThan(0);
  });
});

describe('when two bookings of one room change places at once', () => {
  it('both keep one of the two slots', async () => {
    const there = await arena(1);
    const agent = new Agent({ keepAlive: true });
    const ask = asking({ urls: [there.url], token: there.token }, agent, 0);
    const hour = 3_600_000;
    const slot = (n: number) => ({
      startsAt: new Date(TOMORROW.getTime() + 2 * n * hour).toISOString(),
      endsAt: new Date(TOMORROW.getTime() + (2 * n + 1) * hour).toISOString(),
    });
    const ids = await Promise.all(
      [0, 1].map(async (n) => {
        const input = { resourceId: there.resourceIds[0], ...slot(n), guest: { name: 'Gisa' } };
        const { booking } = await ask(CREATE, { input });
        return booking?.id;
      }),
    );
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        ids.map((id, n) => ask(MOVE, { id, ...slot((n + round + 1) % 2) })),
      );
      for (const { refusal } of answers) {
        if (refusal) expect(refusal).toMatchObject({ code: 'CONFLICT', reason: 'SLOT_TAKEN' });
      }
      expect(await overlapsIn(there.stored.database)).toBe(0);
    }
    agent.destroy();
  });
});

describe('when a member books many rooms at once', () => {
  it('the plan gives out its hours once, and never more than its limit', async () => {
    const there = await arena(30);
    const { included, booked, refusals } = await bookEverything(there, there.url);
    expect(included).toBe(INCLUDED_HOURS * 60);
    expect(booked).toBe(LIMIT_HOURS * 60);
    for (const refusal of refusals) expect(refusal).toMatch(/allows \d+ hours of room bookings/);
  });

  // In the embedded database one transaction waits for the other anyhow.
  if (serverUrl) {
    it('without the lock on the membership it gives out too many', async () => {
      // Whether two meet is chance: it must happen in one of several rounds.
      let most = 0;
      for (let round = 0; round < 12 && most <= INCLUDED_HOURS * 60; round += 1) {
        const there = await arena(30);
        const { database } = there.stored;
        const lockless = { ...database, prisma: withoutLocks(database) };
        const { url, close } = await serveOver(lockless, () => NOW);
        most = Math.max(most, (await bookEverything(there, url)).included);
        await close();
      }
      expect(most).toBeGreaterThan(INCLUDED_HOURS * 60);
    });
  }
});

const CREATE = 'mutation ($input: BookingInput!) { booking: createBooking(input: $input) { id } }';
const MOVE = `mutation ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
  booking: rescheduleBooking(id: $id, startsAt: $startsAt, endsAt: $endsAt) { id } }`;

/**
 * An hour of every room, all asked for at the same moment. With a key each, so that all of them are in a transaction
 * before they come to the membership: there nothing but its lock makes them wait.
 */
async function bookEverything({ stored, token, resourceIds, memberId }: Arena, url: string) {
  const answers = await Promise.all(
    resourceIds.map(async (resourceId) => {
      const span = { starts_at: TOMORROW, ends_at: '2026-03-19T09:00:00Z' };
      const answer = await fetch(`${url}/bookings`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': resourceId,
        },
        body: JSON.stringify({ resource_id: resourceId, member_id: memberId, ...span }),
      });
      return { status: answer.status, data: ((await answer.json()) as { data: unknown }).data };
    }),
  );
  const { rows } = await stored.database.pool.query(`
    SELECT sum(included_minutes)::int AS included,
      (sum(extract(epoch FROM ends_at - starts_at)) / 60)::int AS booked FROM bookings`);
  const refusals = answers.flatMap(({ status, data }) => (status === 201 ? [] : [String(data)]));
  return { ...rows[0], refusals } as { included: number; booked: number; refusals: string[] };
}

/** The same client, but that nobody waits for a membership. */
const withoutLocks = ({ prisma }: TestDatabase['database']) =>
  prisma.$extends({
    query: {
      $queryRaw: ({ args, query }) =>
        args.sql.includes('FOR NO KEY UPDATE') ? Promise.resolve([]) : query(args),
    },
  }) as unknown as typeof prisma;
