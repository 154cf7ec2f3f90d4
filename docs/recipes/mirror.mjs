// Copies what an API key can read into SQLite. Each run brings the copy up to date:
// FOYER=https://foyer.example.org TOKEN=foyer_… node mirror.mjs
import sqlite from 'node-sqlite3-wasm';

const { FOYER, TOKEN, FILE = 'mirror.db', TYPES = 'member,booking,event,order' } = process.env;
const types = TYPES.split(','); // as in `subject_type`; the paths of their lists are plurals
const toList = (type) =>
  type === 'staff' ? type : `${type.replace(/(s)$/, '$1e').replace(/ry$/, 'rie')}s`;

const db = new sqlite.Database(FILE);
db.exec('CREATE TABLE IF NOT EXISTS objects (id TEXT PRIMARY KEY, type TEXT, fields TEXT)');
db.exec('CREATE TABLE IF NOT EXISTS state (cursor INTEGER)');
let { cursor } = db.get('SELECT cursor FROM state') ?? {};

async function get(path) {
  const response = await fetch(FOYER + path, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const { success, data } = await response.json();
  if (!success) throw new Error(`${path}: ${data}`); // after CURSOR_EXPIRED, delete the file and start again
  return data;
}

// Other objects have rows of their own, so it stores only their ids. What `fields` does not contain stays as it is.
const save = (type, id, { id: _, ...fields }) =>
  db.run(
    `INSERT INTO objects VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET fields = json_patch(fields, excluded.fields)`,
    [id, type, JSON.stringify(fields, (_, value) => value?.id ?? value)],
  );

if (cursor === undefined) {
  // The cursor comes first: what changes while the lists are read is applied again afterwards.
  cursor = (await get('/changes?cursor=latest')).pagination.next_cursor;
  for (const type of types)
    for (let page, after = ''; after !== null; after = page.pagination.next_cursor) {
      const list = toList(type);
      const rest = after && `&cursor=${encodeURIComponent(after)}`;
      page = await get(`/${list.replaceAll('_', '-')}?limit=100${rest}`);
      for (const object of page[list]) save(type, object.id, object);
    }
}
for (let previous; previous !== cursor; ) {
  const { changes, pagination } = await get(`/changes?limit=100&cursor=${cursor}`);
  [previous, cursor] = [cursor, pagination.next_cursor];
  db.exec('BEGIN');
  for (const { subject_type, subject_id, after } of changes) {
    const type = subject_type === 'opening_hours' ? 'location' : subject_type;
    if (!types.includes(type)) continue;
    if (after === null) db.run('DELETE FROM objects WHERE id = ?', [subject_id]);
    else save(type, subject_id, after);
  }
  db.exec('DELETE FROM state');
  db.run('INSERT INTO state VALUES (?)', [cursor]);
  db.exec('COMMIT');
}
db.close();
