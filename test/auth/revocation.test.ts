import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createHttpServer } from '../../src/server/http-server.ts';
import { STAFF, startApp, type TestApp } from '../support/app.ts';
import { rememberingTokens, revokeUnderLoad } from '../support/revocation.ts';
import { serverUrl, within } from '../support/templates.ts';

let app: TestApp;
let otherDatabase: Database;
let cookie: string;

beforeAll(async () => {
  app = await startApp();
  cookie = await app.signIn(STAFF.owner);
  if (serverUrl) {
    const { rows } = await app.database.pool.query('SELECT current_database() AS name');
    const databaseUrl = within(serverUrl, rows[0].name);
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

/** One round against the first instance and another over this database. */
async function round(database: Database) {
  const other = await anotherInstance(database);
  const { data } = await app.graphql(
    'mutation { createApiToken(input: { name: "t", scopes: ["bookings:read"] }) { plainText token { id } } }',
    {},
    { cookie },
  );
  const { plainText, token } = data.createApiToken;
  try {
    return await revokeUnderLoad({
      urls: [app.url, other.url],
      token: plainText,
      otherToken: await app.token('bookings:read'),
      connections: 16,
      warmUpMs: 100,
      revoke: async () => {
        const { errors } = await app.graphql(
          'mutation ($id: ID!) { revokeApiToken(id: $id) { revokedAt } }',
          { id: token.id },
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
  it('would be let in afterwards if its rights were remembered for a minute', async () => {
    const sql = rememberingTokens(otherDatabase.pipelinedSql, 60_000);
    const { before, late } = await round({ ...otherDatabase, pipelinedSql: sql });
    expect(before).toBeGreaterThan(0);
    expect(late).toBeGreaterThan(0);
  });

  it('is refused by every request that starts after the answer, and no other token is', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { before, refused, late, othersRefused } = await round(otherDatabase);
      expect({ late, othersRefused }).toEqual({ late: 0, othersRefused: 0 });
      expect(before).toBeGreaterThan(0);
      expect(refused).toBe(16 * 3);
    }
  });
});
