import { readMigrations } from '../../src/db/migrations.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

let database: TestDatabase['database'];
let close: TestDatabase['close'];

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});
afterAll(() => close());

const OLD = 'check_in.refused';
const NEW = 'check_in.rejected';

it('renames check_in.refused in the journal, in webhooks and in messages that wait', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO changes (type, actor_kind, at) VALUES ($1, 'system', now()), ('check_in.admitted', 'system', now())`,
    [OLD],
  );
  for (const [id, events] of [
    [1, ['check_in.admitted', OLD]],
    [2, ['check_in.*']],
  ] as const)
    await pool.query(
      `INSERT INTO webhook_endpoints (id, url, events, secret, owner_kind)
       VALUES ($1, 'https://receiver.test/', $2, 'whsec_test', 'system')`,
      [`00000000-0000-7000-8000-00000000000${id}`, events],
    );
  const payload = { check_in: { label: OLD } };
  await pool.query(
    `INSERT INTO webhook_messages (id, type, payload) VALUES (gen_random_uuid(), $1, $2)`,
    [OLD, JSON.stringify(payload)],
  );

  const migration = readMigrations().find(({ name }) =>
    name.endsWith('_rename_rejected_check_ins'),
  );
  await pool.query(`BEGIN; ${migration?.sql}; COMMIT`);

  const read = async (sql: string) => (await pool.query(sql)).rows;
  expect(await read('SELECT type FROM changes ORDER BY sequence')).toEqual([
    { type: NEW },
    { type: 'check_in.admitted' },
  ]);
  expect(await read('SELECT events FROM webhook_endpoints ORDER BY id')).toEqual([
    { events: ['check_in.admitted', NEW] },
    { events: ['check_in.*'] },
  ]);
  expect(await read('SELECT type, payload FROM webhook_messages')).toEqual([
    { type: NEW, payload },
  ]);
});
