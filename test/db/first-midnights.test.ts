import { readMigrations } from '../../src/db/migrations.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const MIGRATION = '20261124200000_first_midnights';

let database: TestDatabase['database'];
let close: TestDatabase['close'];

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  await database.pool.query(`
    INSERT INTO locations (id, slug, name, time_zone) VALUES ('${toId(1)}', 'house', 'House', 'America/Havana');
    INSERT INTO resources (id, location_id, slug, name, type, grid_minutes) VALUES
      ('${toId(2)}', '${toId(1)}', 'flat', 'Flat', 'room', 1440), ('${toId(3)}', '${toId(1)}', 'room', 'Room', 'room', 60);
    INSERT INTO members (id, name, email, code) VALUES ('${toId(4)}', 'Nora', 'nora@example.org', 'n')`);
});
afterAll(() => close());

const toId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [DAYS, HOURS] = [toId(2), toId(3)];

// On 1 November 2026, clocks in Havana go back from 01:00 to 00:00, which is 04:00 and 05:00 UTC.
it.each([
  ['from the first midnight', DAYS, '2026-11-01T04:00Z', '2026-11-02T05:00Z', -60],
  ['to the first midnight', DAYS, '2026-10-31T04:00Z', '2026-11-01T04:00Z', 0],
  ['across it, which clock_changes has counted', DAYS, '2026-10-31T04:00Z', '2026-11-02T05:00Z', 0],
  ['of hours', HOURS, '2026-11-01T04:00Z', '2026-11-02T05:00Z', 0],
])(
  'counts 24 hours for a day that has two midnights: a booking %s',
  async (_, resource, from, to, minutes) => {
    await database.pool.query('DELETE FROM bookings');
    await database.pool.query(
      `INSERT INTO bookings (id, resource_id, location_id, member_id, status, starts_at, ends_at, occupied_until, price_amount, price_currency)
     VALUES ($1, $2, $3, $4, 'confirmed', $5, $6, $6, 0, 'EUR')`,
      [toId(5), resource, toId(1), toId(4), from, to],
    );
    const migration = readMigrations().find(({ name }) => name === MIGRATION);
    // The column got its present name in a later migration.
    const sql = migration?.sql.replace('slot_interval_minutes', 'grid_minutes');
    await database.pool.query(`BEGIN; ${sql}; COMMIT`);
    const { rows } = await database.pool.query(
      'SELECT clock_change_minutes AS minutes FROM bookings',
    );
    expect(rows).toEqual([{ minutes }]);
  },
);
