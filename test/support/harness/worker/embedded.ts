import { readFile } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Connection } from '../../../../src/db/database.ts';
import {
  connectEmbedded as connectTo,
  createPglite,
} from '../../../../src/db/embedded/embedded-database.ts';

/** An embedded database that is reused by several test files, one after the other. */
interface Reusable {
  pglite: PGlite;
  /** Later test files use what earlier ones have prepared. */
  preparedStatements: Record<string, string>;
  /** A digest of the schema, which must not change between test files. */
  schema: string;
  /** The state of each table after the last reset, which tells what a test file has changed. */
  tables: Map<string, string>;
  /** The statement that resets each sequence to the template. */
  resetSequences: string;
}

// Each takes some 100 MB, and few files use more than two at a time.
const MAX_IDLE = 2;
const idle = new Map<string, Reusable[]>();

/** Opens a database with the content of this template. Closing it resets the database for the next test file. */
export async function openReusable(
  template: string,
  options: { transactionTimeoutMs?: number } = {},
): Promise<Connection> {
  const reusable = idle.get(template)?.pop() ?? (await unpack(template));
  const instance = { ...reusable, pglite: withoutClosing(reusable.pglite) };
  const connection = connectTo(instance, options);
  return {
    ...connection,
    close: async () => {
      await connection.close();
      const others = idle.get(template) ?? [];
      let isReset = false;
      try {
        isReset = others.length < MAX_IDLE && (await reset(reusable));
      } finally {
        if (isReset) others.push(reusable);
        else await reusable.pglite.close().catch(() => {});
        idle.set(template, others);
      }
    },
  };
}

async function unpack(template: string): Promise<Reusable> {
  const dump = await readFile(template);
  const pglite = await createPglite({ loadDataDir: new Blob([Uint8Array.from(dump)]) });
  return {
    pglite,
    preparedStatements: {},
    schema: await digestSchema(pglite),
    tables: await readTableStates(pglite),
    resetSequences: await composeSequenceReset(pglite),
  };
}

const withoutClosing = (pglite: PGlite): PGlite =>
  new Proxy(pglite, {
    get: (target, name) => {
      if (name === 'close') return async () => {};
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Resets the rows of the tables that changed. False if a test has changed the schema, or if the database has crashed. */
async function reset(reusable: Reusable): Promise<boolean> {
  const { pglite, schema, tables } = reusable;
  try {
    await pglite.exec('ROLLBACK');
  } catch {
    return false;
  }
  await resetSession(reusable);
  await pglite.exec('DROP SCHEMA IF EXISTS pgboss CASCADE'); // the job queue creates it
  if ((await digestSchema(pglite)) !== schema) return false;
  const states = await readTableStates(pglite);
  const changed = [...states].flatMap(([name, state]) =>
    tables.get(name) === state ? [] : [`public."${name}"`],
  );
  if (changed.length === 0) return true;
  await pglite.exec(`SET session_replication_role = replica; ${changed.map(DELETE_ROWS).join('')}`);
  // Otherwise dead rows affect the speed of later statements.
  await pglite.exec(`VACUUM ${changed.join()}`);
  await pglite.exec(changed.map(INSERT_ROWS).join(''));
  await pglite.exec(`SET session_replication_role = origin; ${reusable.resetSequences}`);
  await pglite.exec(RESET_STATISTICS);
  reusable.tables = await readTableStates(pglite);
  return true;
}

/** Each prepared statement keeps its plan in memory. */
const MAX_PREPARED_STATEMENTS = 1_000;

/** Undoes what a test file has set for its session, and keeps what it has prepared. */
async function resetSession({ pglite, preparedStatements }: Reusable): Promise<void> {
  for (const command of RESET_SESSION) await pglite.exec(command);
  const { rows } = await pglite.query<{ name: string; statement: string }>(
    'SELECT name, statement FROM pg_prepared_statements',
  );
  for (const name of Object.keys(preparedStatements)) delete preparedStatements[name];
  if (rows.length > MAX_PREPARED_STATEMENTS) await pglite.exec('DEALLOCATE ALL');
  else for (const { name, statement } of rows) preparedStatements[name] = statement;
}

// As `DISCARD ALL` does, without `DEALLOCATE ALL`.
const RESET_SESSION = [
  'CLOSE ALL',
  'SET SESSION AUTHORIZATION DEFAULT',
  'RESET ALL',
  'UNLISTEN *',
  'SELECT pg_advisory_unlock_all()',
  'DISCARD TEMP',
  'DISCARD SEQUENCES',
];

const DELETE_ROWS = (table: string) => `DELETE FROM ${table};`;
const INSERT_ROWS = (table: string) =>
  `INSERT INTO ${table} SELECT * FROM ${table.replace('public.', 'pristine.')};`;

// Plans depend on what VACUUM has counted.
const RESET_STATISTICS = `
  UPDATE pg_class c SET relpages = s.relpages, reltuples = s.reltuples, relallvisible = s.relallvisible FROM pristine.statistics s
  WHERE c.oid = s.oid AND (c.relpages, c.reltuples) IS DISTINCT FROM (s.relpages, s.reltuples);`;

async function composeSequenceReset(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ command: string }>(`
    SELECT format('SELECT setval(%L, %s, %L);', quote_ident(sequencename), coalesce(last_value, start_value), last_value IS NOT NULL) AS command
    FROM pg_sequences WHERE schemaname = 'public'`);
  return rows.map(({ command }) => command).join('');
}

/** Reads how many rows of each table were written, also by transactions that were rolled back, and its file, which TRUNCATE replaces. */
async function readTableStates(pglite: PGlite): Promise<Map<string, string>> {
  await pglite.exec('SELECT pg_stat_force_next_flush()');
  const { rows } = await pglite.query<{ name: string; state: string }>(TABLE_STATES);
  return new Map(rows.map(({ name, state }) => [name, state]));
}

const TABLE_STATES = `
  SELECT relname AS name, concat_ws(' ', pg_relation_filenode(relid), n_tup_ins, n_tup_upd, n_tup_del) AS state
  FROM pg_stat_user_tables WHERE schemaname = 'public'`;

/** Runs in a template and copies every row for `RESET`. */
export const COPY_ROWS = `DO $$
  DECLARE name text;
  BEGIN
    CREATE SCHEMA pristine;
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('CREATE TABLE pristine.%I AS TABLE public.%I', name, name);
    END LOOP;
    CREATE TABLE pristine.statistics AS
      SELECT oid, relpages, reltuples, relallvisible FROM pg_class WHERE relnamespace = 'public'::regnamespace;
  END $$`;

async function digestSchema(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ schema: string }>(SCHEMA);
  return rows[0]?.schema ?? '';
}

const SCHEMA = `
  WITH tables AS (SELECT oid, relname, relkind, relnatts FROM pg_class WHERE relnamespace >= 16384 OR relnamespace = 'public'::regnamespace)
  SELECT md5(concat(
    (SELECT string_agg(concat_ws(' ', oid, relname, relkind, relnatts), ',' ORDER BY oid) FROM tables),
    (SELECT string_agg(concat_ws(' ', attrelid, attname, atttypid, attnotnull, pg_get_expr(adbin, adrelid)), ',' ORDER BY attrelid, attnum)
      FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND attrelid IN (SELECT oid FROM tables)),
    (SELECT string_agg(relacl::text, ',' ORDER BY oid) FROM pg_class WHERE oid IN (SELECT oid FROM tables)),
    (SELECT string_agg(e::text, ',' ORDER BY oid) FROM pg_enum e),
    (SELECT string_agg(c::text, ',' ORDER BY oid) FROM pg_constraint c WHERE conrelid IN (SELECT oid FROM tables)),
    (SELECT string_agg(t::text, ',' ORDER BY oid) FROM pg_trigger t),
    (SELECT string_agg(p::text, ',' ORDER BY oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace),
    (SELECT string_agg(s::text, ',') FROM pg_db_role_setting s),
    (SELECT string_agg(rolname, ',' ORDER BY oid) FROM pg_roles)
  )) AS schema`;
