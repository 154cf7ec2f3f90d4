import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPackageVersion } from '../../src/core/package-version.ts';
import { openDatabase } from '../../src/db/database.ts';
import { readMigrations } from '../../src/db/migrations.ts';
import { sendGraphql, signIn } from '../support/clients/api.ts';
import {
  prepareDataDir,
  runAsAdmin,
  serverUrl,
  withDatabaseName,
} from '../support/harness/database.ts';
import {
  killAll,
  runFoyer,
  type Service,
  startExpectingExit,
  startService,
} from '../support/harness/processes.ts';
import { readStartError } from '../support/harness/start-error.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };

const directory = mkdtempSync(join(tmpdir(), 'foyer-process-'));
const at = (name: string) => join(directory, name);

afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('an interrupted first start does not corrupt the directory', async () => {
  const DATA_DIR = at('cut-short');
  const first = startExpectingExit({ DATA_DIR, PORT: '0' });
  await waitUntil(() => existsSync(DATA_DIR) && readdirSync(DATA_DIR).length > 0);
  killAll();
  expect((await first).code).toBe(null);
  const { code, stdout, stderr } = await runFoyer(['migrate', '--json'], { DATA_DIR });
  expect([code, stderr]).toEqual([0, '']);
  const names = readMigrations().map(({ name }) => name);
  const { applied } = JSON.parse(stdout);
  expect(applied).toEqual(names.slice(names.length - applied.length));
});

describe('a service on an embedded database', () => {
  const DATA_DIR = at('main');
  const lock = `${DATA_DIR}.lock`;
  let service: Service;
  let token: string;

  beforeAll(async () => {
    await prepareDataDir(DATA_DIR);
    service = await startService({ DATA_DIR, ...OWNER });
  });

  it('creates the first owner, who can sign in', async () => {
    const cookie = await signInTo(service);
    const { data } = await sendGraphql(service.url, '{ viewer { name role } }', {}, { cookie });
    expect(data.viewer).toEqual({ name: 'olga', role: 'OWNER' });
    const made = await sendGraphql(service.url, CREATE_TOKEN, {}, { cookie });
    token = made.data.createApiToken.secret;
  });

  it('accepts no webhook for a private address by default', async () => {
    const cookie = await signInTo(service);
    const { errors } = await sendGraphql(service.url, CREATE_WEBHOOK, {}, { cookie });
    expect(errors.map(({ extensions }) => extensions.reason)).toEqual(['PRIVATE_ADDRESS']);
  });

  it('locks the directory and names its process to others', async () => {
    const before = await readFile(lock, 'utf8');
    const [another, command] = await Promise.all([
      startExpectingExit({ DATA_DIR, PORT: '0' }),
      runFoyer(['token', 'list'], { DATA_DIR }),
    ]);
    for (const { code, stdout, stderr } of [another, command]) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        new RegExp(
          `^The embedded database in ${DATA_DIR} is in use by process ${service.pid} .*\n$`,
        ),
      );
    }
    expect(await readFile(lock, 'utf8')).toBe(before);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('finishes open requests on SIGTERM and accepts no others', async () => {
    const slow = await slowRequest(service, token);
    service.signal('SIGTERM');
    await waitUntil(() => service.logged().some(({ signal }) => signal === 'SIGTERM'));
    await waitUntil(() => rejectsConnections(service.port));
    const response = await slow.finish();
    expect(response).toContain('HTTP/1.1 200 OK');
    expect(response).toContain('{"data":{"viewer":{"name":"tour"}}');
    expect((await service.ended).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it('loses nothing and creates no second owner on restart', async () => {
    service = await startService({ DATA_DIR, ...OWNER, ADMIN_PASSWORD: 'another one entirely' });
    const cookie = await signInTo(service);
    const { data } = await sendGraphql(service.url, TOKENS, {}, { cookie });
    expect(data.apiTokens.edges).toEqual([
      { node: { name: 'tour', lastUsedAt: expect.any(String) } },
    ]);
  });

  it('takes over the directory of a killed process', async () => {
    service.signal('SIGKILL');
    await service.ended;
    expect(existsSync(lock)).toBe(true);
    const next = await startService({ DATA_DIR });
    expect((await fetch(`${next.url}/public/events`)).status).toBe(200);
    expect((await next.stop()).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it('releases the directory if its port is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as { port: number };
    const error = await readStartError({ DATA_DIR, PORT: String(port) });
    occupant.close();
    expect(error).toBe(`PORT: cannot listen on 127.0.0.1:${port}: the port is already in use.\n`);
    expect(existsSync(lock)).toBe(false);
  });

  it('rejects the database of a newer version and does not change it', async () => {
    const where = { databaseUrl: undefined, dataDir: at('newer') };
    await cp(DATA_DIR, where.dataDir, { recursive: true });
    await applied(
      where,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('1', '', '29990101000000_later', now())`,
    );
    expect(await readStartError({ DATA_DIR: where.dataDir })).toBe(
      `A newer version of Foyer migrated the database, and version ${readPackageVersion()} cannot run on it (unknown migrations: 29990101000000_later). Start the newer version, or restore the backup from before the upgrade into a new database.\n`,
    );
    expect(await applied(where)).toEqual([
      ...readMigrations().map(({ name }) => name),
      '29990101000000_later',
    ]);
  });
});

if (serverUrl) {
  it('two concurrent starts on one PostgreSQL migrate it once and create one owner', async () => {
    const name = `foyer_process_${process.pid}`;
    const url = withDatabaseName(serverUrl ?? '', name);
    await runAsAdmin(serverUrl ?? '', `CREATE DATABASE ${name}`);
    try {
      const both = await Promise.all(
        [1, 2].map(() => startService({ DATABASE_URL: url, ...OWNER })),
      );
      const findLogged = (what: string) =>
        both.flatMap(({ logged }) => logged().filter(({ msg }) => msg === what));
      expect(findLogged('migrations applied')).toHaveLength(1);
      expect(findLogged('owner created')).toHaveLength(1);
      await Promise.all(both.map((service) => signInTo(service)));
      const ends = await Promise.all(both.map((service) => service.stop()));
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      expect(await applied({ databaseUrl: url, dataDir: '' })).toEqual(
        readMigrations().map(({ name }) => name),
      );
    } finally {
      await runAsAdmin(serverUrl ?? '', `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
} else {
  process.stderr.write('Left out without TEST_DATABASE_URL: two services that start at once.\n');
}

const CREATE_TOKEN = `mutation {
  createApiToken(input: { name: "tour", scopes: ["bookings:read"] }) { secret } }`;
const CREATE_WEBHOOK = `mutation {
  createWebhook(input: { url: "http://127.0.0.1:9/", events: ["member.*"] }) { webhook { id } } }`;
const TOKENS = '{ apiTokens(first: 5) { edges { node { name lastUsedAt } } } }';

const signInTo = ({ url }: Service) => signIn(url, OWNER.ADMIN_EMAIL, OWNER.ADMIN_PASSWORD);

/** Sends the beginning of a request; `finish` sends the rest. */
async function slowRequest({ port, url }: Service, token: string) {
  const body = JSON.stringify({ query: '{ viewer { name } }' });
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await fetch(`${url}/healthz`); // responds after the beginning has been read
  return {
    finish: async () => {
      socket.write(body.slice(5));
      let response = '';
      for await (const text of socket) response += text;
      return response;
    },
  };
}

const rejectsConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

/** The names of the migrations in a database. */
async function applied(where: Parameters<typeof openDatabase>[0], first = 'SELECT 1') {
  const database = await openDatabase(where);
  try {
    await database.pool.query(first);
    const { rows } = await database.pool.query(
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1',
    );
    return rows.map(({ name }) => name);
  } finally {
    await database.close();
  }
}
