import { type Client, createClient } from 'graphql-sse';
import { markSilentDisplays } from '../../src/features/displays/heartbeats.ts';
import { revokeDisplay } from '../../src/features/displays/service.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../support/app.ts';
import { serveOver } from '../support/race-stage.ts';
import { NOW } from '../support/seed.ts';

// What is told as it happens, over a real stream, of what happens on another instance.

let app: TestApp;
let other: Awaited<ReturnType<typeof serveOver>>;
let locationId: string;
let elsewhere: string;
const streams: Stream[] = [];
let statements = 0; // that the other instance has asked

beforeAll(async () => {
  app = await startApp();
  const { pipelinedSql } = app.database;
  const apart = {
    ...app.database,
    pipelinedSql: (...asked: Parameters<typeof pipelinedSql>) => {
      statements += 1;
      return pipelinedSql(...asked);
    },
  };
  other = await serveOver(apart as typeof app.database, () => app.clock.now);
  const { db } = app.ctx;
  ({ id: locationId } = await db.location.findFirstOrThrow({ where: { slug: 'kreuzberg' } }));
  ({ id: elsewhere } = await db.location.findFirstOrThrow({ where: { slug: 'alfama' } }));
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
  heard: Record<string, unknown>[];
  ended: Promise<unknown>;
  close(): void;
  /** Waits until there are so many. */
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
  const heard: Record<string, unknown>[] = [];
  const ended = (async () => {
    try {
      for await (const { data, errors } of client.iterate<Record<string, unknown>>({ query })) {
        if (errors) return errors[0]?.extensions?.code;
        if (data) heard.push(data);
      }
      return 'ended';
    } catch (error) {
      return error;
    }
  })();
  const until = async (count: number) => {
    for (let waited = 0; heard.length < count && waited < 10_000; waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(heard.length).toBeGreaterThanOrEqual(count);
  };
  const stream = { heard, ended, until, close: () => client.dispose() };
  streams.push(stream);
  return stream;
}

interface Told {
  was: string;
  status: string;
  display: { name: string };
}

const OCCUPANCY = (id?: string) =>
  `subscription { occupancyChanged${id ? `(locationId: "${id}")` : ''} { locationId present } }`;
const STATUS = (id?: string) =>
  `subscription { displayStatusChanged${id ? `(locationId: "${id}")` : ''} { was status at display { name status location { name } } } }`;

async function arrive(at: string): Promise<string> {
  const { db } = app.ctx;
  const { id: hostId } = await db.member.findFirstOrThrow();
  const times = { occurredAt: NOW, autoCheckOutAt: new Date(NOW.getTime() + 3_600_000) };
  const visitor = { result: 'admitted', subject: 'visitor', hostId, actor: 'test' } as const;
  const { id } = await db.checkIn.create({ data: { locationId: at, ...visitor, ...times } });
  return id;
}

describe('occupancyChanged', () => {
  it('tells how many are in, at once and whenever that changes on another instance, of one location alone', async () => {
    const token = await app.token('check-ins:read');
    const here = listen(other.url, OCCUPANCY(locationId), { token });
    await here.until(1);
    const told = here.heard[0]?.occupancyChanged as { present: number };
    await arrive(elsewhere);
    const id = await arrive(locationId);
    await here.until(2);
    await app.ctx.db.checkIn.update({ where: { id }, data: { checkedOutAt: NOW } });
    await here.until(3);
    expect(here.heard.map((it) => it.occupancyChanged)).toEqual(
      [0, 1, 0].map((more) => ({ locationId, present: told.present + more })),
    );
  });

  it('knows a location however its id is written', async () => {
    const token = await app.token('check-ins:read');
    const here = listen(app.url, OCCUPANCY(locationId.toUpperCase()), { token });
    await here.until(1);
    expect(here.heard[0]?.occupancyChanged).toMatchObject({ locationId });
  });

  it('ends for a token that is revoked before anything more is told', async () => {
    const { db } = app.ctx;
    const token = await app.token('check-ins:read');
    const stream = listen(app.url, OCCUPANCY(locationId), { token });
    await stream.until(1);
    await db.apiToken.updateMany({ where: { revokedAt: null }, data: { revokedAt: NOW } });
    await arrive(locationId);
    expect(await stream.ended).toBe('UNAUTHENTICATED');
    expect(stream.heard).toHaveLength(1);
  });

  it.each([
    ['nobody', async () => ({}), 'UNAUTHENTICATED'],
    ['a token without the scope', async () => ({ token: await app.token('*') }), ''],
    [
      'a token for something else',
      async () => ({ token: await app.token('displays:read') }),
      'FORBIDDEN',
    ],
  ])('is answered by its scope: %s', async (_, credential, code) => {
    const stream = listen(app.url, OCCUPANCY(), await credential());
    if (code === '') return stream.until(1);
    expect(await stream.ended).toBe(code);
    expect(stream.heard).toEqual([]);
  });
});

describe('displayStatusChanged', () => {
  it('tells who came and went on another instance, and nothing of before', async () => {
    const cookie = await app.signIn(STAFF.owner);
    const screen = (name: string, at: string) =>
      app.display({ name, kind: 'welcome', locationId: at });
    const earlier = await screen('Earlier', locationId);
    await app.rest(`/displays/heartbeat/${earlier.deviceToken}`);
    await app.app.close(); // writes what is waiting
    const all = listen(app.url, STATUS(), { cookie });
    const one = listen(app.url, STATUS(locationId), { cookie });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const hall = await screen('Hall', locationId);
    const door = await screen('Door', elsewhere);
    for (const { deviceToken } of [hall, door]) {
      await fetch(`${other.url}/displays/heartbeat/${deviceToken}`);
    }
    await all.until(2);
    await one.until(1);
    app.clock.now = new Date(NOW.getTime() + 160_000);
    await markSilentDisplays(app.ctx.lockingSql, app.clock.now);
    const names = (stream: Stream) =>
      stream.heard.map((it) => {
        const { was, status, display } = it.displayStatusChanged as Told;
        return [display.name, was, status].join(' ');
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
    await revokeDisplay(app.ctx, door.display.id);
    await revokeDisplay(app.ctx, door.display.id);
    await all.until(9); // with the three of the seed that have fallen silent
    const revoked = all.heard.map((it) => it.displayStatusChanged as Told).slice(8);
    expect(revoked).toEqual([
      expect.objectContaining({
        was: 'STALE',
        display: expect.objectContaining({ name: 'Door', status: 'REVOKED' }),
      }),
    ]);
  });
});

describe('a stream', () => {
  it('asks the database nothing more once its listener is gone', async () => {
    const token = await app.token('displays:read');
    const stream = listen(other.url, STATUS(), { token });
    const asleep = () => new Promise((resolve) => setTimeout(resolve, 2_500));
    await asleep();
    expect(statements).toBeGreaterThan(1);
    stream.close();
    await new Promise((resolve) => setTimeout(resolve, 500));
    statements = 0;
    await asleep();
    expect(statements).toBe(0);
  });

  it('ends when the service is about to stop', async () => {
    const stream = listen(app.url, OCCUPANCY(), { token: await app.token('check-ins:read') });
    await stream.until(1);
    app.app.drain();
    expect(await stream.ended).toBe('ended');
  });
});
