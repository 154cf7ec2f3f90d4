import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { readPackageVersion } from '../../src/core/package-version.ts';
import { exportDatabase } from '../../src/db/backup/export-database.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate, readMigrations } from '../../src/db/migrations.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { prepareDataDir } from '../support/harness/database.ts';
import { laterMigration } from '../support/harness/later-migration.ts';
import { readStartError } from '../support/harness/start-error.ts';

// A newer version has migrated the database, and a process of this version starts on it.

const directory = mkdtempSync(join(tmpdir(), 'foyer-upgrades-'));
const DATA_DIR = join(directory, 'data');
const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };
const NEWER = '99.0.0';
const later = laterMigration(readPackageVersion());
const logged: string[] = [];
let running: RunningServer;

beforeAll(async () => {
  await prepareDataDir(DATA_DIR);
  const database = await openDatabase({
    databaseUrl: undefined,
    dataDir: DATA_DIR,
    dataFsync: false,
  });
  await migrate(database.pool, [...readMigrations(), later], { version: NEWER });
  await database.close();
  const log = pino({}, { write: (line: string) => logged.push(line) });
  const env = { HOST: '127.0.0.1', PORT: '0', DATA_FSYNC: 'off', DATA_DIR, ...OWNER };
  running = await startServer(readConfig(env), log, { print: () => {} });
});
afterAll(() => rmSync(directory, { recursive: true }));

const get = (path: string) => fetch(`http://127.0.0.1:${running.port}${path}`);

it('starts, is ready, and logs that the schema is newer', async () => {
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/public/events')).status).toBe(200);
  const line = logged.find((text) => text.includes('a newer version migrated the database'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    migrations: [later.name],
    version: readPackageVersion(),
  });
});

it('exports rows that only the newer version can restore, and says so', async () => {
  const pieces = exportDatabase(running.database);
  const { value } = await pieces.next();
  await pieces.return({});
  const { version, migrations } = JSON.parse(String(value));
  expect([version, migrations.at(-1)]).toEqual([NEWER, later.name]);
});

it('is not ready once a migration is applied beside which it cannot run', async () => {
  const { pool } = running.database;
  const last = { name: '29990102000000_last', sql: `-- Runs beside: ${NEWER}\nSELECT 1` };
  await migrate(pool, [...readMigrations(), later, last], { version: NEWER });
  const response = await get('/readyz');
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining('The database is too new for this version.'),
  ]);
  expect((await get('/public/events')).status).toBe(200);
  await running.stop();
});

it('then does not start again, and names the version that does', async () => {
  expect(await readStartError({ DATA_DIR })).toBe(
    `A newer version of Foyer migrated the database, and version ${readPackageVersion()} cannot run on it (unknown migrations: 29990102000000_last). ` +
      `Start version ${NEWER} or later, or restore the backup from before the upgrade into a new database.\n`,
  );
});
