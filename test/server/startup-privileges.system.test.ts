import { migrate } from '../../src/db/migrations.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { runAsAdmin, serverUrl, withDatabaseName } from '../support/harness/database.ts';
import { killAll, startExpectingExit } from '../support/harness/processes.ts';

const adminUrl = serverUrl ?? '';
const NAME = `foyer_role_${process.pid}`;

/** The URL of an empty database for a role that owns nothing in it. */
const url = (() => {
  const address = new URL(withDatabaseName(adminUrl, NAME));
  address.username = NAME;
  return address.href;
})();
const grant = (statement: string) => runAsAdmin(withDatabaseName(adminUrl, NAME), statement);

beforeEach(async () => {
  await runAsAdmin(adminUrl, `CREATE ROLE ${NAME} LOGIN`);
  await runAsAdmin(adminUrl, `CREATE DATABASE ${NAME}`);
});
afterEach(async () => {
  killAll();
  await runAsAdmin(adminUrl, `DROP DATABASE ${NAME} WITH (FORCE)`);
  await runAsAdmin(adminUrl, `DROP ROLE ${NAME}`);
});

const ON_DATABASE = `GRANT CREATE ON DATABASE ${NAME} TO ${NAME};`;
const ON_SCHEMA = `GRANT CREATE ON SCHEMA public TO ${NAME};`;

it.each([
  ['anything', [], [ON_DATABASE, ON_SCHEMA]],
  ['extensions', [ON_SCHEMA], [ON_DATABASE]],
  ['tables', [ON_DATABASE], [ON_SCHEMA]],
])(
  'reports in one line what to grant to a role that cannot create %s',
  async (_, granted, missing) => {
    for (const statement of granted) await grant(statement);
    const { code, stderr } = await startExpectingExit({ PORT: '0', DATABASE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^DATABASE_URL: the role ${NAME} cannot migrate the database \\(permission denied .*\\)\\. `,
      ),
    );
    expect(stderr.split('\n')).toEqual([expect.stringContaining(`run: ${missing.join(' ')}`), '']);

    for (const statement of missing) await grant(statement);
    const connection = await openPostgres(url);
    expect((await migrate(connection.pool)).length).toBeGreaterThan(0);
    await connection.close();
  },
);

it('reports in one line that another role owns the tables', async () => {
  await grant(
    `${ON_DATABASE} ${ON_SCHEMA} CREATE TABLE _prisma_migrations (migration_name text, finished_at timestamptz, rolled_back_at timestamptz)`,
  );
  const { code, stderr } = await startExpectingExit({ PORT: '0', DATABASE_URL: url });
  expect(code).toBe(1);
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/ cannot migrate .* Connect as the role that owns the tables\.$/),
    '',
  ]);
});
