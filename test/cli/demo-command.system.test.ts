import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createApiToken } from '../../src/features/tokens/service.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { prepareDataDir } from '../support/harness/database.ts';
import { killAll, runFoyer, startDemo } from '../support/harness/processes.ts';
import { readStartError } from '../support/harness/start-error.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'foyer-demo-'));
});
afterAll(async () => {
  killAll();
  await rm(directory, { recursive: true });
});

describe('the demo', () => {
  // An owner from the environment must not count as existing data.
  const env = { ADMIN_EMAIL: 'you@example.org', ADMIN_PASSWORD: 'a few unrelated words' };

  const demo = () => join(directory, 'demo');

  it.each([
    ['on its first start', () => startDemo(['--data-dir', demo()], env)],
    ['and again on the next one', () => startDemo([], { ...env, DATA_DIR: demo() })],
  ])('prints credentials that work, %s', async (_, start) => {
    const service = await start();
    expect(service.printed).toContain(`delete ${demo()} to start over`);
    const [token] = /foyer_\w{49}/.exec(service.printed) ?? [];
    const [device] = /foyerd_\w{49}/.exec(service.printed) ?? [];
    const as = { headers: { authorization: `Bearer ${token}` } };

    const bookings = await (await fetch(`${service.url}/bookings?limit=1`, as)).json();
    expect(bookings.data.bookings).toHaveLength(1);
    const events = await (await fetch(`${service.url}/public/events`)).json();
    expect(events.data.events.length).toBeGreaterThan(3);
    expect((await fetch(`${service.url}/displays/state/${device}`)).status).toBe(200);
    const displays = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { ...as.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: '{ displays(first: 9) { edges { node { name status } } } }',
      }),
    });
    const { data } = await displays.json();
    const online = data.displays.edges.filter(
      ({ node }: { node: { status: string } }) => node.status === 'ONLINE',
    );
    expect(online).toHaveLength(4);
    const password = /with the password "([^"]+)"/.exec(service.printed)?.[1];
    const signIn = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query:
          'mutation ($p: String!) { signIn(input: { email: "ada@example.org", password: $p }) { viewer { kind } } }',
        variables: { p: password },
      }),
    });
    expect(await signIn.json()).toMatchObject({
      data: { signIn: { viewer: { kind: 'STAFF' } } },
    });
    expect((await service.stop()).code).toBe(0);
  });

  it('is not served at a public address by a normal start', async () => {
    const env = { DATA_DIR: demo(), BASE_URL: 'https://space.example.com' };
    expect(await readStartError(env)).toBe(
      'The database contains the demo space, whose passwords are published, so it is not served at https://space.example.com. Set DATA_DIR to a new directory for your own space, or give these accounts new passwords: ada@example.org, fred@example.org, mona@example.org.\n',
    );
  });

  it('is served on this machine by a normal start, with a warning', async () => {
    const logged: string[] = [];
    expect(await readStartError({ DATA_DIR: demo() }, logged)).toBe('');
    expect(logged.join()).toContain(
      'The database contains the demo space, whose passwords are published',
    );
  });

  it('does not run on the database of a space', async () => {
    const DATA_DIR = join(directory, 'space');
    await prepareDataDir(DATA_DIR);
    await withSpace(DATA_DIR, ({ db }) =>
      db.user.create({ data: { name: 'Olga', email: 'olga@example.org', role: 'owner' } }),
    );
    const { code, stderr } = await runFoyer(['demo', '--data-dir', DATA_DIR], { PORT: '0' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`${DATA_DIR} contains a space that is not the demo. Choose a new`),
    ]);
    expect(await withSpace(DATA_DIR, ({ db }) => db.apiToken.count())).toBe(0);
  });

  it('does not run on a database with nothing but a token', async () => {
    const DATA_DIR = join(directory, 'token');
    await prepareDataDir(DATA_DIR);
    await withSpace(DATA_DIR, (ctx) =>
      createApiToken(ctx, { name: 'Website', scopes: ['events:read'] }),
    );
    const { code, stderr } = await runFoyer(['demo'], { PORT: '0', DATA_DIR });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not the demo')]);
  });

  it('keeps its files from other users of the machine', async () => {
    expect((await stat(join(directory, 'demo'))).mode & 0o777).toBe(0o700);
  });
});

/** Works with the database in a directory, while no process uses it. */
async function withSpace<T>(dataDir: string, work: (ctx: Context) => Promise<T>): Promise<T> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir, dataFsync: false });
  try {
    return await work(createSystemContext(database));
  } finally {
    await database.close();
  }
}
