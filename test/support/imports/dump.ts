import type { Context } from '../../../src/context.ts';
import { TABLES } from '../../../src/features/personal-data/tables.ts';

/** What says that something happened, and so stays after an import is undone. */
const HISTORY = [
  ...['changes', 'journal_head', 'imports', 'import_rows', 'import_changes'],
  ...['display_content_changes', 'display_content_versions'],
];

/** All rows of all tables but the history, by table, without how often and when they were changed. */
export async function dumpTables({ db }: Context): Promise<Record<string, unknown>> {
  const dump: Record<string, unknown> = {};
  for (const table of Object.keys(TABLES).filter((name) => !HISTORY.includes(name))) {
    const [row] = await db.$queryRawUnsafe<{ rows: unknown }[]>(
      `SELECT jsonb_agg(to_jsonb(t) - 'updated_at' - 'import_revision' ORDER BY to_jsonb(t)::text) AS rows FROM ${table} t`,
    );
    dump[table] = row?.rows ?? null;
  }
  return dump;
}
