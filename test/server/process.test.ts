import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import { readMigrations } from '../../src/db/migrations.ts';
import { graphql, signIn } from '../support/app.ts';
import { foyer, killAll, type Service, serve, startInVain } from '../support/processes.ts';
import { administer, prepareDataDir, serverUrl, within } from '../support/templates.ts';

const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };

const directory = mkdtempSync(join(tmpdir(), 'foyer-process-'));
const at = (name: string) => join(directory, name);

afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('a first start that is cut short does not spoil the directory', async () => {
  const DATA_DIR = at('cut-short');
  const first = startInVain({ DATA_DIR, PORT: '0' });
  await until(() => existsSync(DATA_DIR) && readdirSync(DATA_DIR).length > 0);
  killAll();
  expect((await first).code).toBe(null);
  const { code, stdout, stderr } = await foyer(['migrate', '--json'], { DATA_DIR });
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
    service = await serve({ DATA_DIR, ...OWNER });
  });

  it('has made its first owner, who can sign in', async () => {
    const cookie = await signInTo(service);
    const { data } = await graphql(service.url, '{ viewer { name role } }', {}, { cookie });
    expect(data.viewer).toEqual({ name: 'olga', role: 'OWNER' });
    const made = await graphql(service.url, CREATE_TOKEN, {}, { cookie });
    token = made.data.createApiToken.plainText;
  });

  it('keeps every other process out and names itself', async () => {
    const before = await readFile(lock, 'utf8');
    const [another, command] = await Promise.all([
      startInVain({ DATA_DIR, PORT: '0' }),
      foyer(['token', 'list'], { DATA_DIR }),
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

  it('finishes on SIGTERM what is in flight and takes nothing new', async () => {
    const slow = await slowRequest(service, token);
    service.signal('SIGTERM');
    await until(() => service.logged().some(({ signal }) => signal === 'SIGTERM'));
    await until(() => refusesConnections(service.port));
    const answer = await slow.finish();
    expect(answer).toContain('HTTP/1.1 200 OK');
    expect(answer).toContain('{"data":{"viewer":{"name":"tour"}}}');
    expect((await service.ended).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it('has lost nothing, and makes no second owner, when it starts again', async () => {
    service = await serve({ DATA_DIR, ...OWNER, ADMIN_PASSWORD: 'another one entirely' });
    const cookie = await signInTo(service);
    const { data } = await graphql(service.url, TOKENS, {}, { cookie });
    expect(data.apiTokens.edges).toEqual([
      { node: { name: 'tour', lastUsedAt: expect.any(String) } },
    ]);
  });

  it('takes over from one that was killed', async () => {
    service.signal('SIGKILL');
    await service.ended;
    expect(existsSync(lock)).toBe(true);
    const next = await serve({ DATA_DIR });
    expect((await fetch(`${next.url}/public/events`)).status).toBe(200);
    expect((await next.stop()).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it('leaves the directory to others when its port is taken', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as { port: number };
    const { code, stderr } = await startInVain({ DATA_DIR, PORT: String(port) });
    occupant.close();
    expect([code, stderr]).toEqual([
      1,
      `PORT: cannot listen on 127.0.0.1:${port}: the port is already in use.\n`,
    ]);
    expect(existsSync(lock)).toBe(false);
  });

  it('refuses a database of a newer Foyer and leaves it as it is', async () => {
    const where = { databaseUrl: undefined, dataDir: at('newer') };
    await cp(DATA_DIR, where.dataDir, { recursive: true });
    await applied(
      where,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('1', '', '29990101000000_later', now())`,
    );
    const { code, stderr } = await startInVain({ DATA_DIR: where.dataDir, PORT: '0' });
    expect([code, stderr]).toEqual([
      1,
      'A newer version of Foyer created the database (it has 29990101000000_later). Start that version instead.\n',
    ]);
    expect(await applied(where)).toEqual([
      ...readMigrations().map(({ name }) => name),
      '29990101000000_later',
    ]);
  });
});

if (serverUrl) {
  it('two that start at once on one PostgreSQL migrate it once and make one owner', async () => {
    const name = `foyer_process_${process.pid}`;
    const url = within(serverUrl ?? '', name);
    await administer(serverUrl ?? '', `CREATE DATABASE ${name}`);
    try {
      const both = await Promise.all([1, 2].map(() => serve({ DATABASE_URL: url, ...OWNER })));
      const said = (what: string) =>
        both.flatMap(({ logged }) => logged().filter(({ msg }) => msg === what));
      expect(said('migrations applied')).toHaveLength(1);
      expect(said('owner created')).toHaveLength(1);
      await Promise.all(both.map((service) => signInTo(service)));
      const ends = await Promise.all(both.map((service) => service.stop()));
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      expect(await applied({ databaseUrl: url, dataDir: '' })).toEqual(
        readMigrations().map(({ name }) => name),
      );
    } finally {
      await administer(serverUrl ?? '', `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
} else {
  process.stderr.write('Left out without TEST_DATABASE_URL: two services that start at once.\n');
}

const CREATE_TOKEN = `mutation {
  createApiToken(input: { name: "tour", scopes: ["bookings:read"] }) { plainText } }`;
const TOKENS = '{ apiTokens(first: 5) { edges { node { name lastUsedAt } } } }';

const signInTo = ({ url }: Service) => signIn(url, OWNER.ADMIN_EMAIL, OWNER.ADMIN_PASSWORD);

/** A request that the service has begun to read; the rest is sent by `finish`. */
async function slowRequest({ port, url }: Service, token: string) {
  const body = JSON.stringify({ query: '{ viewer { name } }' });
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await fetch(`${url}/healthz`); // answered after the beginning has been read
  return {
    finish: async () => {
      socket.end(body.slice(5));
      let answer = '';
      for await (const text of socket) answer += text;
      return answer;
    },
  };
}

const refusesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The names of the migrations that a database says it has. */
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
