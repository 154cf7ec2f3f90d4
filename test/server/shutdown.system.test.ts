import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import {
  insertUnreadChanges,
  MANY_CHANGES,
  readMailPosition,
} from '../support/factories/unread-changes.ts';
import { prepareDataDir } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-shutdown-'));
// Without an owner, the service logs a warning.
const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };
const METRICS_TOKEN = 'long-enough-for-metrics';
/** The level of pino. */
const INFO = 30;
const FAULTS = fileURLToPath(new URL('../support/fakes/faults.mjs', import.meta.url));

afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('a service survives an unhandled rejection and a lost connection, and shuts down cleanly after an exception', async () => {
  const DATA_DIR = join(directory, 'main');
  await prepareDataDir(DATA_DIR);
  const service = await startService({
    DATA_DIR,
    NODE_OPTIONS: `--import ${FAULTS}`,
  });
  const waitForLog = async (text: string) => {
    while (!service.logged().some(({ msg }) => String(msg).includes(text)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return service.logged().find(({ msg }) => String(msg).includes(text));
  };
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;

  service.signal('SIGUSR2');
  const rejection = await waitForLog('unhandled promise rejection');
  expect(rejection).toMatchObject({ err: { message: 'a forgotten promise' } });
  expect(await isReady()).toBe(true);

  service.signal('SIGUSR2');
  const lost = await waitForLog('uncaught connection error');
  expect(lost).toMatchObject({ err: { message: 'read ECONNRESET' } });
  expect(await isReady()).toBe(true);

  service.signal('SIGUSR2');
  const exception = await waitForLog('uncaught exception');
  expect(exception).toMatchObject({ err: { message: 'a broken invariant' } });
  const { code } = await service.ended;
  expect(code).toBe(1);
  // The directory was released, so the next process gets it at once.
  const next = await startService({ DATA_DIR });
  expect((await next.stop()).code).toBe(0);
});

it('a service that reads a long journal shuts down after the current batch, without an error', async () => {
  const DATA_DIR = join(directory, 'journal');
  await prepareDataDir(DATA_DIR);
  const database = { databaseUrl: undefined, dataDir: DATA_DIR, dataFsync: false };
  const before = await openDatabase(database);
  await migrate(before.pool);
  await insertUnreadChanges(before.pool, MANY_CHANGES);
  await before.close();

  const service = await startService({ DATA_DIR, METRICS_TOKEN, ...OWNER });
  const readUnread = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = await (await fetch(`${service.url}/metrics`, { headers })).text();
    return Number(/foyer_journal_lag_changes\{reader="mail"\} (\d+)/.exec(metrics)?.[1]);
  };
  await waitUntil(async () => (await readUnread()) < MANY_CHANGES);
  const { code } = await service.stop();

  const after = await openDatabase(database);
  expect(await readMailPosition(after.pool)).toBeLessThan(MANY_CHANGES / 2);
  await after.close();
  expect(code).toBe(0);
  expect(service.logged().filter(({ level }) => Number(level) > INFO)).toEqual([]);
});

describe('a service with a SHUTDOWN_DELAY', () => {
  const DATA_DIR = join(directory, 'delay');
  beforeAll(() => prepareDataDir(DATA_DIR));

  it('serves everything while it drains, until a second signal', async () => {
    const service = await startService({ DATA_DIR, SHUTDOWN_DELAY: '600' });
    service.signal('SIGTERM');
    await waitUntil(async () => (await fetch(`${service.url}/readyz`)).status === 503);
    const events = await fetch(`${service.url}/public/events`);
    expect([events.status, events.headers.get('connection')]).toEqual([200, 'close']);
    // A signal within a second of the first is the same one.
    const repeat = setInterval(() => service.signal('SIGTERM'), 500);
    expect((await service.ended).code).toBe(0);
    clearInterval(repeat);
  });

  it('exits by itself after the delay', async () => {
    const service = await startService({ DATA_DIR, SHUTDOWN_DELAY: '1' });
    expect((await service.stop()).code).toBe(0);
    expect(service.logged().map(({ msg }) => msg)).toContainEqual(
      'draining: everything is still served, /readyz responds with 503',
    );
  });
});
