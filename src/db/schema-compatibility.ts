import type pg from 'pg';
import { DomainError } from '../errors.ts';

// Which versions of Foyer can run on a schema. Each migration says which is the oldest one that can run beside it, and the database
// records it, so that a process that lacks the migration can read it. See docs/decisions/0038-compatible-migrations.md.

/** A migration that the database contains. */
export interface AppliedMigration {
  name: string;
  /** The version of Foyer that applied it, null before versions were recorded. */
  appliedBy: string | null;
  /** The oldest version that can run beside it. Null if only those can that have the migration. */
  oldestVersion: string | null;
}

const RUNS_BESIDE = /^-- Runs beside: (\d+\.\d+\.\d+)$/m;

/** The line of a migration that says beside which version it runs. */
export const toRunsBesideLine = (version: string) => `-- Runs beside: ${version}`;

/** Reads the oldest version that can run beside a migration, or null if the migration does not say it. */
export const readOldestVersion = (sql: string): string | null => RUNS_BESIDE.exec(sql)?.[1] ?? null;

/** Whether the first version is lower. A pre-release counts as its release. */
function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split(/[-+]/)[0] ?? '');
  return COLLATOR.compare(own ?? '', other ?? '') < 0;
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

const findHighest = (versions: string[]): string | undefined =>
  versions.reduce<string | undefined>(
    (highest, version) => (highest !== undefined && !isOlder(highest, version) ? highest : version),
    undefined,
  );

/** Returns the migrations beside which this version cannot run. */
export const findUnsuitable = (unknown: AppliedMigration[], version: string): AppliedMigration[] =>
  unknown.filter(({ oldestVersion }) => oldestVersion === null || isOlder(version, oldestVersion));

/** @throws CONFLICT, reason DATABASE_NEWER, if this version cannot run beside one of these migrations. */
export function assertSuitable(unknown: AppliedMigration[], version: string): void {
  const unsuitable = findUnsuitable(unknown, version);
  if (unsuitable.length === 0) return;
  const names = unsuitable.map(({ name }) => name).join(', ');
  const needed = findHighest(
    unsuitable.flatMap(({ oldestVersion, appliedBy }) => oldestVersion ?? appliedBy ?? []),
  );
  throw new DomainError(
    'CONFLICT',
    `A newer version of Foyer migrated the database, and version ${version} cannot run on it (unknown migrations: ${names}). ` +
      `Start ${needed ? `version ${needed} or later` : 'the newer version'}, or restore the backup from before the upgrade into a new database.`,
    { reason: 'DATABASE_NEWER' },
  );
}

/** Returns the newest version that has migrated the database, or undefined if none of these migrations says it. */
export const findNewestVersion = (migrations: AppliedMigration[]): string | undefined =>
  findHighest(migrations.flatMap(({ appliedBy }) => appliedBy ?? []));

const NAME_PREFIX = 'foyer ';

/** What the connections of an instance are called in PostgreSQL, so that others can see its version. */
export const toApplicationName = (version: string) => `${NAME_PREFIX}${version}`;

// The connections of a machine that is gone can stay open for hours. Those of a running instance are in use every few seconds.
const LIST_RUNNING_VERSIONS = `
  SELECT DISTINCT substr(application_name, length('${NAME_PREFIX}') + 1) AS version FROM pg_stat_activity
  WHERE datname = current_database() AND starts_with(application_name, '${NAME_PREFIX}')
    AND state_change > now() - interval '5 minutes'`;

/**
 * Rejects migrations beside which running instances of older versions could not go on.
 * @throws CONFLICT, reason OLDER_INSTANCES, with what to do.
 */
export async function assertNoOlderInstances(
  client: pg.PoolClient,
  missing: { name: string; sql: string }[],
  version: string,
): Promise<void> {
  const { rows } = await client.query<{ version: string }>(LIST_RUNNING_VERSIONS);
  for (const { name, sql } of missing) {
    // Without the line, the migration runs beside the versions that have it.
    const oldest = readOldestVersion(sql) ?? version;
    const older = rows.filter((row) => isOlder(row.version, oldest)).map((row) => row.version);
    if (older.length === 0) continue;
    throw new DomainError(
      'CONFLICT',
      `The database is in use by version ${older.join(' and ')} of Foyer, which cannot run beside the migration ${name}: it needs ${oldest} or later. ` +
        'Nothing was changed. Stop these instances, then start this version again.',
      { reason: 'OLDER_INSTANCES' },
    );
  }
}

/**
 * Says which version can run on the database after these migrations, for an operator who wants to go back.
 */
export function describeWayBack(applied: { sql: string }[]): string {
  if (applied.length === 0) return 'or start the previous version again, since nothing was changed';
  const oldest = applied.map(({ sql }) => readOldestVersion(sql));
  const needed = findHighest(oldest.filter((version) => version !== null));
  return needed !== undefined && !oldest.includes(null)
    ? `or start version ${needed} or later again, which can run on the database as it is`
    : 'or restore the backup from before the upgrade with the previous version';
}
