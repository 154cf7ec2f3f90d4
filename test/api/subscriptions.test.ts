import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-sse';
import { revokeDisplay } from '../../src/features/displays/service/manage-displays.ts';
import { markSilentDisplays } from '../../src/features/displays/service/silence-monitor.ts';
import type { Credential } from '../support/clients/api.ts';
import { NOW } from '../support/factories/seed.ts';
import {
  FEED_INTERVAL_MS,
  STAFF,
  serveDatabase,
  startApp,
  type TestApp,
} from '../support/harness/app.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

// Events of another instance over a real stream.

let app: TestApp;
let other: Awaited<ReturnType<typeof serveDatabase>>;
let locationId: string;
let otherLocationId: string;
const streams: Stream[] = [];
let statements = 0; // of the other instance

beforeAll(async () => {
  app = await startApp();
  const { pipelinedSql } = app.database;
  const counted = {
    ...app.database,
    pipelinedSql: (...args: Parameters<typeof pipelinedSql>) => {
      statements += 1;
      return pipelinedSql(...args);
    },
  };
  other = await serveDatabase(counted as typeof app.database, () => app.clock.now, {
    QUERY_BUDGET: '2000',
  });
  const { db } = app.ctx;
  ({ id: locationId } = await db.location.findFirstOrThrow({ where: { slug: 'kreuzberg' } }));
  ({ id: otherLocationId } = await db.location.findFirstOrThrow({ where: { slug: 'alfama' } }));
});
afterEach(() => {
  app.clock.now = NOW;
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await other.close();
  await app.stop();
});

interface Stream {
  events: Record<string, unknown>[];
  ended: Promise<unknown>;
  close(): void;
  /** Waits until there are `count` events. */
  until(count: number): Promise<void>;
}

function listen(url: string, query: string, { token, cookie }: Credential): Stream {
  const client: Client = createClient({
    url: `${url}/graphql`,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(cookie ? { cookie } : {}),
    } as Record<string, string>,
    retryAttempts: 0,
  });
  const events: Record<string, unknown>[] = [];
  const ended = (async () => {
    try {
      for await (const { data, errors } of client.iterate<Record<string, unknown>>({ query })) {
        if (errors) return errors[0]?.extensions?.code;
        if (data) events.push(data);
      }
      return 'ended';
    } catch (error) {
      return error;
    }
  })();
  const until = async (count: number) => {
    for (let waited = 0; events.length < count && waited < 10_000; waited += 50) {
      await setTimeout(50);
    }
    expect(events.length).toBeGreaterThanOrEqual(count);
  };
  const stream = { events, ended, until, close: () => client.dispose() };
  streams.push(stream);
  return stream;
}

interface StatusChange {
  previousStatus: string;
  status: string;
  display: { name: string };
}

const OCCUPANCY = (id?: string) =>
  `subscription { occupancyChanged${id ? `(locationId: "${id}")` : ''} { locationId present } }`;
// PostgreSQL answers the events of these.
const PLANNED_OCCUPANCY =
  'subscription { occupancyChanged { location { displays { nodes { name } } } } }';
const PLANNED_STATUS =
  'subscription { displayStatusChanged { display { statusChanges(last: 1) { at } } } }';
const STATUS = (id?: string) =>
  `subscription { displayStatusChanged${id ? `(locationId: "${id}")` : ''} { previousStatus status at display { name status location { name } } } }`;

async function arrive(at: string): Promise<string> {
  const { db } = app.ctx;
  const { id: hostId } = await db.member.findFirstOrThrow();
  const times = {
    occurredAt: NOW,
    createdAt: NOW,
    autoCheckOutAt: new Date(NOW.getTime() + 3_600_000),
  };
  const visitor = { result: 'admitted', subject: 'visitor', hostId, actor: 'test' } as const;
  const { id } = await db.checkIn.create({ data: { locationId: at, ...visitor, ...times } });
  return id;
}

describe('occupancyChanged', () => {
  it('publishes the occupancy of one location immediately and after changes on another instance', async () => {
    const token = await app.token('check-ins:read');
    const stream = listen(other.url, OCCUPANCY(locationId), { token });
    await stream.until(1);
    const first = stream.events[0]?.occupancyChanged as { present: number };
    await arrive(otherLocationId);
    const id = await arrive(locationId);
    await stream.until(2);
    await app.ctx.db.checkIn.update({ where: { id }, data: { checkedOutAt: NOW } });
    await stream.until(3);
    expect(stream.events.map((it) => it.occupancyChanged)).toEqual(
      [0, 1, 0].map((more) => ({ locationId, present: first.present + more })),
    );
  });

  it('ends with the event that exceeds the budget of the caller', async () => {
    const token = await app.token('check-ins:read', 'spaces:read', 'bookings:read');
    const points = 'resources(first: 50) { nodes { bookings(first: 30) { nodes { id } } } }'; // 1,550 for each of two locations
    const stream = listen(
      other.url,
      `subscription { occupancyChanged { locationId location { ${points} } } }`,
      { token },
    );
    expect(await stream.ended).toBe('RATE_LIMITED');
    expect(stream.events).toHaveLength(1);
  });

  it('accepts a location ID in any case', async () => {
    const token = await app.token('check-ins:read');
    const stream = listen(app.url, OCCUPANCY(locationId.toUpperCase()), { token });
    await stream.until(1);
    expect(stream.events[0]?.occupancyChanged).toMatchObject({ locationId });
  });

  it('ends before the next event once the token is revoked', async () => {
    const { db } = app.ctx;
    const token = await app.token('check-ins:read');
    const stream = listen(app.url, OCCUPANCY(locationId), { token });
    await stream.until(1);
    await db.apiToken.updateMany({ where: { revokedAt: null }, data: { revokedAt: NOW } });
    await arrive(locationId);
    expect(await stream.ended).toBe('UNAUTHENTICATED');
    expect(stream.events).toHaveLength(1);
  });

  it.each([
    ['an anonymous caller', async () => ({}), 'UNAUTHENTICATED'],
    ['a token without the scope', async () => ({ token: await app.token('*') }), ''],
    [
      'a token with another scope',
      async () => ({ token: await app.token('displays:read') }),
      'FORBIDDEN',
    ],
  ])('requires its scope: %s', async (_, credential, code) => {
    const stream = listen(app.url, OCCUPANCY(), await credential());
    if (code === '') return stream.until(1);
    expect(await stream.ended).toBe(code);
    expect(stream.events).toEqual([]);
  });
});

describe('displayStatusChanged', () => {
  it('publishes status changes of another instance, not past ones', async () => {
    const cookie = await app.signIn(STAFF.owner);
    const screen = (name: string, at: string) =>
      app.display({ name, kind: 'welcome', locationId: at });
    const earlier = await screen('Earlier', locationId);
    await app.rest(`/displays/heartbeat/${earlier.deviceToken}`);
    await app.app.close(); // flushes pending writes
    const all = listen(app.url, STATUS(), { cookie });
    const one = listen(app.url, STATUS(locationId), { cookie });
    await setTimeout(5 * FEED_INTERVAL_MS);
    const hall = await screen('Hall', locationId);
    const doorDisplay = await screen('Door', otherLocationId);
    for (const { deviceToken } of [hall, doorDisplay]) {
      await fetch(`${other.url}/displays/heartbeat/${deviceToken}`);
    }
    await all.until(2);
    await one.until(1);
    app.clock.now = new Date(NOW.getTime() + 160_000);
    await markSilentDisplays(app.ctx.lockingSql, app.clock.now);
    const names = (stream: Stream) =>
      stream.events.map((it) => {
        const { previousStatus, status, display } = it.displayStatusChanged as StatusChange;
        return [display.name, previousStatus, status].join(' ');
      });
    await one.until(3);
    expect(names(one)).toEqual(
      expect.arrayContaining(['Hall OFFLINE ONLINE', 'Hall ONLINE STALE', 'Earlier ONLINE STALE']),
    );
    expect(names(one).join()).not.toContain('Door');
    await all.until(5);
    expect(names(all)).toEqual(
      expect.arrayContaining(['Door OFFLINE ONLINE', 'Door ONLINE STALE']),
    );
    expect(names(all)).not.toContain('Earlier OFFLINE ONLINE');
    await revokeDisplay(app.ctx, doorDisplay.display.id);
    await revokeDisplay(app.ctx, doorDisplay.display.id);
    await all.until(10); // with the four of the seed that went offline
    const revoked = all.events.map((it) => it.displayStatusChanged as StatusChange).slice(9);
    expect(revoked).toEqual([
      expect.objectContaining({
        previousStatus: 'STALE',
        display: expect.objectContaining({ name: 'Door', status: 'REVOKED' }),
      }),
    ]);
  });
});

describe('a stream', () => {
  it('stops polling the database once its listener disconnects', async () => {
    const token = await app.token('displays:read');
    const open = [STATUS(), PLANNED_STATUS].map((query) => listen(other.url, query, { token }));
    await waitUntil(() => statements > 1);
    for (const stream of open) stream.close();
    await setTimeout(5 * FEED_INTERVAL_MS);
    statements = 0;
    await setTimeout(5 * FEED_INTERVAL_MS);
    expect(statements).toBe(0);
  });

  it('outlives a drain, and ends with an interruption, after which clients connect again', async () => {
    const token = await app.token('check-ins:read', 'displays:read');
    app.app.drain();
    const open = [OCCUPANCY(), PLANNED_OCCUPANCY].map((query) => listen(app.url, query, { token }));
    for (const stream of open) await stream.until(1);
    app.app.endStreams();
    for (const stream of open)
      expect(String(await stream.ended)).toContain('Connection closed while having active streams');
    expect(await listen(app.url, OCCUPANCY(), { token }).ended).toBe('INTERNAL');
  });
});
