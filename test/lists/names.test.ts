import fc from 'fast-check';
import { migrate, readMigrations } from '../../src/db/migrations.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const insertMembers = (names: string[]) =>
  app.ctx.db.member.createMany({
    data: names.map((name, n) => ({
      name,
      email: `person-${n}@example.org`,
      code: `code-${n}`,
    })),
  });

/** Reads all pages of a list of members over GraphQL. */
async function walk(token: string, direction: 'first' | 'last', order: 'ASC' | 'DESC') {
  const cursor = direction === 'first' ? 'after' : 'before';
  const names: string[] = [];
  for (let at: string | null = null, more = true; more; ) {
    const { data } = await app.graphql(
      `query ($at: String) { members(${direction}: 3, ${cursor}: $at, orderBy: NAME_${order}) {
        nodes { name } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
      { at },
      { token },
    );
    const { nodes, pageInfo } = data.members;
    const page = nodes.map(({ name }: { name: string }) => name);
    if (direction === 'first') names.push(...page);
    else names.unshift(...page);
    at = direction === 'first' ? pageInfo.endCursor : pageInfo.startCursor;
    more = direction === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
  }
  return names;
}

interface MemberPage {
  members: { name: string }[];
  pagination: { next_cursor: string | null };
}

async function walkRest(token: string) {
  const names: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await app.rest(`/members?limit=3${cursor && `&cursor=${cursor}`}`, { token });
    const { members, pagination } = body.data as MemberPage;
    names.push(...members.map(({ name }) => name));
    if (pagination.next_cursor === null) return names;
    cursor = pagination.next_cursor;
  }
}

it('sorts names as people expect, in both APIs', async () => {
  const sorted = [
    'ana lima',
    'Ana Lima',
    'Bárbara',
    'Beatriz',
    'Desk 2',
    'Desk 10',
    'Óscar',
    'Oskar',
    'Úrsula',
    'Zé',
    'Zoe',
  ];
  await app.ctx.db.member.deleteMany();
  await insertMembers(sorted.toReversed());
  const token = await app.token('members:read');
  expect(await walk(token, 'first', 'ASC')).toEqual(sorted);
  expect(await walkRest(token)).toEqual(sorted);
});

it('returns each name once and in order on pages in any direction', async () => {
  const letter = fc.constantFrom(...'aAáÁäbBzZoÓñßéE0129 -’张'.split(''));
  const name = fc.string({ unit: letter, minLength: 1, maxLength: 6 }).map((text) => `n${text}`);
  const token = await app.token('members:read');
  await checkProperty(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 12 }), async (names) => {
      await app.ctx.db.member.deleteMany();
      await insertMembers(names);
      const ascending = await walk(token, 'first', 'ASC');
      expect(ascending.toSorted()).toEqual(names.toSorted());
      expect(await walk(token, 'last', 'ASC')).toEqual(ascending);
      expect(await walk(token, 'first', 'DESC')).toEqual(ascending.toReversed());
      expect(await walkRest(token)).toEqual(ascending);
    }),
    { numRuns: propertyRuns(10) },
  );
});

it('rebuilds indexes of names that another version of the ICU library built', async () => {
  const { pool } = app.database;
  const readState = async () => {
    const { rows } = await pool.query(
      `SELECT relfilenode, (SELECT collversion FROM pg_collation WHERE collname = 'names') AS version
       FROM pg_class WHERE relname = 'members_name_id_idx'`,
    );
    return rows[0];
  };
  const before = await readState();
  await migrate(pool);
  expect(await readState()).toEqual(before);
  await pool.query("UPDATE pg_collation SET collversion = '1' WHERE collname = 'names'");
  await migrate(pool);
  const after = await readState();
  expect(after.version).toBe(before.version);
  expect(after.relfilenode).not.toBe(before.relfilenode);
});

it('keeps the statistics of names, which plans of searches depend on', async () => {
  const { pool } = app.database;
  const { sql = '' } = readMigrations().find(({ name }) => name.endsWith('_sort_names')) ?? {};
  const drops = sql.match(/^DROP TRIGGER .*;$/gm) ?? [];
  const columns = [...sql.matchAll(/^ALTER TABLE (\w+) ALTER COLUMN (\w+) TYPE/gm)];
  expect(columns.length).toBeGreaterThan(0);
  const listStatistics = async () => {
    const { rows } = await pool.query(
      `SELECT tablename || '.' || attname AS name FROM pg_stats
       WHERE (tablename, attname) IN (SELECT * FROM unnest($1::name[], $2::name[])) ORDER BY 1`,
      [columns.map(([, table]) => table), columns.map(([, , column]) => column)],
    );
    return rows.map(({ name }) => name);
  };
  const toDefault = columns.map(
    ([, table, column]) =>
      `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE text COLLATE "default";`,
  );
  await app.ctx.db.member.deleteMany();
  await insertMembers(['Ana', 'Zoe']);
  await pool.query([...drops, ...toDefault, 'ANALYZE'].join('\n'));
  const before = await listStatistics();
  expect(before).toContain('members.name');
  await pool.query(sql.replace(/^(CREATE COLLATION|DROP TRIGGER) .*;$/gm, ''));
  expect(await listStatistics()).toEqual(before);
});
