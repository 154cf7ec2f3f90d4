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
    | 'payments'
    | 'webhookProxy'
    | 'diskWarningBytes'
    | 'backupMaxAgeDays'
  >;
  database: Pick<Database, 'kind' | 'watchedPools'>;
  jobs: readonly { name: string; cron: string }[];
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
  };
  retention: EffectivePolicy[];
}

export const PROBLEM_CODES = [
  'DISK_FULL',
  'DISK_LOW',
  'TEMPORARY_DISK_LOW',
  'CLOCK_WRONG',
  'CONNECTIONS_LOW',
  'NO_MAIL_SERVER',
  'MAIL_SERVER_UNREACHABLE',
  'PAYMENTS_UNREACHABLE',
  'PAYMENT_EVENTS_FAILING',
  'WEBHOOK_PROXY_UNREACHABLE',
  'WEBHOOKS_DISABLED',
  'JOBS_FAILING',
  'JOBS_LATE',
  'BACKUP_MISSING',
  'ARCHIVE_FAILING',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface Problem {
  code: ProblemCode;
  /** What is wrong. */
  message: string;
  /** What to do. */
  remedy: string;
  /** Whether it concerns only the instance that answers. Another one can have other problems. */
  isOfInstance: boolean;
}
