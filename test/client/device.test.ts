import { jest } from '@jest/globals';
import {
  type DisplaySnapshot,
  type DisplayStatus,
  followDisplay,
  pairDevice,
} from '../../packages/client/src/device.ts';
import { createTransport } from '../../packages/client/src/index.ts';
import { revokeDisplay } from '../../src/features/displays/service/manage-displays.ts';
import { createPairingActions } from '../support/factories/pairing.ts';
import { NOW } from '../support/factories/seed.ts';
import { startUnreliableProxy, type UnreliableProxy } from '../support/fakes/unreliable-proxy.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

let app: TestApp;
let proxy: UnreliableProxy;
let locationId: string;
const stops: AbortController[] = [];

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  proxy = await startUnreliableProxy(app.url);
  ({ id: locationId } = await app.ctx.db.location.findFirstOrThrow({
    where: { slug: 'kreuzberg' },
  }));
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
  proxy.reset();
});
afterAll(async () => {
  await proxy.stop();
  await app.stop();
});

const createDisplay = () => app.display({ name: 'Hall', kind: 'welcome', locationId });

function follow(token: string, options: { snapshot?: DisplaySnapshot } = {}, send = fetch) {
  const stop = new AbortController();
  stops.push(stop);
  const transport = createTransport({ url: proxy.url, token, fetch: send });
  const readTelemetry = () => ({ app_version: '1.4.2', battery: '81' });
  const { signal } = stop;
  return {
    stop,
    statuses: followDisplay(transport, { readTelemetry, wakeUp, signal, ...options }),
  };
}

/** What a device asked for, and whether it named a version. */
const listRequests = () =>
  proxy.requests.map(({ path, headers }) => [path, headers['if-none-match'] !== undefined]);

const wakeUp = new EventTarget();

/** Waits for something that devices do. They do not wait before it, because the network is always just back. */
const waitForDevice = (holds: () => boolean | Promise<boolean>, condition: string) =>
  waitUntil(async () => {
    wakeUp.dispatchEvent(new Event('online'));
    return holds();
  }, condition);

const getValue = ({ value }: IteratorResult<DisplayStatus, void>): DisplayStatus => {
  if (!value) throw new Error('the loop has ended');
  return value;
};

describe('a display', () => {
  it('gets its content, reports that it is online, and asks only for other content', async () => {
    const { display, deviceToken } = await createDisplay();
    let responses = 0;
    const { statuses, stop } = follow(deviceToken, {}, async (...request) => {
      const response = await fetch(...request);
      responses += 1;
      return response;
    });
    const { snapshot, offlineSince } = getValue(await statuses.next());
    expect(snapshot?.state.device.name).toBe('Hall');
    expect(offlineSince).toBeNull();
    app.clock.now = new Date(NOW.getTime() + 1_000);
    const next = statuses.next();
    await waitUntil(() => responses >= 2, 'it has sent a heartbeat');
    await app.app.close(); // writes the collected heartbeats
    const where = { displayId: display.id };
    expect(await app.ctx.db.displayHeartbeat.findUniqueOrThrow({ where })).toMatchObject({
      appVersion: '1.4.2',
      batteryPercent: 81,
    });
    expect(listRequests()).toEqual([
      ['/displays/state', false],
      ['/displays/heartbeat?app_version=1.4.2&battery=81', false],
    ]);
    // The clock of the service, which stands still in tests, is that of the content.
    const { confirmedAt = 0, aheadMs = 0 } = getValue(await next).snapshot ?? {};
    expect(Math.abs(aheadMs)).toBeGreaterThan(3_000);
    expect(Math.abs(confirmedAt - app.clock.now.getTime())).toBeLessThan(3_600_000);
    stop.abort();
    expect((await statuses.next()).done).toBe(true);
  });

  it('keeps its content while the service cannot be reached, and says since when', async () => {
    const { deviceToken } = await createDisplay();
    const { snapshot } = getValue(await follow(deviceToken).statuses.next());
    if (!snapshot) throw new Error('no content');
    proxy.reset();
    proxy.failures.push('lose the response', { status: 503, headers: { 'retry-after': '60' } });
    const { statuses } = follow(deviceToken, { snapshot });
    const offline = getValue(await statuses.next());
    expect(offline.snapshot).toBe(snapshot);
    expect(offline.offlineSince).toBeInstanceOf(Date);
    const next = statuses.next();
    await waitForDevice(() => proxy.requests.length >= 3, 'it has tried again');
    const online = getValue(await next);
    expect(online.offlineSince).toBeNull();
    expect(online.snapshot?.state.version).toBe(snapshot.state.version);
    expect(online.snapshot?.confirmedAt).toBeGreaterThan(snapshot.confirmedAt);
    expect(listRequests().slice(0, 3)).toEqual(Array(3).fill(['/displays/state', true]));
  });

  it('polls also while its heartbeats are rejected', async () => {
    const { deviceToken } = await createDisplay();
    proxy.reset();
    const rejection = () =>
      Response.json({ success: false, data: 'Unknown field' }, { status: 400 });
    const { statuses } = follow(deviceToken, {}, async (...request) =>
      String(request[0]).includes('/heartbeat') ? rejection() : fetch(...request),
    );
    await statuses.next();
    void statuses.next();
    const { now } = Date;
    const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    await waitForDevice(() => proxy.requests.length >= 2, 'it has polled again').finally(() =>
      later.mockRestore(),
    );
    expect(listRequests()[1]).toEqual(['/displays/state', true]);
  });

  it('does not take a redirect that loses the token for a revocation', async () => {
    const { deviceToken } = await createDisplay();
    const redirected = async () => {
      const response = Response.json({ success: false, data: 'Unauthenticated.' }, { status: 401 });
      return Object.defineProperties(response, {
        redirected: { value: true },
        url: { value: 'https://foyer.test/displays/state' },
      });
    };
    const { statuses } = follow(deviceToken, {}, redirected);
    await expect(statuses.next()).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      message: expect.stringContaining('redirects to https://foyer.test'),
    });
  });

  it('fails when its token is revoked', async () => {
    const { display, deviceToken } = await createDisplay();
    const { statuses } = follow(deviceToken);
    await statuses.next();
    await revokeDisplay(app.ctx, display.id);
    await expect(statuses.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('pairing', () => {
  it('shows codes until staff claims one, also after failures, and returns the token', async () => {
    const pairing = await createPairingActions(app);
    const stop = new AbortController();
    stops.push(stop);
    const connections: boolean[] = [];
    const codes: string[] = [];
    proxy.failures.push('lose the response');
    const paired = pairDevice(createTransport({ url: proxy.url }), {
      onCode: ({ text }) => codes.push(text),
      onConnection: (isConnected) => connections.push(isConnected),
      wakeUp,
      signal: stop.signal,
    });
    const waitForCode = (count: number) =>
      waitForDevice(() => codes.length === count, 'it shows a code');
    await waitForCode(1);
    // The first code expires.
    await app.ctx.db.displayPairing.deleteMany({ where: { code: codes[0] ?? '' } });
    await waitForCode(2);
    await pairing.sendClaim(codes[1] ?? '');
    let token: string | null = null;
    void paired.then((result) => {
      token = result;
    });
    await waitForDevice(() => token !== null, 'it is paired');
    expect(await pairing.isAccepted(token ?? undefined)).toBe(true);
    expect(connections.slice(0, 2)).toEqual([false, true]);
  });

  it('ends when the signal aborts', async () => {
    const stop = new AbortController();
    const paired = pairDevice(createTransport({ url: proxy.url }), {
      onCode: () => stop.abort(),
      signal: stop.signal,
    });
    expect(await paired).toBeNull();
  });
});
