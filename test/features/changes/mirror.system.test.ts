import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import type { ObjectName } from '../../../src/objects/object-table.ts';
import { PAYLOAD_SCHEMAS } from '../../../src/objects/payloads.ts';
import { OBJECT_ROUTES } from '../../../src/rest/object-routes.ts';
import { readPage } from '../../docs/pages.ts';
import { createStaffUser, makeMember } from '../../support/factories/people.ts';
import { createPersonalDataActions, makeWebhook } from '../../support/factories/personal-data.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';
import { readObjects, toComparable } from '../../support/models/graphql-objects.ts';
import { createMirroredSpace } from '../../support/models/mirrored-space.ts';

// The mirror of the documentation, as its readers run it: a program of its own with an API key.

const run = promisify(execFile);
const RUNS = propertyRuns(1);
const TYPES = Object.keys(OBJECT_ROUTES) as (keyof typeof OBJECT_ROUTES)[];

let app: TestApp;
let token: string;
let folder: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  token = await app.token('*');
  folder = await mkdtemp(join(tmpdir(), 'foyer-mirror-'));
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

const synchronize = (file: string) =>
  run('node', ['docs/recipes/mirror.mjs'], {
    env: { ...process.env, FOYER: app.url, TOKEN: token, FILE: file, TYPES: TYPES.join(',') },
  });

type Fields = Record<string, unknown>;

/** By type, the fields of which the page about changes says that no change announces them. */
const UNANNOUNCED = new Map(
  [...readSection().matchAll(/^\| `(\w+)` +\| (`[^|]+) \|/gm)].map(([, type = '', fields = '']) => [
    type,
    [...fields.matchAll(/`([\w.]+)`/g)].map(([, field]) => field),
  ]),
);

function readSection(): string {
  const [, section] = readPage('docs/guides/changes.md').split(/^### Fields that no change .*$/m);
  return section?.split(/^## /m)[0] ?? '';
}

/** An object without these fields. A dot leads into an object or a list of them. */
function keepAnnounced(type: string, object: Fields): Fields {
  const drop = (value: unknown, path: string): unknown =>
    Array.isArray(value)
      ? value.map((item) => drop(item, path))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value).flatMap(([name, inner]) => {
              const at = path === '' ? name : `${path}.${name}`;
              return UNANNOUNCED.get(type)?.includes(at) ? [] : [[name, drop(inner, at)]];
            }),
          )
        : value;
  return drop(object, '') as Fields;
}

interface Row {
  id: string;
  type: ObjectName;
  object: string;
}

function readMirror(file: string): Map<string, Fields> {
  const db = new sqlite.Database(file, { readOnly: true });
  const rows = db.all('SELECT id, type, object FROM objects') as unknown as Row[];
  db.close();
  return new Map(
    rows.map(({ id, type, object }) => [
      id,
      { subjectType: type, ...keepAnnounced(type, JSON.parse(object)) },
    ]),
  );
}

async function readRest(): Promise<Map<string, Fields>> {
  const objects = new Map<string, Fields>();
  for (const type of TYPES) {
    const { path } = OBJECT_ROUTES[type];
    for (let cursor = ''; ; ) {
      const { body } = await app.rest(`/${path}?limit=100${cursor}`, { token });
      const { pagination, [path.replaceAll('-', '_')]: rows } = body.data as {
        pagination: { next_cursor: string | null };
        [list: string]: unknown;
      };
      for (const object of rows as ({ id: string } & Fields)[])
        objects.set(object.id, { subjectType: type, ...keepAnnounced(type, object) });
      if (pagination.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(pagination.next_cursor)}`;
    }
  }
  return objects;
}

/** Compares each row with the same object in GraphQL, and returns the types that it has. */
async function compareWithGraphql(mirrored: Map<string, Fields>): Promise<Set<string>> {
  const compared = new Set<string>();
  for (const type of TYPES) {
    const rows = [...mirrored].filter(([, row]) => row.subjectType === type);
    for (let n = 0; n < rows.length; n += 100) {
      const batch = rows.slice(n, n + 100);
      const ids = batch.map(([id]) => id);
      const objects = await readObjects(app, type, ids, { token });
      for (const [at, object] of objects.entries()) {
        const [id, row] = batch[at] ?? ['', {}];
        const shared = Object.keys(object ?? {}).filter((name) => name in row);
        const toShared = (from: Fields | null, other: Fields | null) =>
          Object.fromEntries(
            shared.map((name) => [name, toComparable(from?.[name], other?.[name])]),
          );
        expect([type, id, toShared(row, object)]).toEqual([type, id, toShared(object, row)]);
        compared.add(type);
      }
    }
  }
  return compared;
}

describe('the mirror of the documentation', () => {
  it('has the same objects as both APIs, whatever is created, changed, deleted and erased', async () => {
    expect([...UNANNOUNCED.keys()]).toContain('event');
    const { actions } = await createMirroredSpace(app, { token });
    await makeWebhook(app);
    const names = Object.keys(actions);
    const everything = fc.shuffledSubarray(names, { minLength: names.length });
    const more = fc.array(fc.constantFrom(...names), { minLength: 10, maxLength: 30, size: 'max' });
    const picks = fc.array(fc.nat(40), { minLength: 1, maxLength: 40, size: 'max' });
    const file = join(folder, 'mirror.db');
    const later = join(folder, 'later.db');
    await synchronize(file);
    await checkProperty(
      fc.asyncProperty(everything, more, picks, async (everything, more, picks) => {
        for (const [n, name] of [...everything, ...more].entries())
          await actions[name]?.(picks[n % picks.length] ?? 0);
        await synchronize(file);
        const mirrored = readMirror(file);
        expect(Object.fromEntries(mirrored)).toEqual(Object.fromEntries(await readRest()));
        const compared = await compareWithGraphql(mirrored);
        expect(compared.size).toBeGreaterThan(12);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    await publishRecordedChanges(app.ctx);
    const messages = await app.ctx.db.webhookMessage.findMany();
    expect(messages.length).toBeGreaterThan(10);
    for (const { type, payload } of messages)
      expect([type, PAYLOAD_SCHEMAS[type as ChangeType].parse(payload)]).toEqual([type, payload]);
    // A mirror that begins later reads the lists, and so does one with an expired cursor.
    await synchronize(later);
    expect(readMirror(later)).toEqual(readMirror(file));
    await app.ctx.db.change.deleteMany({ where: { position: { lte: 20 } } });
    const db = new sqlite.Database(later);
    db.exec("UPDATE state SET cursor = 1; UPDATE objects SET object = '{}'");
    db.close();
    await synchronize(later);
    expect(readMirror(later)).toEqual(readMirror(file));
  });

  it('has nothing of an erased person in its file, not even where SQLite deletes', async () => {
    const person = { name: 'Zerbinetta Quill', email: 'zerbinetta@example.org' };
    const member = await makeMember(app, person);
    // SQLite writes the erased member to a page after theirs, so that the old page keeps its bytes.
    for (let n = 0; n < 40; n += 1) await makeMember(app);
    const file = join(folder, 'erased.db');
    await synchronize(file);
    expect((await readFile(file)).includes(person.name)).toBe(true);
    const owner = await createStaffUser(app, 'owner');
    const { erase } = createPersonalDataActions(app, { cookie: await owner.session() });
    expect((await erase({ memberId: member.id })).errors).toEqual([]);
    await synchronize(file);
    const bytes = await readFile(file);
    expect([person.name, person.email].filter((text) => bytes.includes(text))).toEqual([]);
  });
});
