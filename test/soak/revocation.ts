import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { graphql, STAFF, signIn } from '../support/app.ts';
import { foyer, killAll, serve } from '../support/processes.ts';
import { type Round, rememberingTokens, revokeUnderLoad } from '../support/revocation.ts';
import { PASSWORD } from '../support/seed.ts';
import { administer, within } from '../support/templates.ts';

// Two processes on one PostgreSQL under load: a token revoked through one of them is refused by every request that
// starts after the answer, on both. First the same with rights remembered for a second, where it must not hold.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const ROUNDS = 50;
const CONNECTIONS = 64;
const CONTROL_ROUNDS = 3;

const CREATE =
  'mutation { createApiToken(input: { name: "load", scopes: ["bookings:read"] }) { plainText token { id } } }';
const REVOKE = 'mutation ($id: ID!) { revokeApiToken(id: $id) { revokedAt } }';

const name = `foyer_revocation_${process.pid}`;
const databaseUrl = within(SERVER, name);

async function main(): Promise<boolean> {
  const seeded = await foyer(['seed', '--json'], { DATABASE_URL: databaseUrl });
  if (seeded.code !== 0) throw new Error(seeded.stderr);

  const control = await withRememberingInstances((urls) => rounds(urls, CONTROL_ROUNDS));
  report('negative control, rights remembered for 1 s', control);

  const both = await Promise.all([1, 2].map(() => serve({ DATABASE_URL: databaseUrl })));
  const kept = await rounds(
    both.map(({ url }) => url),
    ROUNDS,
  );
  report(`${ROUNDS} rounds, ${CONNECTIONS} connections, two processes`, kept);
  await Promise.all(both.map(({ stop }) => stop()));

  return control.late > 0 && kept.late === 0 && kept.othersRefused === 0 && kept.before > 0;
}

async function rounds(urls: string[], times: number): Promise<Round> {
  const cookie = await signIn(urls[0] ?? '', STAFF.owner, PASSWORD);
  const { plainText: otherToken } = await createToken(urls[0] ?? '', cookie);
  const sum: Round = { before: 0, refused: 0, late: 0, othersRefused: 0 };
  for (let n = 0; n < times; n += 1) {
    // Each time through the other one.
    const through = urls[n % urls.length] ?? '';
    const { plainText: token, id } = await createToken(through, cookie);
    const round = await revokeUnderLoad({
      urls,
      token,
      otherToken,
      connections: CONNECTIONS,
      warmUpMs: 200,
      revoke: async () => {
        const { data } = await graphql(through, REVOKE, { id }, { cookie });
        if (!data?.revokeApiToken.revokedAt) throw new Error('it was not revoked');
      },
    });
    for (const key of Object.keys(sum) as (keyof Round)[]) sum[key] += round[key];
  }
  return sum;
}

const report = (what: string, { before, refused, late, othersRefused }: Round) =>
  console.log(
    `${what}: ${before} let in before the answer; after it ${refused} refused, ${late} LET IN; the other token refused ${othersRefused} times`,
  );

/** Two instances in this process, which do what must not be done. */
async function withRememberingInstances<T>(work: (urls: string[]) => Promise<T>): Promise<T> {
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  await migrate(database.pool);
  const instances = await Promise.all(
    [1, 2].map(async () => {
      const app = createApp({
        config: readConfig({}),
        database: { ...database, pipelinedSql: rememberingTokens(database.pipelinedSql, 1_000) },
        log: pino({ level: 'silent' }),
      });
      const server = createServer(app.listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { app, server, port: (server.address() as AddressInfo).port };
    }),
  );
  try {
    return await work(instances.map(({ port }) => `http://127.0.0.1:${port}`));
  } finally {
    for (const { app, server } of instances) {
      server.closeAllConnections();
      server.close();
      await app.close();
    }
    await database.close();
  }
}

async function createToken(
  url: string,
  cookie: string,
): Promise<{ plainText: string; id: string }> {
  const { data } = await graphql(url, CREATE, {}, { cookie });
  return { plainText: data.createApiToken.plainText, id: data.createApiToken.token.id };
}

await administer(SERVER, `CREATE DATABASE ${name}`);
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  killAll();
  await administer(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
}
