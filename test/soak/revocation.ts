import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { sendGraphql, signIn } from '../support/clients/api.ts';
import {
  cacheTokens,
  type RevocationResult,
  revokeUnderLoad,
} from '../support/clients/revocation-race.ts';
import { STAFF } from '../support/harness/app.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, runFoyer, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Two processes on one PostgreSQL under load: after a token is revoked through one of them, both reject every request that
// starts after the response. The negative control caches scopes for a second and must fail.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const sizes = readSizes({ rounds: [50, 1], connections: [64, 16] });
const CONTROL_ROUNDS = 3;

const CREATE =
  'mutation { createApiToken(input: { name: "load", scopes: ["bookings:read"] }) { secret apiToken { id } } }';
const REVOKE =
  'mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { apiToken { revokedAt } } }';

const name = `foyer_revocation_${process.pid}`;
const databaseUrl = withDatabaseName(SERVER, name);

async function main(): Promise<boolean> {
  const seeded = await runFoyer(['seed', '--json'], { DATABASE_URL: databaseUrl });
  if (seeded.code !== 0) throw new Error(seeded.stderr);
  const { password } = JSON.parse(seeded.stdout).staff;

  const control = await withCachingInstances((urls) => rounds(urls, password, CONTROL_ROUNDS));
  report('negative control, scopes cached for 1 s', control);

  const both = await Promise.all([1, 2].map(() => startService({ DATABASE_URL: databaseUrl })));
  const result = await rounds(
    both.map(({ url }) => url),
    password,
    sizes.rounds,
  );
  report(`${sizes.rounds} rounds, ${sizes.connections} connections, two processes`, result);
  await Promise.all(both.map(({ stop }) => stop()));

  return (
    control.accepted > 0 &&
    result.accepted === 0 &&
    result.othersRejected === 0 &&
    result.before > 0
  );
}

async function rounds(urls: string[], password: string, times: number): Promise<RevocationResult> {
  const cookie = await signIn(urls[0] ?? '', STAFF.owner, password);
  const { plainText: otherToken } = await createToken(urls[0] ?? '', cookie);
  const sum: RevocationResult = { before: 0, rejected: 0, accepted: 0, othersRejected: 0 };
  for (let n = 0; n < times; n += 1) {
    // Alternately through both instances.
    const through = urls[n % urls.length] ?? '';
    const { plainText: token, id } = await createToken(through, cookie);
    const round = await revokeUnderLoad({
      urls,
      token,
      otherToken,
      connections: sizes.connections,
      warmUpMs: 200,
      revoke: async () => {
        const { data } = await sendGraphql(through, REVOKE, { id }, { cookie });
        if (!data?.revokeApiToken.apiToken.revokedAt) throw new Error('the token was not revoked');
      },
    });
    for (const key of Object.keys(sum) as (keyof RevocationResult)[]) sum[key] += round[key];
  }
  return sum;
}

const report = (what: string, { before, rejected, accepted, othersRejected }: RevocationResult) =>
  console.log(
    `${what}: ${before} accepted before the response; after it ${rejected} rejected, ${accepted} ACCEPTED; the other token was rejected ${othersRejected} times`,
  );

/** Two instances in this process that cache the scopes of tokens. */
async function withCachingInstances<T>(work: (urls: string[]) => Promise<T>): Promise<T> {
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  await migrate(database.pool);
  const instances = await Promise.all(
    [1, 2].map(async () => {
      const app = createApp({
        config: readConfig({}),
        database: { ...database, pipelinedSql: cacheTokens(database.pipelinedSql, 1_000) },
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
  const { data } = await sendGraphql(url, CREATE, {}, { cookie });
  return { plainText: data.createApiToken.secret, id: data.createApiToken.apiToken.id };
}

await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  killAll();
  await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
}
