import type { Migration } from '../../../src/db/migrations.ts';

/** A migration of a newer version, which adds a column to every table and a table. */
export const laterMigration = (runsBeside: string | undefined): Migration => ({
  name: '29990101000000_later',
  sql: `${runsBeside === undefined ? '' : `-- Runs beside: ${runsBeside}\n`}
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    AND relname <> '_prisma_migrations' ORDER BY relname
  LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN later text', name);
  END LOOP;
END $$;
CREATE TABLE later (id uuid PRIMARY KEY);`,
});

/** Migrations of a newer version, each of which adds a column to one table, as contributors should. */
export const laterMigrations = (runsBeside: string): Migration[] =>
  ['bookings', 'changes', 'displays', 'events', 'locations', 'members', 'resources'].map(
    (table) => ({
      name: `29990101000000_${table}`,
      sql: `-- Runs beside: ${runsBeside}\nALTER TABLE "${table}" ADD COLUMN "later" TEXT;`,
    }),
  );
