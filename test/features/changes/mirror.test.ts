import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { OBJECTS, type ObjectName } from '../../../src/journal/objects.ts';
import { listPublicFields, PAYLOAD_SCHEMAS } from '../../../src/journal/payloads.ts';
import { OBJECT_ROUTES } from '../../../src/rest/object-routes.ts';
import { makeWebhook } from '../../support/factories/personal-data.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { propertyRuns } from '../../support/harness/property-runs.ts';
import { createMirroredSpace } from '../../support/models/mirrored-space.ts';

// The mirror of the documentation, as its readers run it: a program of its own with an API key.

const run = promisify(execFile);
const RUNS = propertyRuns(3);
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

/** As the mirror stores fields: other objects as their ids, and nothing for null. */
const toStored = (fields: Fields): Fields =>
  JSON.parse(JSON.stringify(fields, (_, value) => value?.id ?? value ?? undefined));

function readMirror(file: string): Map<string, Fields> {
  const db = new sqlite.Database(file, { readOnly: true });
  const rows = db.all('SELECT id, type, fields FROM objects') as unknown as {
    id: string;
    type: ObjectName;
    fields: string;
  }[];
  db.close();
  return new Map(rows.map(({ id, type, fields }) => [id, keepRecorded(type, JSON.parse(fields))]));
}

/** The fields that changes contain. Others, such as what is left of a ticket type, follow from other objects. */
function keepRecorded(type: ObjectName, fields: Fields): Fields {
  const recorded = listPublicFields(type).filter((name) => name in OBJECTS[type].schema.shape);
  return toStored({
    type,
    ...Object.fromEntries(recorded.map((name) => [name, fields[name]])),
  });
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
      for (const { id, ...fields } of rows as ({ id: string } & Fields)[])
        objects.set(id, keepRecorded(type, toStored(fields)));
      if (pagination.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(pagination.next_cursor)}`;
    }
  }
  return objects;
}

/** What GraphQL says about people, who are in the fields that an erasure changes. */
const PEOPLE = `{
  members(first: 100) { nodes { id name email phone company } }
  bookings(first: 100, filter: { from: "2020-01-01T00:00:00Z" }) { nodes { id title notes guest { name email } } }
  orders(first: 100) { nodes { id buyer { name email } } }
  tickets(first: 100) { nodes { id attendee { name email } } }
  dayPasses(first: 100) { nodes { id holder { name email } } }
  checkIns(first: 100) { nodes { id label } } }`;

async function readGraphql(): Promise<Map<string, Fields>> {
  const { data, errors } = await app.graphql(PEOPLE, {}, { token });
  expect(errors).toEqual([]);
  const lists = Object.values(data) as { nodes: ({ id: string } & Fields)[] }[];
  return new Map(lists.flatMap(({ nodes }) => nodes.map(({ id, ...fields }) => [id, fields])));
}

describe('the mirror of the documentation', () => {
  it('has the same rows as both APIs, whatever is created, changed, deleted and erased', async () => {
    const { actions } = await createMirroredSpace(app, { token });
    await makeWebhook(app);
    const names = Object.keys(actions);
    const step = fc.record({ name: fc.constantFrom(...names), pick: fc.nat(40) });
    const file = join(folder, 'mirror.db');
    const later = join(folder, 'later.db');
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }),
        async (steps) => {
          for (const { name, pick } of steps) await actions[name]?.(pick);
          await synchronize(file);
          const mirrored = readMirror(file);
          expect(Object.fromEntries(mirrored)).toEqual(Object.fromEntries(await readRest()));
          for (const [id, fields] of await readGraphql())
            expect({ id, ...mirrored.get(id) }).toMatchObject({ id, ...toStored(fields) });
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    await publishRecordedChanges(app.ctx);
    const messages = await app.ctx.db.webhookMessage.findMany();
    expect(messages.length).toBeGreaterThan(10);
    for (const { type, payload } of messages)
      expect([type, PAYLOAD_SCHEMAS[type as ChangeType].parse(payload)]).toEqual([type, payload]);
    // A mirror that begins later reads the lists first, and one that reads the journal from its beginning gets the same names.
    await synchronize(later);
    expect(readMirror(later)).toEqual(readMirror(file));
  });
});
