// Keeps a copy of what an API key can read in SQLite. Each run brings the copy up to date:
// FOYER=https://foyer.example.org TOKEN=foyer_… node mirror.mjs
import { createClient, isFoyerError } from '@foyer/client';
import sqlite from 'node-sqlite3-wasm';

const { FOYER, TOKEN, FILE = 'mirror.db' } = process.env;
const { TYPES = 'location,resource,member,booking,event,order,ticket,payment,refund' } =
  process.env;
const types = TYPES.split(','); // as in `subject_type`
const foyer = createClient({ url: FOYER, token: TOKEN });

/** Returns the function that lists a type: `listDayPasses` for `day_pass`. */
function getList(type) {
  const plural = type === 'staff' ? type : `${type.replace(/ss$/, 'sse').replace(/ry$/, 'rie')}s`;
  return foyer.rest[`list_${plural}`.replace(/_(.)/g, (_, letter) => letter.toUpperCase())];
}

const db = new sqlite.Database(FILE);
// What is deleted or erased is overwritten: otherwise, names stay in unused parts of the file.
db.exec(`PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS objects (id TEXT PRIMARY KEY, type TEXT, object TEXT);
  CREATE TABLE IF NOT EXISTS mentions (id TEXT, other TEXT, PRIMARY KEY (id, other));
  CREATE INDEX IF NOT EXISTS mentions_by_other ON mentions (other);
  CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, cursor INTEGER)`);

function remove(id) {
  db.run('DELETE FROM objects WHERE id = ?', [id]);
  db.run('DELETE FROM mentions WHERE id = ?', [id]);
}

/** Reads objects of a type, and stores each with the ids of the other objects that it mentions. */
async function copy(type, parameters) {
  for await (const object of getList(type).each(parameters)) {
    const text = JSON.stringify(object);
    remove(object.id);
    db.run('INSERT INTO objects VALUES (?, ?, ?)', [object.id, type, text]);
    for (const other of new Set(text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g)))
      db.run('INSERT INTO mentions VALUES (?, ?)', [object.id, other]);
  }
}

/** Reads objects again, by their ids and types. What is not found was deleted. */
async function refresh(objects) {
  for (const type of types) {
    const ids = [...objects.keys()].filter((id) => objects.get(id) === type);
    for (let n = 0; n < ids.length; n += 100) {
      const batch = ids.slice(n, n + 100);
      batch.forEach(remove);
      await copy(type, { ids: batch });
    }
  }
}

/** Adds the objects that these mention, and those that mention them. Some of their fields follow from each other. */
function addRelated(objects) {
  const ids = JSON.stringify([...objects.keys()]);
  const related = db.all(
    `SELECT id, type FROM objects WHERE id IN (
       SELECT other FROM mentions WHERE id IN (SELECT value FROM json_each(?1))
       UNION SELECT id FROM mentions WHERE other IN (SELECT value FROM json_each(?1)))`,
    [ids],
  );
  return new Map([...objects, ...related.map(({ id, type }) => [id, type])]);
}

async function load() {
  // The cursor comes first: what changes while the lists are read is read again afterwards.
  const { pagination } = await foyer.rest.listChanges({ cursor: 'latest' });
  db.exec('DELETE FROM objects; DELETE FROM mentions');
  for (const type of types) await copy(type, { limit: 100 });
  return pagination.next_cursor;
}

async function follow(cursor) {
  const { changes, pagination } = await foyer.rest.listChanges({ limit: 100, cursor });
  const toType = (type) => (type === 'opening_hours' ? 'location' : type);
  const changed = new Map(changes.map((one) => [one.subject_id, toType(one.subject_type)]));
  const related = addRelated(changed); // before deletions, and with what new objects mention
  await refresh(changed);
  const others = [...related, ...addRelated(changed)].filter(([id]) => !changed.has(id));
  await refresh(new Map(others));
  return pagination.next_cursor;
}

let { cursor } = db.get('SELECT cursor FROM state') ?? {};
for (let previous; cursor === undefined || previous !== cursor; ) {
  previous = cursor;
  db.exec('BEGIN'); // a run that is interrupted leaves the copy and the cursor as they were
  cursor = await (cursor === undefined ? load() : follow(cursor)).catch((error) => {
    if (isFoyerError(error, 'CURSOR_EXPIRED')) return load();
    throw error;
  });
  db.run('INSERT OR REPLACE INTO state VALUES (1, ?)', [cursor]);
  db.exec('COMMIT');
}
db.close();
