import fc from 'fast-check';
import { pino } from 'pino';
import { markSilentDisplays } from '../../../src/features/displays/heartbeats.ts';
import { revokeDisplay } from '../../../src/features/displays/service.ts';
import { startWriteBehind } from '../../../src/jobs/write-behind.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let locationId: string;

beforeAll(async () => {
  app = await startApp();
  ({ id: locationId } = await app.ctx.db.location.findFirstOrThrow({
    where: { slug: 'kreuzberg' },
  }));
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const screen = () => app.display({ name: 'Hall', kind: 'welcome', locationId });
const beat = (token: string, query = '') => app.rest(`/displays/heartbeat/${token}${query}`);
const flush = () => app.app.close(); // writes what is waiting
const later = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const look = () => markSilentDisplays(app.ctx.lockingSql, app.clock.now);
const pulseOf = (displayId: string) =>
  app.ctx.db.displayHeartbeat.findUniqueOrThrow({ where: { displayId } });

const historyOf = async (displayId: string) => {
  const rows = await app.ctx.db.displayStatusChange.findMany({
    where: { displayId },
    orderBy: { at: 'asc' },
  });
  return rows.map(({ previousStatus, status, at }) => [
    previousStatus,
    status,
    (at.getTime() - NOW.getTime()) / 1_000,
  ]);
};

describe('a change of a display’s status', () => {
  it('is noted once, at the moment when it happened, however late it is noticed', async () => {
    const { deviceToken, display } = await screen();
    await beat(deviceToken);
    await flush();
    later(149.999);
    await look();
    expect(await historyOf(display.id)).toEqual([['offline', 'online', 0]]);
    later(158);
    await look();
    await look();
    later(307);
    await look();
    await look();
    expect(await historyOf(display.id)).toEqual([
      ['offline', 'online', 0],
      ['online', 'stale', 150],
      ['stale', 'offline', 300],
    ]);
    later(400);
    await beat(deviceToken);
    await flush();
    expect((await historyOf(display.id)).at(-1)).toEqual(['offline', 'online', 400]);
  });

  it('is noted from online to offline where nobody looked in between', async () => {
    const { deviceToken, display } = await screen();
    await beat(deviceToken);
    await flush();
    later(4_000);
    await look();
    expect(await historyOf(display.id)).toEqual([
      ['offline', 'online', 0],
      ['online', 'offline', 300],
    ]);
  });

  it('is none while heartbeats come', async () => {
    const { deviceToken, display } = await screen();
    for (const seconds of [0, 60, 120, 260, 400]) {
      later(seconds);
      await beat(deviceToken);
      await flush();
      await look();
    }
    expect(await historyOf(display.id)).toEqual([['offline', 'online', 0]]);
  });

  it('is not made by a heartbeat that was written down too late to be news', async () => {
    const { deviceToken, display } = await screen();
    await beat(deviceToken);
    later(200);
    await flush();
    expect(await pulseOf(display.id)).toMatchObject({ status: 'offline', lastSeenAt: NOW });
  });

  it('is lost by none of many displays that come and go at once', async () => {
    const screens = await Promise.all(Array.from({ length: 40 }, screen));
    await Promise.all(screens.map(({ deviceToken }) => beat(deviceToken)));
    await flush();
    later(200);
    // Half of them come back at the very moment when they are found to be silent.
    const back = screens.slice(0, 20);
    await Promise.all([
      look(),
      ...back.map(({ deviceToken }) => beat(deviceToken)),
      look(),
      flush(),
    ]);
    await flush();
    await look();
    for (const { display } of screens) {
      const history = await historyOf(display.id);
      const { status } = await pulseOf(display.id);
      expect(history[0]?.slice(0, 2)).toEqual(['offline', 'online']);
      // Each begins where the one before ended, and the last one is how it is.
      history.slice(1).forEach(([was], index) => {
        expect(was).toBe(history[index]?.[1]);
      });
      expect(history.at(-1)?.[1]).toBe(status);
      const came = back.some((it) => it.display.id === display.id);
      expect(status).toBe(came ? 'online' : 'stale');
    }
  });
});

describe('a revocation', () => {
  it('is a change of the status, and nothing that is written after it is one', async () => {
    const { deviceToken, display } = await screen();
    await beat(deviceToken);
    await flush();
    later(60);
    await beat(deviceToken); // heard before, written after
    later(60.5);
    await revokeDisplay(app.ctx, display.id);
    const revoked = await pulseOf(display.id);
    await flush();
    later(400);
    await look();
    expect(await historyOf(display.id)).toEqual([
      ['offline', 'online', 0],
      ['online', 'revoked', 60.5],
    ]);
    expect(await pulseOf(display.id)).toEqual(revoked);
  });

  it('is the status of a display that comes with it, as out of a file', async () => {
    const { id } = await app.ctx.db.display.create({
      data: {
        name: 'Old',
        kind: 'welcome',
        locationId,
        tokenHash: Buffer.alloc(32, 7),
        tokenPrefix: 'foyerd_old',
        revokedAt: NOW,
      },
    });
    expect(await pulseOf(id)).toMatchObject({ status: 'revoked', statusSince: NOW });
    expect(await historyOf(id)).toEqual([]);
  });

  it('ends every history without a gap, whatever happens in whatever order', async () => {
    const step = fc.record({
      act: fc.constantFrom('beat', 'beat', 'flush', 'look', 'revoke'),
      seconds: fc.integer({ min: 1, max: 170 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { deviceToken, display } = await screen();
        const acts = {
          beat: () => beat(deviceToken),
          flush,
          look,
          revoke: () => revokeDisplay(app.ctx, display.id),
        };
        let at = 0;
        for (const { act, seconds } of steps) {
          at += seconds;
          later(at);
          await acts[act]();
        }
        await Promise.all([flush(), acts.revoke(), look()]);
        later(at + 400);
        await look();
        const { status, statusSince } = await pulseOf(display.id);
        const chain = await linked(display.id);
        expect(status).toBe('revoked');
        expect(chain.at(-1)).toMatchObject({ status: 'revoked', at: statusSince });
        expect(chain.filter((change) => change.status === 'revoked')).toHaveLength(1);
      }),
      { numRuns: propertyRuns(5), endOnFailure: true },
    );
  });

  /** Each begins where the one before ended; of two at the same time, that one comes first. */
  async function linked(displayId: string) {
    const left = await app.ctx.db.displayStatusChange.findMany({
      where: { displayId },
      orderBy: { at: 'asc' },
    });
    const chain: typeof left = [];
    for (let status = 'offline'; left.length > 0; status = chain.at(-1)?.status ?? '') {
      const next = left.findIndex(
        (it) => it.previousStatus === status && +it.at === Number(left[0]?.at),
      );
      expect(left[next]?.previousStatus).toBe(status);
      chain.push(...left.splice(next, 1));
    }
    return chain;
  }
});

describe('telemetry', () => {
  it('is kept as the device last told it', async () => {
    const { deviceToken, display } = await screen();
    await beat(deviceToken, '?app_version=2.4.1-rc.1&uptime=86400&battery=87');
    await beat(deviceToken, '?battery=86');
    await beat(deviceToken);
    await flush();
    expect(await pulseOf(display.id)).toMatchObject({
      appVersion: '2.4.1-rc.1',
      uptimeSeconds: 86_400,
      batteryPercent: 86,
    });
  });

  it.each([
    '?battery=full&uptime=-3&app_version=',
    '?battery=101&uptime=99999999999&app_version=<script>',
    '?battery=87&battery=12',
    "?app_version={1,2}&uptime='&battery=%00",
    '?app_version=null&uptime=NaN&battery=Infinity',
    `?app_version=${'x'.repeat(5_000)}`,
    '?%%%=%&=&&&',
  ])('that makes no sense is left out, and the heartbeat counts: %s', async (query) => {
    const { deviceToken, display } = await screen();
    expect((await beat(deviceToken, query)).status).toBe(200);
    await flush();
    const { appVersion, uptimeSeconds, batteryPercent, lastSeenAt } = await pulseOf(display.id);
    expect([appVersion, uptimeSeconds]).toEqual([null, null]);
    expect([null, 87]).toContain(batteryPercent);
    expect(lastSeenAt).toEqual(NOW);
  });
});

it('what a device told is not lost when it cannot be written at first', async () => {
  const { display } = await screen();
  let broken = true;
  const behind = startWriteBehind({
    sql: async (statement, values) => {
      if (broken) throw new Error('no connection');
      return app.ctx.lockingSql(statement, values);
    },
    now: () => NOW,
    log: pino({ level: 'silent' }),
  });
  const telemetry = { appVersion: '1.0', uptimeSeconds: null, batteryPercent: 50 };
  behind.recordHeartbeat(display.id, telemetry);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  behind.recordHeartbeat(display.id);
  broken = false;
  await behind.stop();
  expect(await pulseOf(display.id)).toMatchObject({ ...telemetry, lastSeenAt: NOW });
});
