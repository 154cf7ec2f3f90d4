import pg from 'pg';
import { scopeDescriptions } from '../../src/auth/scopes.ts';
import { readPackageVersion } from '../../src/core/package-version.ts';
import { migrate, readMigrations } from '../../src/db/migrations.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { serverUrl, withDatabaseName } from '../support/harness/database.ts';
import { laterMigration } from '../support/harness/later-migration.ts';
import { waitUntilBlockedOrSettled } from '../support/harness/lock-waits.ts';
import { createFindings } from '../support/walk/findings.ts';
import { type WalkCaller, walkGraphql } from '../support/walk/graphql-walk.ts';
import { readPathValues, walkRest } from '../support/walk/rest-walk.ts';
import { fillSpace } from '../support/walk/space.ts';

// A newer version migrates the database while an instance of this version runs.

const TIMEOUT_MS = 300_000;
const VERSION = readPackageVersion();
const NEWER = '99.0.0';

let app: TestApp;
let url: string;
const failed: string[] = [];

beforeAll(async () => {
  app = await startApp({
    config: { QUERY_BUDGET: '1000000000' },
    logTo: (line) => {
      if (JSON.parse(line).level >= ERROR) failed.push(line);
    },
  });
  const { rows } = await app.database.pool.query('SELECT current_database() AS name');
  url = withDatabaseName(serverUrl ?? '', rows[0].name);
}, TIMEOUT_MS);
afterAll(() => app.stop());

const ERROR = 50;

const addMigration = (name: string, sql: string) => [
  ...readMigrations(),
  laterMigration(VERSION),
  { name, sql },
];

/** Connects as another instance, for the duration of the work. */
async function asInstance<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const SELECT_ALL = { name: 'select_all', text: 'SELECT * FROM locations' };

it(
  'answers everything after a migration has added a column to every table',
  async () => {
    const space = await fillSpace(app);
    const pathValues = await readPathValues(app);
    const scopes = scopeDescriptions
      .map(({ scope }) => scope)
      .filter((scope) => scope.endsWith(':read'));
    const caller: WalkCaller = {
      viewer: { kind: 'token', id: 'x', name: 'x', scopes },
      credential: { token: await app.token(...scopes) },
    };
    const walk = async () => {
      const findings = createFindings(() => null);
      await walkGraphql(app, caller, { args: space.args, maxSteps: 1 }, findings);
      await walkRest(app, caller, pathValues, findings);
    };
    const client = await app.database.pool.connect();
    await client.query(SELECT_ALL);
    await walk();
    await walk(); // two connections share the reads
    await migrate(app.database.pool, [...readMigrations(), laterMigration(VERSION)], {
      version: NEWER,
    });
    await walk();
    expect(failed).toEqual([]);
    // This is what no statement of the service does: prepared statements that select columns without naming them.
    await expect(client.query(SELECT_ALL)).rejects.toThrow(/cached plan must not change result/);
    client.release(true);
  },
  TIMEOUT_MS,
);

it('gives up waiting for a lock, so that requests go on, and then tries again', async () => {
  const known = addMigration(
    '29990102000000_locking',
    `-- Runs beside: ${VERSION}\nALTER TABLE members ADD COLUMN wide text`,
  );
  const migrateSoon = (attempts: number) =>
    migrate(app.database.pool, known, {
      version: NEWER,
      lockWait: { timeoutMs: 200, attempts, pauseMs: 100 },
    });
  await asInstance('psql', async (client) => {
    await client.query('BEGIN; SELECT 1 FROM members');
    await expect(migrateSoon(2)).rejects.toThrow(
      /^Migration 29990102000000_locking failed at line 2 of its migration\.sql: canceling statement due to lock timeout\. Everything was rolled back\. Wait until long transactions end/,
    );
    const migrating = migrateSoon(100);
    // The migration waits for a lock at times, and these reads wait behind it.
    const token = await app.token('members:read');
    for (let n = 0; n < 10; n += 1)
      expect((await app.rest('/members?limit=1', { token })).status).toBe(200);
    await client.query('COMMIT');
    expect(await migrating).toEqual(['29990102000000_locking']);
  });
});

it('sends a read again that PostgreSQL has ended for a deadlock with a migration', async () => {
  const read = () =>
    app.database.pipelinedSql({ text: 'SELECT 1 AS one FROM locations, members LIMIT 1' }, []);
  await asInstance('psql', async (client) => {
    // The read finds the deadlock then, and is ended.
    await client.query("SET deadlock_timeout = '60s'; BEGIN; LOCK TABLE members");
    const rows = read();
    await waitUntilBlockedOrSettled(app.database.pool, rows);
    await client.query('LOCK TABLE locations');
    await client.query('COMMIT');
    expect(await rows).toEqual([{ one: 1 }]);
  });
});

it('does not migrate while an instance runs that could not go on', async () => {
  const known = addMigration('29990103000000_contract', '-- Runs beside: 0.1.5\nSELECT 1');
  await app.database.pool.query(
    `DELETE FROM _prisma_migrations WHERE migration_name = '29990102000000_locking'`,
  );
  const run = () => migrate(app.database.pool, known, { version: NEWER });
  await asInstance('foyer 0.1.4', async (client) => {
    await client.query('SELECT 1');
    await expect(run()).rejects.toMatchObject({
      code: 'CONFLICT',
      message:
        'The database is in use by version 0.1.4 of Foyer, which cannot run beside the migration 29990103000000_contract: it needs 0.1.5 or later. ' +
        'Nothing was changed. Stop these instances, then start this version again.',
      details: { reason: 'OLDER_INSTANCES' },
    });
  });
  const { rows } = await app.database.pool.query(
    `SELECT current_setting('application_name') AS name`,
  );
  expect(rows).toEqual([{ name: `foyer ${VERSION}` }]);
  await asInstance('foyer 0.1.10', async (client) => {
    await client.query('SELECT 1');
    expect(await run()).toEqual(['29990103000000_contract']);
  });
});
