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
  /** A digest of the schema, which must not change between test files. */
  schema: string;
}

// Each takes some 100 MB, and few files use more than two at a time.
const MAX_IDLE = 2;
const idle = new Map<string, Reusable[]>();

/** Opens a database with the content of this template. Closing it resets the database for the next test file. */
export async function openReusable(template: string): Promise<Connection> {
  const reusable = idle.get(template)?.pop() ?? (await unpack(template));
  const connection = connectTo({ pglite: withoutClosing(reusable.pglite) });
  return {
    ...connection,
    close: async () => {
      await connection.close();
      const others = idle.get(template) ?? [];
      if (others.length < MAX_IDLE && (await reset(reusable))) others.push(reusable);
      else await reusable.pglite.close().catch(() => {});
      idle.set(template, others);
    },
  };
}

async function unpack(template: string): Promise<Reusable> {
  const dump = await readFile(template);
  const pglite = await createPglite({ loadDataDir: new Blob([Uint8Array.from(dump)]) });
  return { pglite, schema: await digestSchema(pglite) };
}

const withoutClosing = (pglite: PGlite): PGlite =>
  new Proxy(pglite, {
    get: (target, name) => {
      if (name === 'close') return async () => {};
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Resets the rows. False if a test has changed the schema, or if the database has crashed. */
async function reset({ pglite, schema }: Reusable): Promise<boolean> {
  try {
    for (const command of RESET) await pglite.exec(command);
    return (await digestSchema(pglite)) === schema;
  } catch {
    return false;
  }
}

/** Runs in a template and copies every row for `RESET`. */
export const COPY_ROWS = `DO $$
  DECLARE name text;
  BEGIN
    CREATE SCHEMA pristine;
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('CREATE TABLE pristine.%I AS TABLE public.%I', name, name);
    END LOOP;
  END $$`;

// Truncating gives every table a new file, so that dead rows do not affect the speed or the plans of later statements.
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

async function digestSchema(pglite: PGlite): Promise<string> {
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
