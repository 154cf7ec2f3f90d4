import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/harness/app.ts';

// Clients that are generated from /openapi.json: their code compiles, and works with a running service. They are generated, checked
// and used by other processes, as users do it.

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const toBinary = (path: string) => join(root, 'node_modules', path);

let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await startApp();
  folder = await mkdtemp(join(root, 'node_modules/.cache/clients-'));
  await writeFile(
    join(folder, 'openapi.json'),
    await (await fetch(`${app.url}/openapi.json`)).text(),
  );
  await writeFile(join(folder, 'use.ts'), USE);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder });
  await Promise.all([
    node(toBinary('openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'types.ts'),
    node(
      toBinary('@hey-api/openapi-ts/bin/run.js'),
      ...['--input', 'openapi.json', '--output', 'sdk', '--client', '@hey-api/client-fetch'],
    ),
  ]);
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

describe('clients generated with openapi-typescript and @hey-api/openapi-ts', () => {
  it('compile', async () => {
    const tsc = toBinary('typescript-native/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).toBe('');
  });

  it('list, read and create bookings, and tell why a booking is rejected', async () => {
    const { id } = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
    const from = app.clock.now.getTime() + 86_400_000;
    const { stdout } = await run(process.execPath, [toBinary('tsx/dist/cli.mjs'), 'use.ts'], {
      cwd: folder,
      env: {
        ...process.env,
        FOYER: app.url,
        TOKEN: await app.token('bookings:read', 'bookings:write', 'spaces:read'),
        RESOURCE: id,
        FROM: new Date(from).toISOString(),
        TO: new Date(from + 7 * 86_400_000).toISOString(),
      },
    });
    const used = JSON.parse(stdout);
    const { resourceId, guestName } = await app.ctx.db.booking.findUniqueOrThrow({
      where: { id: used.created.id },
    });
    expect([resourceId, guestName]).toEqual([id, 'Greta Holm']);
    expect(used).toEqual({
      titles: expect.arrayContaining([expect.anything()]),
      statuses: ['cancelled', 'confirmed'],
      again: used.first,
      first: expect.any(String),
      created: { id: used.repeated, status: 'confirmed' },
      repeated: expect.any(String),
      rejected: { status: 422, reason: 'SLOT_TAKEN', message: expect.any(String) },
      ids: expect.arrayContaining([used.created.id]),
    });
  });
});

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  },
  include: ['use.ts', 'types.ts', 'sdk'],
};

/** What a user of both clients writes. */
const USE = `
import {
  createBooking,
  getBooking,
  getResourceAvailability,
  listBookings,
  listPublicEvents,
} from './sdk/index';
import { client } from './sdk/client.gen';
import type { Booking } from './sdk/types.gen';
import type { components, paths } from './types';

const { FOYER = '', TOKEN = '', RESOURCE = '', FROM = '', TO = '' } = process.env;
client.setConfig({ baseUrl: FOYER, auth: () => TOKEN });

const events = await listPublicEvents({ throwOnError: true });
const titles: string[] = events.data.data.events.map(({ title }) => title);

const list = await listBookings({
  query: { limit: 100, status: ['confirmed', 'cancelled'] },
  throwOnError: true,
});
const bookings: Booking[] = list.data.data.bookings;
const statuses = [...new Set(bookings.map(({ status }) => status))].sort();
const first = bookings[0]?.id ?? '';
const one = await getBooking({ path: { id: first }, throwOnError: true });

const free = await getResourceAvailability({
  path: { id: RESOURCE },
  query: { from: FROM, to: TO, minutes: 60 },
  throwOnError: true,
});
const { starts_at, ends_at } = free.data.data.slots[0] ?? { starts_at: '', ends_at: '' };
const body = {
  resource_id: RESOURCE,
  starts_at,
  ends_at,
  guest: { name: 'Greta Holm', email: 'greta@example.org' },
};
const headers = { 'Idempotency-Key': 'a-key-of-the-client' };
const created = await createBooking({ body, headers, throwOnError: true });
const repeated = await createBooking({ body, headers, throwOnError: true });
const { id, status } = created.data.data.booking;

const rejected = await createBooking({ body, headers: { Prefer: 'errors=detailed' } });
const reason: components['schemas']['ErrorReason'] | undefined = rejected.error?.error?.reason;

// @ts-expect-error the title is a text or null
const wrong: number = one.data.data.booking.title;

// Types without a client.
type Bookings = paths['/bookings']['get']['responses'][200]['content']['application/json'];
const query: paths['/bookings']['get']['parameters']['query'] = { limit: 100, from: FROM };
const response = await fetch(\`\${FOYER}/bookings?limit=\${query.limit}&from=\${query.from}\`, {
  headers: { authorization: \`Bearer \${TOKEN}\` },
});
const page = (await response.json()) as Bookings;
const ids: string[] = page.data.bookings.map(({ id }) => id);

console.log(
  JSON.stringify({
    titles,
    statuses,
    first,
    again: one.data.data.booking.id,
    created: { id, status },
    repeated: repeated.data.data.booking.id,
    rejected: { status: rejected.response?.status, reason, message: rejected.error?.data },
    ids,
  }),
);
export { wrong };
`;
