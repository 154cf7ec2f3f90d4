import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { createSecret } from '../../src/auth/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { isUnavailable, toDomainError } from '../../src/errors.ts';
import { createDisplay } from '../../src/features/displays/service/manage-displays.ts';
import { createApiToken } from '../../src/features/tokens/service.ts';
import { type GraphqlResponse, sendGraphql } from '../support/clients/api.ts';
import { OUTAGES, openUnreliableDatabase } from '../support/fakes/unreliable-database.ts';
import { startApp } from '../support/harness/app.ts';
import { captureStatements } from '../support/harness/query-plans.ts';

type Unreliable = Awaited<ReturnType<typeof openUnreliableDatabase>>;

let test: Unreliable;
let app: App;
let url: string;
let token: string;
let deviceToken: string;
const server = createServer();
const logged: string[] = [];

beforeAll(async () => {
  test = await openUnreliableDatabase('seeded');
  const { database, ctx } = test;
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  app = createApp({ config: readConfig({}), database, log, now: ctx.now });
  server.on('request', app.listener as RequestListener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  token = (await createApiToken(ctx, { name: 'test', scopes: ['*'] })).plainText;
  const location = await ctx.db.location.findFirstOrThrow();
  const made = await createDisplay(ctx, {
    name: 'Wall',
    kind: 'welcome',
    locationId: location.id,
  });
  ({ deviceToken } = made);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
  await test.close();
});
afterEach(() => test.outage.end());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { ...headers } });

const send = (query: string, as: { token?: string } = { token }) => sendGraphql(url, query, {}, as);

function expectOutage({ status, headers, data, errors }: GraphqlResponse) {
  expect([status, data, errors[0]?.extensions]).toEqual([
    503,
    null,
    { code: 'INTERNAL', reason: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) },
  ]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

const EVENT = 'event(slug: "open-house") { slug }';
const ADD_TEAM = 'createTeam(input: { name: "Outage" }) { team { id } }';

describe.each(Object.entries(OUTAGES))('%s', (_, failure) => {
  it('is 503 with Retry-After in REST, spread for devices', async () => {
    const paths = [
      '/public/events',
      '/bookings',
      `/displays/state/${deviceToken}`,
      `/displays/heartbeat/${deviceToken}`,
      `/public/orders/${createSecret('orderLink').plainText}`,
      '/readyz',
    ];
    test.outage.begin({ failure });
    for (const path of paths) {
      const response = await get(path, { authorization: `Bearer ${token}` });
      expect([path, response.status]).toEqual([path, 503]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      const { success, data } = (await response.json()) as { success: boolean; data: string };
      expect([success, typeof data]).toEqual([false, 'string']);
      expect(data).not.toMatch(/database is away|ECONN|57P01|53100/);
    }
    expect((await get('/healthz')).status).toBe(200);
    const waits = new Set<string | null>();
    for (let n = 0; n < 20; n += 1)
      waits.add((await get(`/displays/state/${deviceToken}`)).headers.get('retry-after'));
    expect(waits.size).toBeGreaterThan(5);
    test.outage.end();
    for (const path of paths.filter((path) => !path.startsWith('/public/orders')))
      expect((await get(path, { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('is 503 with Retry-After in GraphQL at any statement', async () => {
    test.outage.begin({ failure });
    expectOutage(await send(`{ ${EVENT} }`, {})); // in a resolver
    expectOutage(await send(`{ ${EVENT} }`)); // while the token is checked
    expectOutage(await send(`mutation { ${ADD_TEAM} }`));
    expectOutage(await send('subscription { occupancyChanged { present } }'));
    test.outage.end();
    expect((await send(`{ ${EVENT} }`)).data).toEqual({ event: { slug: 'open-house' } });
  });

  it.each([
    ['that PostgreSQL answers', `{ ${EVENT} } # planned`],
    ['that PostgreSQL answers in part', `{ ${EVENT} viewer { kind } } # planned`],
  ])('is 503 with Retry-After for a query %s', async (_, query) => {
    await send(query, {});
    await send(query, {});
    const statements = await captureStatements(() => send(query, {}));
    // The service also polls.
    const planned = statements.filter(({ name }) => name?.startsWith('planned_'));
    expect(planned).toHaveLength(1);
    test.outage.begin({ failure });
    expectOutage(await send(query, {}));
    test.outage.end();
    expect((await send(query, {})).errors).toEqual([]);
  });

  it('is 503 for the whole response if one field fails', async () => {
    const query = `{ ${EVENT} members(first: 1) { edges { node { name } } } }`;
    const whole = await send(query);
    expect(whole.errors).toEqual([]);
    // The token is checked and one of both fields is read; the other one fails.
    test.outage.begin({ failure, afterStatements: 2 });
    expectOutage(await send(query));
    test.outage.end();
    expect((await send(query)).data).toEqual(whole.data);
  });
});

it('an open subscription reports the outage and ends, and can be reopened', async () => {
  const start = () =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query: 'subscription { displayStatusChanged { display { id } } }' }),
    });
  const stream = await start();
  expect(stream.status).toBe(200);
  test.outage.begin();
  let text = '';
  for await (const bytes of stream.body as unknown as Readable)
    text += Buffer.from(bytes).toString();
  expect(text).toContain('"reason":"UNAVAILABLE"');
  test.outage.end();
  const again = await start();
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

describe('what counts as an outage', () => {
  const database = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code });
  const prisma = (code: string, cause?: object) =>
    Object.assign(new Error('x'), { code, meta: { driverAdapterError: { cause } } });
  it.each([
    ...['57P01', '57P02', '57P03', '08006', '08001', '53300', '53100', '25006', '58030'].map(
      database,
    ),
    ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'].map((code) => prisma(code)),
    prisma('P2010', { kind: 'postgres', originalCode: '57P01' }),
    prisma('P2010', { kind: 'ConnectionClosed' }),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
    new Error('write EPIPE', { cause: Object.assign(new Error(), { code: 'EPIPE' }) }),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
  ])('includes %p', (error) => {
    expect(isUnavailable(toDomainError(error))).toBe(true);
  });
  it.each([
    ...['42P01', '23505', '22001', '40P01', '28P01'].map(database),
    prisma('P2002'),
    new TypeError('x is not a function'),
    undefined,
  ])('does not include %p', (error) => {
    expect(isUnavailable(toDomainError(error))).toBe(false);
  });
});

it('a read-only database serves reads, returns 503 for writes and is not ready', async () => {
  const service = await startApp();
  const { pool, kind } = service.database;
  const credential = { token: await service.token('*') };
  // Writes in the background would fail too and reset the embedded session.
  await service.app.close();
  const { rows } = await pool.query('SELECT current_database() AS name');
  const readOnly = async (isOn: boolean) => {
    const setting = `default_transaction_read_only = ${isOn ? 'on' : 'off'}`;
    if (kind === 'embedded') return pool.query(`SET ${setting}`);
    const client = await pool.connect();
    await client.query('SET transaction_read_only = off; SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${rows[0].name} SET ${setting}`);
    client.release(true);
    // It applies to new sessions, as after a failover.
    const admin = await pool.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    admin.release(true);
  };
  try {
    await readOnly(true);
    await until(async () => (await service.rest('/public/events')).status === 200);
    const ready = await service.rest('/readyz');
    expect([ready.status, ready.body.data]).toEqual([503, 'The database is read-only.']);
    expect((await service.graphql(`{ ${EVENT} }`, {}, credential)).errors).toEqual([]);
    expectOutage(await service.graphql(`mutation { ${ADD_TEAM} }`, {}, credential));
    // There the failed statement resets the session.
    if (kind === 'embedded') await readOnly(true);
    const find = await service.rest(
      '/public/orders/find',
      {},
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.org' }),
      },
    );
    expect([find.status, find.headers.has('retry-after')]).toEqual([503, true]);
    await readOnly(false);
    await until(async () => (await service.rest('/readyz')).status === 200);
    expect((await service.graphql(`mutation { ${ADD_TEAM} }`, {}, credential)).errors).toEqual([]);
  } finally {
    await service.stop();
  }
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
