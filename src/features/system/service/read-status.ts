import { access, constants, statfs } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import type { Context } from '../../../context.ts';
import { readPackageVersion } from '../../../core/package-version.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { readBacklog } from '../../monitoring/service.ts';
import { CHECKOUTS } from '../../payments/service/checkout.ts';
import { listPolicies } from '../../personal-data/service/retention.ts';
import {
  type Installation,
  isUnreachable,
  type Reachability,
  type SystemStatus,
} from '../types.ts';
import { type LastRun, toJobStatus } from './job-status.ts';
import { findLastBackup } from './last-backup.ts';
import { toShownError } from './last-runs.ts';

/**
 * Reads the state of the installation. `instance`, the disks, the pools, the response time and the clock are those of the process
 * that reads; everything else is that of all instances. Sends nothing to the outside.
 */
export async function readSystemStatus(
  ctx: Context,
  installation: Installation,
): Promise<SystemStatus> {
  const { config, database, jobs, startedAt } = installation;
  const measured = await measureDatabase(ctx);
  const { facts } = measured;
  const [server, work, runs, backlog, retention, disks, lastBackup, directoryError] =
    await Promise.all([
      database.kind === 'postgres' ? readServer(ctx) : undefined,
      readWork(ctx),
      ctx.pipelinedSql<LastRun>(READ_LAST_RUNS, []),
      readBacklog(ctx),
      listPolicies(ctx),
      readDisks(installation),
      findLastBackup(ctx, installation),
      config.backupDir === undefined ? null : findDirectoryError(config.backupDir),
    ]);
  const at = ctx.now();
  const findQueue = (name: string): Reachability => {
    const run = runs.find((one) => one.kind === 'queue' && one.name === name);
    const { succeededAt = null, failedAt = null, error = null } = run ?? {};
    return { respondedAt: succeededAt, failedAt, error };
  };
  const checkouts = findQueue(CHECKOUTS);
  const archivedAt = server?.archivedAt ?? null;
  const backup = [lastBackup, archivedAt && toArchiveBackup(archivedAt)]
    .filter((one) => one !== null)
    .sort((one, other) => other.at.getTime() - one.at.getTime())[0];
  return {
    checkedAt: at,
    versions: {
      foyer: readPackageVersion(),
      node: process.version,
      database: `PostgreSQL ${facts.version}${database.kind === 'embedded' ? ', embedded' : ''}`,
      migration: facts.migration,
    },
    instance: { host: hostname(), startedAt },
    database: {
      kind: database.kind,
      bytes: facts.bytes,
      createdAt: facts.createdAt,
      ...disks,
      connections: server ? { used: server.used, limit: server.limit } : null,
      pools: database.watchedPools.map(({ name, readUsage }) => ({ name, ...readUsage() })),
      responseMs: measured.responseMs,
      isReadOnly: facts.isReadOnly,
    },
    clock: {
      databaseAheadMs: measured.databaseAheadMs,
      journalAheadMs: Math.max(
        0,
        facts.newestChangeAt === null ? 0 : facts.newestChangeAt.getTime() - at.getTime(),
      ),
    },
    email: {
      server: config.smtpUrl === undefined ? null : toHost(config.smtpUrl),
      ...backlog.emails,
      ...findQueue('mails'),
    },
    payments: {
      provider: config.payments.provider,
      isLive: isLive(config.payments),
      ...findQueue('refunds'),
      lastEventAt: work.lastEventAt,
      stuckEvents: work.stuckEvents,
      stuckEventError: work.stuckEventError && toShownError(work.stuckEventError),
      rejection: isUnreachable(checkouts) ? checkouts.error : null,
    },
    webhooks: {
      proxy: config.webhookProxy === undefined ? null : toHost(config.webhookProxy),
      ...backlog.deliveries,
      disabled: work.disabledWebhooks,
      ...findQueue('webhooks'),
    },
    jobs: jobs
      .filter(({ canRun }) => canRun?.(installation) ?? true)
      .map((job) =>
        toJobStatus(
          job,
          runs.find((run) => run.kind === 'job' && run.name === job.name),
          { now: at, startedAt },
        ),
      ),
    displays: backlog.displays,
    backups: {
      last: backup ?? null,
      isArchiveFailing: server?.isArchiveFailing ?? null,
      maxAgeDays: config.backupMaxAgeDays === 0 ? null : config.backupMaxAgeDays,
      directory: config.backupDir ?? null,
      directoryError,
      keep: config.backupKeep,
    },
    retention,
  };
}

/** Host and port, without the user name and the password. */
function toHost(address: string): string {
  return new URL(address).host;
}

const isLive = (payments: Installation['config']['payments']) =>
  payments.provider === 'on_site' ||
  (payments.provider === 'stripe' && !/^[rs]k_test_/.test(payments.secretKey));

const toArchiveBackup = (at: Date) => ({
  way: 'wal_archive' as const,
  at,
  bytes: null,
  durationMs: null,
  file: null,
});

interface DatabaseFacts {
  clock: Date;
  version: string;
  bytes: number;
  migration: string;
  createdAt: Date;
  newestChangeAt: Date | null;
  isReadOnly: boolean;
}

const READ_FACTS = prepareStatement(`
  SELECT clock_timestamp() AS clock, current_setting('server_version') AS version,
    pg_database_size(current_database())::float8 AS bytes,
    (SELECT max(migration_name) FROM _prisma_migrations WHERE finished_at IS NOT NULL) AS migration,
    (SELECT min(finished_at) FROM _prisma_migrations) AS "createdAt",
    (SELECT at FROM changes WHERE position IS NOT NULL ORDER BY at DESC LIMIT 1) AS "newestChangeAt",
    pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`);

const PING = prepareStatement('SELECT clock_timestamp() AS clock');

/** The clock of the database is compared with the middle of the time that its answer took. */
async function measureDatabase({ pipelinedSql, now }: Context) {
  const [facts] = await pipelinedSql<DatabaseFacts>(READ_FACTS, []);
  if (facts === undefined) throw new Error('The statement of the system status returned no row.');
  const before = now().getTime();
  const startedAt = performance.now();
  const [ping] = await pipelinedSql<{ clock: Date }>(PING, []);
  const responseMs = performance.now() - startedAt;
  const clock = (ping?.clock ?? facts.clock).getTime();
  return { facts, responseMs, databaseAheadMs: Math.round(clock - (before + responseMs / 2)) };
}

interface ServerFacts {
  used: number;
  limit: number;
  archivedAt: Date | null;
  isArchiveFailing: boolean | null;
}

// Backends of other roles do not show their type.
const READ_SERVER = prepareStatement(`
  SELECT (SELECT count(*)::int FROM pg_stat_activity
      WHERE datid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend') AS used,
    current_setting('max_connections')::int AS limit,
    CASE WHEN current_setting('archive_mode') <> 'off' THEN last_archived_time END AS "archivedAt",
    CASE WHEN current_setting('archive_mode') <> 'off'
      THEN coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) END AS "isArchiveFailing"
  FROM pg_stat_archiver`);

async function readServer({ pipelinedSql }: Context): Promise<ServerFacts | undefined> {
  return (await pipelinedSql<ServerFacts>(READ_SERVER, []))[0];
}

interface WorkFacts {
  lastEventAt: Date | null;
  stuckEvents: number;
  stuckEventError: string | null;
  disabledWebhooks: number;
}

// Each part reads an index of what is not processed, the newest entry of an index, or a table that grows with the space.
const READ_WORK = {
  ...prepareStatement(`
  WITH stuck AS (
    SELECT count(*)::int AS count, max(last_error) AS error FROM provider_events WHERE processed_at IS NULL AND attempts >= 3)
  SELECT greatest(
      (SELECT received_at FROM provider_events WHERE processed_at IS NOT NULL AND provider = $1::payment_provider
       ORDER BY processed_at DESC LIMIT 1),
      (SELECT max(received_at) FROM provider_events WHERE processed_at IS NULL AND provider = $1::payment_provider)
    ) AS "lastEventAt",
    stuck.count AS "stuckEvents", stuck.error AS "stuckEventError",
    (SELECT count(*)::int FROM webhook_endpoints
     WHERE disabled_at IS NOT NULL AND disabled_reason <> 'Disabled by staff.') AS "disabledWebhooks"
  FROM stuck`),
  needsCustomPlan: true,
};

async function readWork({ pipelinedSql, payments }: Context): Promise<WorkFacts> {
  const [work] = await pipelinedSql<WorkFacts>(READ_WORK, [payments.name]);
  if (work === undefined) throw new Error('The statement of the system status returned no row.');
  return work;
}

const READ_LAST_RUNS = prepareStatement(`
  SELECT kind, name, started_at AS "startedAt", duration_ms AS "durationMs", succeeded_at AS "succeededAt",
    failed_at AS "failedAt", error FROM last_runs`);

async function readDisks({ config, database }: Installation) {
  const [freeBytes, temporaryFreeBytes] = await Promise.all([
    database.kind === 'embedded' ? readFreeBytes(config.dataDir).catch(ignoreMissing) : null,
    readFreeBytes(tmpdir()),
  ]);
  return { freeBytes, temporaryFreeBytes };
}

/** A database in memory, as in tests, has no directory. */
function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Returns the space that this user can still write. */
async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Returns the code of the error if files cannot be listed or created in a directory, otherwise null. */
const findDirectoryError = (directory: string): Promise<string | null> =>
  access(`${directory}/`, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => code ?? 'unknown error',
  );
