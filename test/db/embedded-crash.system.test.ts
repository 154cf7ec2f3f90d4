import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { type GraphqlResponse, sendGraphql, signIn } from '../support/clients/api.ts';
import { prepareDataDir } from '../support/harness/database.ts';

const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };

const directory = mkdtempSync(join(tmpdir(), 'foyer-crash-'));
const dataDir = join(directory, 'main');
const logged: string[] = [];
let service: RunningServer;
let url: string;
let cookie: string;

beforeAll(async () => {
  await prepareDataDir(dataDir);
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', ...OWNER });
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  service = await startServer(config, log);
  url = `http://127.0.0.1:${service.port}`;
  cookie = await signIn(url, OWNER.ADMIN_EMAIL, OWNER.ADMIN_PASSWORD);
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

const createMember = (name: string): Promise<GraphqlResponse> =>
  sendGraphql(
    url,
    'mutation ($name: String!, $email: String!) { createMember(input: { name: $name, email: $email }) { member { id } } }',
    { name, email: `${name}@example.org` },
    { cookie },
  );

it('an embedded database reopens after a panic without losing acknowledged writes', async () => {
  expect((await createMember('before')).errors).toEqual([]);
  // PostgreSQL panics if its log cannot grow, on a full disk as well as without the directory.
  const away = `${dataDir}/away`;
  renameSync(`${dataDir}/pg_wal`, away);
  const { pool } = service.database;
  const panic = pool
    .query('SELECT pg_switch_wal()')
    .then(() => pool.query('CREATE TABLE load (n int)'));
  await expect(panic).rejects.toThrow(); // for this statement or for one that ran before it

  const rejected = await createMember('during');
  expect([rejected.status, rejected.data, rejected.codes]).toEqual([503, null, ['INTERNAL']]);
  expect(rejected.errors[0]?.extensions.reason).toBe('UNAVAILABLE');
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  const read = await fetch(`${url}/public/events`);
  expect([read.status, read.headers.has('retry-after')]).toEqual([503, true]);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  renameSync(away, `${dataDir}/pg_wal`);
  while ((await fetch(`${url}/readyz`)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await createMember('after')).errors).toEqual([]);
  const { data } = await sendGraphql(
    url,
    '{ members { edges { node { name } } } }',
    {},
    { cookie },
  );
  const names = data.members.edges.map(({ node }: { node: { name: string } }) => node.name);
  expect(names.sort()).toEqual(['after', 'before']);
  expect(logged.join()).toContain('the embedded database crashed; reopening it');
  expect(logged.join()).toContain('"severity":"PANIC"');
});
