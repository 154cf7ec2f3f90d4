import { readFile } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Connection } from '../../../src/db/database.ts';
import {
  connectEmbedded as connectTo,
  createPglite,
} from '../../../src/db/embedded/embedded-database.ts';

/** An embedded database that outlives the test files that use it, one after the other. */
interface Kept {
  pglite: PGlite;
  /** What must be the same again before the next file has it. */
  schema: string;
}

// Each takes some 100 MB, and few files use more than one at a time.
const MOST_IDLE = 1;
const idle = new Map<string, Kept[]>();

/** A connection to a database as it stands in this file; closing it hands the database on, as it was. */
export async function openKept(template: string): Promise<Connection> {
  const kept = idle.get(template)?.pop() ?? (await unpack(template));
  const connection = connectTo(withoutClosing(kept.pglite));
  return {
    ...connection,
    close: async () => {
      await connection.close();
      const others = idle.get(template) ?? [];
      if (others.length < MOST_IDLE && (await isAsBefore(kept))) others.push(kept);
      else await kept.pglite.close().catch(() => {});
      idle.set(template, others);
    },
  };
}

async function unpack(template: string): Promise<Kept> {
  const dump = await readFile(template);
  const pglite = await createPglite({ loadDataDir: new Blob([Uint8Array.from(dump)]) });
  return { pglite, schema: await schemaOf(pglite) };
}

/** For the end of a worker, which the timers of a database would delay. */
export async function closeIdle(): Promise<void> {
  const kept = [...idle.values()].flat();
  idle.clear();
  for (const { pglite } of kept) await pglite.close();
}

const withoutClosing = (pglite: PGlite): PGlite =>
  new Proxy(pglite, {
    get: (target, name) => {
      if (name === 'close') return async () => {};
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Takes back what was written. False where a test has changed the schema as well, or where the database has died. */
async function isAsBefore({ pglite, schema }: Kept): Promise<boolean> {
  try {
    for (const command of RESET) await pglite.exec(command);
    return (await schemaOf(pglite)) === schema;
  } catch {
    return false;
  }
}

/** Run in a template: keeps a copy of every row, for `RESET`. */
export const KEEP_ROWS = `DO $$
  DECLARE name text;
  BEGIN
    CREATE SCHEMA pristine;
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('CREATE TABLE pristine.%I AS TABLE public.%I', name, name);
    END LOOP;
  END $$`;

// Truncating gives every table a new file: nothing that was deleted makes the next statements slower, or plans others.
const RESET = [
  'ROLLBACK',
  'DISCARD ALL',
  `DO $$
  DECLARE
    name text;
    names text[] := ARRAY(SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r');
  BEGIN
    SET LOCAL session_replication_role = replica;
    EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('public.%I', n), ', ') || ' RESTART IDENTITY' FROM unnest(names) n);
    FOREACH name IN ARRAY names LOOP
      EXECUTE format('INSERT INTO public.%I SELECT * FROM pristine.%I', name, name);
    END LOOP;
  END $$`,
];

async function schemaOf(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ schema: string }>(SCHEMA);
  return rows[0]?.schema ?? '';
}

const SCHEMA = `
  WITH tables AS (SELECT oid, relname, relkind, relnatts FROM pg_class WHERE relnamespace >= 16384 OR relnamespace = 'public'::regnamespace)
  SELECT md5(concat(
    (SELECT string_agg(concat_ws(' ', oid, relname, relkind, relnatts), ',' ORDER BY oid) FROM tables),
    (SELECT string_agg(c::text, ',' ORDER BY oid) FROM pg_constraint c WHERE conrelid IN (SELECT oid FROM tables)),
    (SELECT string_agg(t::text, ',' ORDER BY oid) FROM pg_trigger t),
    (SELECT string_agg(p::text, ',' ORDER BY oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace),
    (SELECT string_agg(s::text, ',') FROM pg_db_role_setting s),
    (SELECT string_agg(rolname, ',' ORDER BY oid) FROM pg_roles)
  )) AS schema`;
