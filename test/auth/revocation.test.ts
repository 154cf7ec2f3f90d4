import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createHttpServer } from '../../src/server/http-server.ts';
import { cacheTokens, revokeUnderLoad } from '../support/clients/revocation-race.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { serverUrl, withDatabaseName } from '../support/harness/database.ts';

let app: TestApp;
let otherDatabase: Database;
let cookie: string;

beforeAll(async () => {
  app = await startApp();
  cookie = await app.signIn(STAFF.owner);
  if (serverUrl) {
    const { rows } = await app.database.pool.query('SELECT current_database() AS name');
    const databaseUrl = withDatabaseName(serverUrl, rows[0].name);
    otherDatabase = await openDatabase({ databaseUrl, dataDir: '' });
  } else {
    process.stderr.write('Without TEST_DATABASE_URL the two instances share one connection.\n');
    otherDatabase = app.database;
  }
});
afterAll(async () => {
  if (serverUrl) await otherDatabase.close();
  await app.stop();
});

/** Runs the race against the first instance and another one on this database. */
async function round(database: Database) {
  const other = await anotherInstance(database);
  const { data } = await app.graphql(
    'mutation { createApiToken(input: { name: "t", scopes: ["bookings:read"] }) { secret apiToken { id } } }',
    {},
    { cookie },
  );
  const { secret, apiToken } = data.createApiToken;
  try {
    return await revokeUnderLoad({
      urls: [app.url, other.url],
      token: secret,
      otherToken: await app.token('bookings:read'),
      connections: 16,
      warmUpMs: 100,
      revoke: async () => {
        const { errors } = await app.graphql(
          'mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { apiToken { revokedAt } } }',
          { id: apiToken.id },
          { cookie },
        );
        expect(errors).toEqual([]);
      },
    });
  } finally {
    await other.stop();
  }
}

async function anotherInstance(database: Database) {
  const config = readConfig({ BASE_URL: 'http://foyer.test' });
  const log = pino({ level: 'silent' });
  const { listener, close } = createApp({ config, database, log, now: () => app.clock.now });
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

describe('a token revoked through one instance while both are busy', () => {
  it('is accepted afterwards if its scopes are cached for a minute (negative control)', async () => {
    const sql = cacheTokens(otherDatabase.pipelinedSql, 60_000);
    const { before, accepted } = await round({ ...otherDatabase, pipelinedSql: sql });
    expect(before).toBeGreaterThan(0);
    expect(accepted).toBeGreaterThan(0);
  });

  it('is rejected by every request that starts after the response, and no other token is', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { before, rejected, accepted, othersRejected } = await round(otherDatabase);
      expect({ accepted, othersRejected }).toEqual({ accepted: 0, othersRejected: 0 });
      expect(before).toBeGreaterThan(0);
      expect(rejected).toBe(16 * 3);
    }
  });
});
