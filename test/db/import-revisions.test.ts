import { readMigrations } from '../../src/db/migrations.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

// The revisions that imported rows get from the migrations that add the column.

let database: TestDatabase['database'];
let close: TestDatabase['close'];

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  await database.pool.query(`
    INSERT INTO locations (id, slug, name, time_zone) VALUES ('${toId(0)}', 'house', 'House', 'Europe/Berlin');
    INSERT INTO resources (id, location_id, slug, name, type) VALUES ('${toId(0)}', '${toId(0)}', 'room', 'Room', 'room')`);
});
afterAll(() => close());

function toId(n: number) {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

interface Row {
  what: string;
  imported?: false;
  /** In days from now. */
  starts?: number;
  /** Actions that readers have read, and that they have not. */
  history: [read: string[], unread: string[]];
  revision: 1 | null;
}

const ROWS: Row[] = [
  { what: 'created', history: [['created'], []], revision: 1 },
  { what: 'created just now', history: [[], ['created']], revision: 1 },
  { what: 'changed', history: [['created', 'updated'], []], revision: null },
  { what: 'changed just now', history: [['created'], ['updated']], revision: null },
  { what: 'without a creation', history: [[], []], revision: null },
  { what: 'not imported', imported: false, history: [['created'], []], revision: null },
  { what: 'past', starts: -9, history: [['created'], []], revision: null },
];

const INSERT = {
  bookings: `INSERT INTO bookings (id, resource_id, location_id, guest_name, starts_at, ends_at, occupied_until, import_uid)
    SELECT $1, '${toId(0)}', '${toId(0)}', 'Zoe', start, start + interval '1 hour', start + interval '1 hour', $3
    FROM CAST(now() + $2 * interval '1 day' AS timestamptz) start`,
  events: `INSERT INTO events (id, slug, title, location_id, starts_at, ends_at, import_uid)
    SELECT $1, gen_random_uuid()::text, 'Talk', '${toId(0)}', start, start + interval '1 hour', $3
    FROM CAST(now() + $2 * interval '1 day' AS timestamptz) start`,
};

describe.each(['bookings', 'events'] as const)('of %s', (table) => {
  const sql = () =>
    readMigrations().find(({ name }) => name.endsWith(`set_import_revision_of_${table}`))?.sql ??
    '';

  it('are those of rows that lie ahead and were only created', async () => {
    const subject = table.slice(0, -1);
    for (const [n, { imported, starts, history }] of ROWS.entries()) {
      const id = toId(n + 1);
      await database.pool.query(INSERT[table], [
        ...[id, starts ?? n + 1],
        imported === false ? null : id,
      ]);
      for (const [isUnread, actions] of history.entries())
        for (const [i, action] of actions.entries())
          await database.pool.query(
            `INSERT INTO changes (type, subject_id, actor_kind, at, position) VALUES ($1, $2, 'system', now(), $3)`,
            [`${subject}.${action}`, id, isUnread ? null : n * 10 + i + 1],
          );
    }
    await database.pool.query(`BEGIN; ${sql()}; COMMIT`);
    const { rows } = await database.pool.query(
      `SELECT import_revision AS revision FROM ${table} ORDER BY id`,
    );
    expect(rows.map(({ revision }, n) => [ROWS[n]?.what, revision])).toEqual(
      ROWS.map(({ what, revision }) => [what, revision]),
    );
    await database.pool.query('DELETE FROM changes');
  });

  it('are set while others read the rows, but change none', async () => {
    const client = await database.pool.connect();
    await client.query(`BEGIN; ${sql()}`);
    const { rows } = await client.query(
      `SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = '${table}'::regclass`,
    );
    await client.query('ROLLBACK');
    client.release();
    const modes = rows.map(({ mode }) => mode);
    expect(modes).toContain('ShareRowExclusiveLock');
    expect(modes).not.toContain('AccessExclusiveLock');
  });

  it('are set without a scan of the journal', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN; SET LOCAL enable_seqscan = off');
    const { rows } = await client.query(`EXPLAIN ${sql().slice(sql().indexOf('\nUPDATE'))}`);
    await client.query('ROLLBACK');
    client.release();
    const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => / on changes/.test(line));
    expect(scans).toEqual([
      expect.stringContaining('using changes_subject_id_position_idx'),
      expect.stringContaining('using changes_without_position_idx'),
    ]);
  });
});
