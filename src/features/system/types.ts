import type { Config } from '../../config.ts';
import type { Backlog } from '../../core/work-metrics.ts';
import type { Database } from '../../db/database.ts';
import type { EffectivePolicy } from '../personal-data/service/retention.ts';

/** What a process knows of the installation that it belongs to. */
export interface Installation {
  config: Pick<
    Config,
    | 'databaseUrl'
    | 'dataDir'
    | 'smtpUrl'
    | 'isDemo'
    | 'payments'
    | 'webhookProxy'
    | 'diskWarningBytes'
    | 'backupMaxAgeDays'
    | 'backupDir'
    | 'backupKeep'
  >;
  database: Pick<Database, 'kind' | 'pool' | 'rowCopier' | 'watchedPools'>;
  jobs: readonly {
    name: string;
    cron: string;
    /** Whether this process can run it. By default, all can. */
    canRun?(installation: Installation): boolean;
  }[];
  /** When this process started. */
  startedAt: Date;
}

/** The last time that the other side, such as the mail server, responded, and that it could not be reached. */
export interface Reachability {
  respondedAt: Date | null;
  failedAt: Date | null;
  /** Why it could not be reached. */
  error: string | null;
}

/** Whether the other side could not be reached at the last attempt. */
export const isUnreachable = ({ respondedAt, failedAt }: Reachability): boolean =>
  failedAt !== null && (respondedAt === null || failedAt > respondedAt);

/** The state of one job on any instance. */
export interface JobStatus {
  name: string;
  lastRun: { startedAt: Date; durationMs: number } | null;
  lastFailure: { at: Date; error: string } | null;
  /** When it is due next, by its schedule. */
  nextRunAt: Date;
  isFailing: boolean;
  isLate: boolean;
}

/** A backup, made by Foyer or as an archive of the log of PostgreSQL. */
export interface Backup {
  way: 'command' | 'wal_archive';
  at: Date;
  /** Null for an archive of the log. */
  bytes: number | null;
  durationMs: number | null;
  file: string | null;
}

export interface SystemStatus {
  checkedAt: Date;
  versions: {
    foyer: string;
    node: string;
    database: string;
    /** The newest migration that is applied. */
    migration: string;
  };
  instance: { host: string; startedAt: Date };
  database: {
    kind: 'embedded' | 'postgres';
    bytes: number;
    createdAt: Date;
    /** Of the disk with DATA_DIR. Null for PostgreSQL, whose disk is on another machine. */
    freeBytes: number | null;
    temporaryFreeBytes: number;
    /** All open connections to the server and their limit. Null for the embedded database. */
    connections: { used: number; limit: number } | null;
    pools: { name: string; used: number; idle: number; waiting: number }[];
    responseMs: number;
    isReadOnly: boolean;
  };
  clock: {
    /** How far the clock of the database is ahead of this machine's. Negative if it is behind. */
    databaseAheadMs: number;
    /** How far the newest entry of the journal is in the future. */
    journalAheadMs: number;
  };
  email: Reachability &
    Backlog['emails'] & {
      /** The host and port of the mail server. Null: emails are only stored. */
      server: string | null;
    };
  payments: Reachability & {
    provider: 'on_site' | 'sandbox' | 'stripe';
    /** Whether payments are real. False for test keys of the provider and for simulated payments. */
    isLive: boolean;
    lastEventAt: Date | null;
    /** Events of the provider that have failed repeatedly and are retried. */
    stuckEvents: number;
    stuckEventError: string | null;
    /** Why the provider rejected the payment of the last order that someone wanted to pay. Null if it did not. */
    rejection: string | null;
  };
  webhooks: Reachability &
    Backlog['deliveries'] & {
      disabled: number;
      /** The host and port of the proxy. Null: webhooks are sent directly. */
      proxy: string | null;
    };
  jobs: JobStatus[];
  displays: Backlog['displays'];
  backups: {
    last: Backup | null;
    /** Whether the archive of the log of PostgreSQL fails. Null: there is none. */
    isArchiveFailing: boolean | null;
    /** After how many days without a backup there is a problem. Null: never. */
    maxAgeDays: number | null;
    /** Where the service writes one every night. Null: it writes none. */
    directory: string | null;
    /** Why this process cannot write there. Null if it can, or if there is no directory. */
    directoryError: string | null;
    /** How many of them are kept. */
    keep: number;
  };
  retention: EffectivePolicy[];
}

/** The kinds of problems, with their descriptions. */
export const PROBLEM_CODES = {
  DISK_FULL: 'The disk of DATA_DIR is full, so changes are rejected',
  DISK_LOW: 'The disk of DATA_DIR is nearly full',
  TEMPORARY_DISK_LOW: 'The disk of temporary files is nearly full',
  CLOCK_WRONG: 'The clock of the instance is wrong',
  CONNECTIONS_LOW: 'PostgreSQL has few connections left',
  NO_MAIL_SERVER: 'Emails wait, and no mail server is set',
  MAIL_SERVER_UNREACHABLE: 'The mail server cannot be used',
  PAYMENTS_UNREACHABLE: 'The payment provider cannot be used',
  PAYMENTS_REJECTED: 'The payment provider rejects payments',
  PAYMENT_EVENTS_FAILING: 'Events of the payment provider cannot be applied',
  WEBHOOK_PROXY_UNREACHABLE: 'The proxy for webhooks cannot be used',
  WEBHOOKS_DISABLED: 'Foyer has disabled webhooks',
  JOBS_FAILING: 'The last run of a job failed',
  JOBS_LATE: 'A job did not run when it was due',
  BACKUP_FAILING: 'The nightly backup failed, or its directory cannot be written',
  BACKUP_MISSING: 'There is no backup, or the last one is too old',
  ARCHIVE_FAILING: 'PostgreSQL cannot archive its log',
} as const;
export type ProblemCode = keyof typeof PROBLEM_CODES;

export interface Problem {
  code: ProblemCode;
  /** What is wrong. */
  message: string;
  /** What to do. */
  remedy: string;
  /** Whether it concerns only the instance that answers. Another one can have other problems. */
  isOfInstance: boolean;
}
