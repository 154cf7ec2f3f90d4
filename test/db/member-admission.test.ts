import { readMigrations } from '../../src/db/migrations.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

// The setting that existing locations get from the migration that adds it.

const MIGRATION = /^\d+_add_member_admission$/;

let database: TestDatabase['database'];
let close: TestDatabase['close'];

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  await database.pool.query(`
    INSERT INTO locations (id, slug, name, time_zone) VALUES ('${toId(1)}', 'house', 'House', 'Europe/Berlin');
    INSERT INTO members (id, name, email, code) VALUES ('${toId(2)}', 'Nora', 'nora@example.org', 'n');
    INSERT INTO plans (id, name) VALUES ('${toId(3)}', 'Resident')`);
});
afterAll(() => close());

const toId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Sets the column to its default, and runs the update of the migration. */
async function migrateAgain() {
  const sql = readMigrations().find(({ name }) => MIGRATION.test(name))?.sql ?? '';
  await database.pool.query('UPDATE locations SET member_admission = DEFAULT');
  await database.pool.query(sql.slice(sql.indexOf('UPDATE locations')));
  const { rows } = await database.pool.query('SELECT member_admission FROM locations');
  return rows.map((row) => row.member_admission);
}

it('admits all members if the space has no memberships', async () => {
  expect(await migrateAgain()).toEqual(['all']);
});

it('requires a membership if there is one, even one that has ended', async () => {
  await database.pool.query(`
    INSERT INTO memberships (id, plan_id, member_id, starts_on, ends_on)
    VALUES ('${toId(4)}', '${toId(3)}', '${toId(2)}', '2025-01-01', '2025-12-31')`);
  expect(await migrateAgain()).toEqual(['with_membership']);
});
