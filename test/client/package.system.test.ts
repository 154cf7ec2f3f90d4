import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readBlocks } from '../docs/pages.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// The package as its users get it: packed, installed from the file without a registry, compiled and run.

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const TSC = join(root, 'node_modules/typescript-native/bin/tsc');
const MANIFEST = join(root, 'packages/client/package.json');

/** Their TypeScript examples are compiled and run, each page as one module. */
const PAGES = { readme: 'packages/client/README.md', guide: 'docs/guides/client.md' };

let app: TestApp;
let folder: string;
let subpaths: string[];

beforeAll(async () => {
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'foyer-client-'));
  subpaths = Object.keys(JSON.parse(await readFile(MANIFEST, 'utf8')).exports).map((path) =>
    path.replace('.', '@foyer/client'),
  );
  await run(process.execPath, [TSC, '-p', 'packages/client'], { cwd: root });
  await run(
    'npm',
    ['pack', '--ignore-scripts', '--workspace', '@foyer/client', '--pack-destination', folder],
    { cwd: root },
  );
  const [tarball = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', `./${tarball}`], { cwd: folder });
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

/** Runs Node with a module of the folder, or with a text. */
const runNode = (...args: string[]) =>
  run(process.execPath, args, { cwd: folder, env: environment() });

const environment = () => ({ ...process.env, FOYER_TOKEN: token });
let token = '';

/** Apollo Client and urql, which only the users of these subpaths install. */
async function linkPeers(): Promise<void> {
  const { peerDependencies } = JSON.parse(await readFile(MANIFEST, 'utf8'));
  for (const name of Object.keys(peerDependencies)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
}

it('has the version of the service', async () => {
  const [service, client] = await Promise.all(
    [join(root, 'package.json'), MANIFEST].map(
      async (file) => JSON.parse(await readFile(file, 'utf8')).version,
    ),
  );
  expect(client).toBe(service);
});

it('contains what was built, and needs no other package', async () => {
  expect((await readdir(join(folder, 'node_modules'))).sort()).toEqual([
    '.package-lock.json',
    '@foyer',
  ]);
  const installed = join(folder, 'node_modules/@foyer/client');
  expect((await readdir(installed)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ]);
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name))).toEqual(['generated']);
  const imports = await Promise.all(
    files
      .filter((name) => name.endsWith('.js') && !name.includes('-cache'))
      .map(async (name) => {
        const code = await readFile(join(installed, 'dist', name), 'utf8');
        return code.match(/from ['"][^.][^'"]*/g) ?? [];
      }),
  );
  expect(imports.flat()).toEqual([]);
  const core = 'await import("@foyer/client"); await import("@foyer/client/operations");';
  await runNode('--input-type=module', '--eval', core);
});

it('has subpaths that Node can import', async () => {
  await linkPeers();
  const imports = subpaths.map((path) => `await import(${JSON.stringify(path)})`);
  const code = `for (const module of [${imports}]) console.log(Object.keys(module).length > 0)`;
  const { stdout } = await runNode('--input-type=module', '--eval', code);
  expect(stdout.trim().split('\n')).toEqual(subpaths.map(() => 'true'));
});

it.each(['nodenext', 'bundler'])(
  'has types for the module resolution "%s"',
  async (moduleResolution) => {
    await writeFile(join(folder, 'consumer.ts'), CONSUMER);
    for (const [name, page] of Object.entries(PAGES))
      await writeFile(join(folder, `${name}.ts`), toModule(page));
    const options = {
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: moduleResolution === 'nodenext', // the types of Apollo Client's packages do not compile with it
      outDir: 'dist',
    };
    const tsconfig = { compilerOptions: options, include: ['*.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const { stdout } = await run(process.execPath, [TSC, '-p', '.'], { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).toBe('');
  },
);

it.each(Object.keys(PAGES))('has examples that work: %s', async (name) => {
  token = await app.token('*');
  const { stdout } = await runNode(join('dist', `${name}.js`));
  expect(stdout).toMatch(/\w/);
});

it('adds at most 15,000 compressed bytes to a page, and only the documents that the page imports', async () => {
  const script = join(root, 'prisma/scripts/measure-client.ts');
  const { stdout } = await run(process.execPath, ['--import', 'tsx', script], { cwd: root });
  const { core, document } = JSON.parse(stdout);
  expect(core).toBeGreaterThan(1_000);
  expect(core).toBeLessThanOrEqual(15_000);
  expect(document).toBeLessThanOrEqual(1_000);
});

/** The examples of a page, which use the service of this test and its clock. */
const toModule = (page: string) =>
  readBlocks(page)
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://localhost:4000', app.url)
    .replace('Date.now()', String(app.clock.now.getTime()));

/** What the compiler accepts, and what it must reject. */
const CONSUMER = `
import { createClient, isFoyerError, type RestInput, type RestItem, type RestResult } from '@foyer/client';
import { apolloCacheConfig } from '@foyer/client/apollo';
import { bookings, createBooking, signOut, viewer } from '@foyer/client/operations';
import { urqlCacheConfig } from '@foyer/client/urql';

const foyer = createClient({ url: 'https://foyer.example.org', token: async () => 'foyer_x' });

export async function use() {
  const { booking }: RestResult<'getBooking'> = await foyer.rest.getBooking({ id: 'x' });
  const title: string | null = booking.title;
  const input: RestInput<'cancelBooking'> = { id: 'x', reason: 'Ill' };
  await foyer.rest.cancelBooking(input, { idempotencyKey: 'x', signal: AbortSignal.timeout(1) });
  const pdf: Blob = await foyer.rest.getOrderTickets({ id: 'x' });
  for await (const item of foyer.rest.listBookings.each()) {
    const same: RestItem<'listBookings'> = item;
    const amount: number = same.price.amount;
    console.log(amount);
  }
  const { viewer: me } = await foyer.query(viewer);
  const kind: 'ANONYMOUS' | 'DEVICE' | 'MEMBER' | 'STAFF' | 'SYSTEM' | 'TOKEN' = me.kind;
  for await (const node of foyer.nodes(bookings, { filter: { status: ['CONFIRMED'] } })) {
    const name: string = node.resource.name;
    console.log(name);
  }
  await foyer.mutate(signOut);
  const untyped: unknown = await foyer.query('{ viewer { kind } }');

  // @ts-expect-error a parameter is missing
  await foyer.rest.getBooking();
  // @ts-expect-error a parameter is unknown
  await foyer.rest.getBooking({ id: 'x', limit: 1 });
  // @ts-expect-error a value is unknown
  await foyer.rest.listBookings({ status: ['unknown'] });
  // @ts-expect-error an operation is unknown
  foyer.rest.listNothing;
  // @ts-expect-error reads have no idempotency key
  await foyer.rest.listBookings({}, { idempotencyKey: 'x' });
  // @ts-expect-error an object is no list
  foyer.rest.getBooking.each;
  // @ts-expect-error the input is missing
  await foyer.mutate(createBooking);
  // @ts-expect-error a field of the input has another type
  await foyer.mutate(createBooking, { input: { resourceId: 1, startsAt: '', endsAt: '' } });
  // @ts-expect-error a field was not selected
  (await foyer.query(viewer)).viewer.password;
  return { title, pdf, kind, untyped };
}

export function handle(error: unknown): string | null {
  // @ts-expect-error a reason is unknown
  isFoyerError(error, 'UNKNOWN_REASON');
  if (isFoyerError(error, 'SLOT_TAKEN')) return error.reason satisfies 'SLOT_TAKEN';
  return isFoyerError(error) ? error.requestId : null;
}

export { apolloCacheConfig, urqlCacheConfig };
`;
