import fc from 'fast-check';
import { pino } from 'pino';
import type { Context } from '../../../src/context.ts';
import { createLoadSpreader } from '../../../src/core/load-spreading.ts';
import { startWriteBehind } from '../../../src/core/write-behind.ts';
import { createDeviceGateway } from '../../../src/features/displays/service/device-gateway.ts';
import { revokeDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import {
  createSilenceMonitor,
  markSilentDisplays,
} from '../../../src/features/displays/service/silence-monitor.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';

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

const createScreen = () => app.display({ name: 'Hall', kind: 'welcome', locationId });
const sendHeartbeat = (token: string, query = '') =>
  app.rest(`/displays/heartbeat/${token}${query}`);
const flush = () => app.app.close(); // writes the collected heartbeats
const advanceClock = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const markSilent = () => markSilentDisplays(app.ctx.lockingSql, app.clock.now);
const getHeartbeat = (displayId: string) =>
  app.ctx.db.displayHeartbeat.findUniqueOrThrow({ where: { displayId } });

const getHistory = async (displayId: string) => {
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

describe('the monitor', () => {
  it('marks each display on time, and reads nothing while none can be silent', async () => {
    const [first, second] = [await createScreen(), await createScreen()];
    let statements = 0;
    const markSilentOnTime = createSilenceMonitor((statement, values) => {
      statements += 1;
      return app.ctx.lockingSql(statement, values);
    });
    const toStatus = (silentSeconds: number) =>
      silentSeconds >= 300 ? 'offline' : silentSeconds >= 150 ? 'stale' : 'online';
    await sendHeartbeat(first.deviceToken);
    let reads = 0;
    for (let seconds = 0; seconds <= 400; seconds += 5) {
      advanceClock(seconds);
      // The second display sends heartbeats until the first one has been offline for a while.
      if (seconds % 60 === 0 && seconds <= 240) await sendHeartbeat(second.deviceToken);
      await flush();
      const before = statements;
      await markSilentOnTime(app.clock.now);
      if (statements > before) reads += 1;
      expect((await getHeartbeat(first.display.id)).status).toBe(toStatus(seconds));
      expect((await getHeartbeat(second.display.id)).status).toBe(toStatus(seconds - 240));
    }
    expect(reads).toBeLessThan(25);
  });
});

describe('a change of a display’s status', () => {
  it('is recorded once, with the time when it happened', async () => {
    const { deviceToken, display } = await createScreen();
    await sendHeartbeat(deviceToken);
    await flush();
    advanceClock(149.999);
    await markSilent();
    expect(await getHistory(display.id)).toEqual([['offline', 'online', 0]]);
    advanceClock(158);
    await markSilent();
    await markSilent();
    advanceClock(307);
    await markSilent();
    await markSilent();
    expect(await getHistory(display.id)).toEqual([
      ['offline', 'online', 0],
      ['online', 'stale', 150],
      ['stale', 'offline', 300],
    ]);
    advanceClock(400);
    await sendHeartbeat(deviceToken);
    await flush();
    expect((await getHistory(display.id)).at(-1)).toEqual(['offline', 'online', 400]);
  });

  it('goes from online to offline if the check ran late', async () => {
    const { deviceToken, display } = await createScreen();
    await sendHeartbeat(deviceToken);
    await flush();
    advanceClock(4_000);
    await markSilent();
    expect(await getHistory(display.id)).toEqual([
      ['offline', 'online', 0],
      ['online', 'offline', 300],
    ]);
  });

  it('does not happen while heartbeats arrive', async () => {
    const { deviceToken, display } = await createScreen();
    for (const seconds of [0, 60, 120, 260, 400]) {
      advanceClock(seconds);
      await sendHeartbeat(deviceToken);
      await flush();
      await markSilent();
    }
    expect(await getHistory(display.id)).toEqual([['offline', 'online', 0]]);
  });

  it('is not caused by a heartbeat that was written too late', async () => {
    const { deviceToken, display } = await createScreen();
    await sendHeartbeat(deviceToken);
    advanceClock(200);
    await flush();
    expect(await getHeartbeat(display.id)).toMatchObject({ status: 'offline', lastSeenAt: NOW });
  });

  it('is recorded for each of many displays at once', async () => {
    const screens = await Promise.all(Array.from({ length: 40 }, createScreen));
    await Promise.all(screens.map(({ deviceToken }) => sendHeartbeat(deviceToken)));
    await flush();
    advanceClock(200);
    // Half of them send a heartbeat while they are marked as silent.
    const returning = screens.slice(0, 20);
    await Promise.all([
      markSilent(),
      ...returning.map(({ deviceToken }) => sendHeartbeat(deviceToken)),
      markSilent(),
      flush(),
    ]);
    await flush();
    await markSilent();
    for (const { display } of screens) {
      const history = await getHistory(display.id);
      const { status } = await getHeartbeat(display.id);
      expect(history[0]?.slice(0, 2)).toEqual(['offline', 'online']);
      // Each change continues the previous one, and the last one has the current status.
      history.slice(1).forEach(([was], index) => {
        expect(was).toBe(history[index]?.[1]);
      });
      expect(history.at(-1)?.[1]).toBe(status);
      const hasReturned = returning.some((it) => it.display.id === display.id);
      expect(status).toBe(hasReturned ? 'online' : 'stale');
    }
  });
});

describe('a revocation', () => {
  it('changes the status permanently, regardless of later writes', async () => {
    const { deviceToken, display } = await createScreen();
    await sendHeartbeat(deviceToken);
    await flush();
    advanceClock(60);
    await sendHeartbeat(deviceToken); // received before the revocation, written after it
    advanceClock(60.5);
    await revokeDisplay(app.ctx, display.id);
    const revoked = await getHeartbeat(display.id);
    await flush();
    advanceClock(400);
    await markSilent();
    expect(await getHistory(display.id)).toEqual([
      ['offline', 'online', 0],
      ['online', 'revoked', 60.5],
    ]);
    expect(await getHeartbeat(display.id)).toEqual(revoked);
  });

  it('is the status of a display that is inserted as revoked', async () => {
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
    expect(await getHeartbeat(id)).toMatchObject({ status: 'revoked', statusSince: NOW });
    expect(await getHistory(id)).toEqual([]);
  });

  it('is the last change of every history, and histories have no gaps', async () => {
    const step = fc.record({
      act: fc.constantFrom('heartbeat', 'heartbeat', 'flush', 'check', 'revoke'),
      seconds: fc.integer({ min: 1, max: 170 }),
    });
    await checkProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { deviceToken, display } = await createScreen();
        const acts = {
          heartbeat: () => sendHeartbeat(deviceToken),
          flush,
          check: markSilent,
          revoke: () => revokeDisplay(app.ctx, display.id),
        };
        let at = 0;
        for (const { act, seconds } of steps) {
          at += seconds;
          advanceClock(at);
          await acts[act]();
        }
        await Promise.all([flush(), acts.revoke(), markSilent()]);
        advanceClock(at + 400);
        await markSilent();
        const { status, statusSince } = await getHeartbeat(display.id);
        const chain = await chainChanges(display.id);
        expect(status).toBe('revoked');
        expect(chain.at(-1)).toMatchObject({ status: 'revoked', at: statusSince });
        expect(chain.filter((change) => change.status === 'revoked')).toHaveLength(1);
      }),
      { numRuns: propertyRuns(5), endOnFailure: true },
    );
  });

  /** Orders the changes so that each continues the previous one, also if two have the same time. */
  async function chainChanges(displayId: string) {
    const remaining = await app.ctx.db.displayStatusChange.findMany({
      where: { displayId },
      orderBy: { at: 'asc' },
    });
    const chain: typeof remaining = [];
    for (let status = 'offline'; remaining.length > 0; status = chain.at(-1)?.status ?? '') {
      const next = remaining.findIndex(
        (it) => it.previousStatus === status && +it.at === Number(remaining[0]?.at),
      );
      expect(remaining[next]?.previousStatus).toBe(status);
      chain.push(...remaining.splice(next, 1));
    }
    return chain;
  }
});

describe('telemetry', () => {
  it('is stored as last reported', async () => {
    const { deviceToken, display } = await createScreen();
    await sendHeartbeat(deviceToken, '?app_version=2.4.1-rc.1&uptime=86400&battery=87');
    await sendHeartbeat(deviceToken, '?battery=86');
    await sendHeartbeat(deviceToken);
    await flush();
    expect(await getHeartbeat(display.id)).toMatchObject({
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
  ])('that is invalid is ignored, and the heartbeat counts: %s', async (query) => {
    const { deviceToken, display } = await createScreen();
    expect((await sendHeartbeat(deviceToken, query)).status).toBe(200);
    await flush();
    const { appVersion, uptimeSeconds, batteryPercent, lastSeenAt } = await getHeartbeat(
      display.id,
    );
    expect([appVersion, uptimeSeconds]).toEqual([null, null]);
    expect([null, 87]).toContain(batteryPercent);
    expect(lastSeenAt).toEqual(NOW);
  });
});

it('telemetry is not lost if the first write fails', async () => {
  const { display } = await createScreen();
  let broken = true;
  let failures = 0;
  const lockingSql: Context['lockingSql'] = async (statement, values) => {
    if (broken) {
      failures += 1;
      throw new Error('no connection');
    }
    return app.ctx.lockingSql(statement, values);
  };
  const now = () => NOW;
  const log = pino({ level: 'silent' });
  const writeBehind = startWriteBehind(log);
  const loadSpreader = createLoadSpreader();
  const gateway = createDeviceGateway({ ...app.ctx, lockingSql, now, writeBehind, loadSpreader });
  const telemetry = { appVersion: '1.0', uptimeSeconds: null, batteryPercent: 50 };
  gateway.recordHeartbeat(display.id, { at: NOW.getTime(), telemetry });
  await waitUntil(() => failures > 0);
  gateway.recordHeartbeat(display.id, { at: NOW.getTime(), telemetry: undefined });
  broken = false;
  await writeBehind.stop();
  expect(await getHeartbeat(display.id)).toMatchObject({ ...telemetry, lastSeenAt: NOW });
});
