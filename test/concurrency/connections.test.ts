import { pino } from 'pino';
import { findUnreadiness } from '../../src/db/database.ts';
import { reportConnections } from '../../src/db/postgres/connection-budget.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import {
  openTestDatabase,
  runAsAdmin,
  serverUrl,
  withDatabaseName,
} from '../support/harness/database.ts';

const adminUrl = serverUrl ?? '';
const NAME = `foyer_connections_${process.pid}`;
const url = (() => {
  const address = new URL(withDatabaseName(adminUrl, NAME));
  address.username = NAME;
  return address.href;
})();

beforeAll(async () => {
  await runAsAdmin(adminUrl, `CREATE ROLE ${NAME} LOGIN`);
  await runAsAdmin(adminUrl, `CREATE DATABASE ${NAME}`);
});
afterAll(async () => {
  await runAsAdmin(adminUrl, `DROP DATABASE ${NAME} WITH (FORCE)`);
  await runAsAdmin(adminUrl, `DROP ROLE ${NAME}`);
});

it.each([8, 9, 21])(
  'an instance opens %i connections at most, whatever happens at once',
  async (connections) => {
    const { pool, pipelinedSql, lockingSql, sqlTransaction, close } = await openPostgres(
      url,
      connections,
    );
    const work = { text: 'SELECT 1 AS one, pg_sleep(0.001)::text' };
    const runAll = () => [
      pool.query(work.text),
      pipelinedSql(work, []),
      pipelinedSql({ ...work, needsCustomPlan: true }, []),
      lockingSql(work, []),
      sqlTransaction((sql) => sql(work, [])),
    ];
    await Promise.all(Array.from({ length: 40 }, runAll).flat());
    const { rows } = await pool.query(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()',
    );
    expect(rows[0].count).toBe(connections);
    await close();
  },
);

it('an instance is ready while others wait for its connections', async () => {
  const { database, close } = await openTestDatabase();
  const { pool } = database;
  const { max } = pool.options;
  expect(await findUnreadiness(database)).toBeUndefined();
  const [first, ...others] = await Promise.all(Array.from({ length: max }, () => pool.connect()));
  const next = pool.connect();
  const answer = findUnreadiness(database);
  first?.release();
  const second = await next;
  expect([pool.totalCount, pool.idleCount]).toEqual([max, 0]);
  expect(await answer).toBeUndefined();
  // As after a failover: a connection that takes no writes is given back again and again.
  await second.query('SET default_transaction_read_only = on');
  second.release();
  const third = await pool.connect();
  const later = findUnreadiness(database);
  third.release();
  expect(await later).toBe('read-only');
  for (const client of others) client.release();
  await close();
});

it.each(['ROLE', 'DATABASE'])('warns if a limit of the %s leaves too few', async (kind) => {
  await runAsAdmin(adminUrl, `ALTER ${kind} ${NAME} CONNECTION LIMIT 9`);
  const { pool, close } = await openPostgres(url);
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = pino({ level: 'info' }, { write });
  await reportConnections(pool, 9, log);
  await reportConnections(pool, 10, log);
  await close();
  await runAsAdmin(adminUrl, `ALTER ${kind} ${NAME} CONNECTION LIMIT -1`);
  expect(lines.map(({ level, free }) => [level, free])).toEqual([
    [30, 9],
    [30, 9],
    [40, undefined],
  ]);
});
