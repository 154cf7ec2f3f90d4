import { DAY_MS } from '../../../core/time/time-zone.ts';
import { isUnreachable, type Problem, type ProblemCode, type SystemStatus } from '../types.ts';
import { NIGHTLY_BACKUP_JOB } from './nightly-backups.ts';

/** Signed requests, sessions and offers of instances disagree beyond it. */
const MAX_CLOCK_DIFFERENCE_MS = 10_000;
const MAX_CONNECTION_SHARE = 0.9;
const MAX_NAMES = 5;

/** What is wrong now, most urgent first. Empty if all is well. `diskWarningBytes` is how much space a disk should have. */
export function findProblems(
  status: SystemStatus,
  { diskWarningBytes, isDemo }: { diskWarningBytes: number; isDemo: boolean },
): Problem[] {
  return [
    ...findDiskProblems(status, diskWarningBytes),
    ...findClockProblems(status),
    ...findConnectionProblems(status),
    ...(isDemo ? [] : findEmailProblems(status)), // the demo sends no emails
    ...findPaymentProblems(status),
    ...findWebhookProblems(status),
    ...findJobProblems(status),
    ...findBackupProblems(status),
  ];
}

const ofInstance = (code: ProblemCode, message: string, remedy: string): Problem[] => [
  { code, message, remedy, isOfInstance: true },
];
const ofSpace = (code: ProblemCode, message: string, remedy: string): Problem[] => [
  { code, message, remedy, isOfInstance: false },
];

function findDiskProblems({ database }: SystemStatus, warningBytes: number): Problem[] {
  const { freeBytes, temporaryFreeBytes, isReadOnly } = database;
  if (isReadOnly && freeBytes !== null)
    return ofInstance(
      'DISK_FULL',
      `The disk of DATA_DIR is full (${formatBytes(freeBytes)} free), so Foyer rejects changes.`,
      'Delete files from this disk or enlarge it. Foyer then accepts changes again by itself.',
    );
  return [
    ...(freeBytes !== null && freeBytes < warningBytes
      ? ofInstance(
          'DISK_LOW',
          `The disk of DATA_DIR has only ${formatBytes(freeBytes)} free.`,
          'Delete files from this disk or enlarge it, before Foyer has to reject changes. DISK_WARNING_MB sets when this appears.',
        )
      : []),
    ...(temporaryFreeBytes < warningBytes
      ? ofInstance(
          'TEMPORARY_DISK_LOW',
          `The disk of temporary files has only ${formatBytes(temporaryFreeBytes)} free.`,
          'Delete files from it, or set TMPDIR to a directory on another disk. DISK_WARNING_MB sets when this appears.',
        )
      : []),
  ];
}

function findClockProblems({ clock, database }: SystemStatus): Problem[] {
  const { databaseAheadMs, journalAheadMs } = clock;
  const remedy = 'Synchronize the clock of each machine with NTP, for example with chrony.';
  if (Math.abs(databaseAheadMs) > MAX_CLOCK_DIFFERENCE_MS)
    return ofInstance(
      'CLOCK_WRONG',
      `The clock of this machine is ${formatMs(databaseAheadMs)} ${databaseAheadMs > 0 ? 'behind' : 'ahead of'} the clock of the ${database.kind === 'postgres' ? 'database server' : 'database'}.`,
      remedy,
    );
  if (journalAheadMs <= MAX_CLOCK_DIFFERENCE_MS) return [];
  return ofInstance(
    'CLOCK_WRONG',
    `The clock of this machine is wrong: the newest change was recorded ${formatMs(journalAheadMs)} in the future.`,
    remedy,
  );
}

function findConnectionProblems({ database: { connections } }: SystemStatus): Problem[] {
  if (connections === null || connections.used < connections.limit * MAX_CONNECTION_SHARE)
    return [];
  return ofSpace(
    'CONNECTIONS_LOW',
    `PostgreSQL has ${connections.used} of at most ${connections.limit} connections open.`,
    'Raise max_connections of PostgreSQL, or lower DATABASE_CONNECTIONS of each instance.',
  );
}

function findEmailProblems({ email }: SystemStatus): Problem[] {
  if (email.server === null)
    return email.waiting === 0
      ? []
      : ofSpace(
          'NO_MAIL_SERVER',
          'No mail server is set, so emails such as sign-in links are only stored.',
          'Set SMTP_URL and MAIL_FROM, then restart Foyer.',
        );
  if (!isUnreachable(email)) return [];
  return ofSpace(
    'MAIL_SERVER_UNREACHABLE',
    `The mail server ${email.server} cannot be used: ${email.error}`,
    'Check SMTP_URL: the host, the port, the user name and the password. Then send a test email. Waiting emails are sent once it works.',
  );
}

function findPaymentProblems({ payments }: SystemStatus): Problem[] {
  return [
    ...(isUnreachable(payments)
      ? ofSpace(
          'PAYMENTS_UNREACHABLE',
          `The payment provider ${payments.provider} cannot be used: ${payments.error}`,
          'Check the status page of the provider and STRIPE_SECRET_KEY. Refunds are retried.',
        )
      : []),
    ...(payments.rejection === null
      ? []
      : ofSpace(
          'PAYMENTS_REJECTED',
          `The payment provider ${payments.provider} rejected a payment: ${payments.rejection}`,
          "Check the price and its currency, and in the provider's dashboard whether the account can take payments. This is solved when the next order can be paid.",
        )),
    ...(payments.stuckEvents > 0
      ? ofSpace(
          'PAYMENT_EVENTS_FAILING',
          `${count(payments.stuckEvents, 'event')} of the payment provider could not be applied: ${payments.stuckEventError}`,
          'Foyer retries them. If they remain, compare the payments in Foyer with those of the provider.',
        )
      : []),
  ];
}

function findWebhookProblems({ webhooks }: SystemStatus): Problem[] {
  return [
    ...(webhooks.proxy !== null && isUnreachable(webhooks)
      ? ofSpace(
          'WEBHOOK_PROXY_UNREACHABLE',
          `Webhooks cannot be sent through the proxy ${webhooks.proxy}: ${webhooks.error}`,
          'Start the proxy, or correct WEBHOOK_PROXY and restart Foyer. Waiting deliveries are sent once it works.',
        )
      : []),
    ...(webhooks.disabled > 0
      ? ofSpace(
          'WEBHOOKS_DISABLED',
          `${count(webhooks.disabled, 'webhook')} ${webhooks.disabled === 1 ? 'was' : 'were'} disabled because deliveries failed or its owner lost permissions.`,
          'Open the webhook, read its reason, then enable or delete it.',
        )
      : []),
  ];
}

function findJobProblems({ jobs }: SystemStatus): Problem[] {
  // The problems of backups tell about this one. It can last for longer than a job that is late.
  const others = jobs.filter(({ name }) => name !== NIGHTLY_BACKUP_JOB);
  const failing = others.filter(({ isFailing }) => isFailing);
  const late = others.filter(({ isLate }) => isLate);
  return [
    ...(failing.length > 0
      ? ofSpace(
          'JOBS_FAILING',
          `${count(failing.length, 'job')} failed at the last run: ${listNames(failing)}.`,
          'Read the reason below and in the log. Each job runs again at its next time.',
        )
      : []),
    ...(late.length > 0
      ? ofSpace(
          'JOBS_LATE',
          `${count(late.length, 'job')} did not run when due: ${listNames(late)}.`,
          'Look for errors of the job queue in the log, then restart Foyer.',
        )
      : []),
  ];
}

function findBackupProblems(status: SystemStatus): Problem[] {
  const { backups, database, checkedAt } = status;
  const { last, isArchiveFailing, maxAgeDays } = backups;
  const since = last?.at ?? database.createdAt;
  const days = Math.floor((checkedAt.getTime() - since.getTime()) / DAY_MS);
  return [
    ...(isArchiveFailing
      ? ofSpace(
          'ARCHIVE_FAILING',
          'PostgreSQL cannot archive its log, so its disk fills and the newest changes have no backup.',
          'Read the log of PostgreSQL and correct archive_command.',
        )
      : []),
    ...findNightlyBackupProblems(status),
    ...(maxAgeDays === null || days < maxAgeDays
      ? []
      : ofSpace(
          'BACKUP_MISSING',
          last === null ? 'No backup was made.' : `The last backup is ${count(days, 'day')} old.`,
          backups.directory === null
            ? 'Set BACKUP_DIR, so that Foyer makes one every night. If something else makes backups, set BACKUP_MAX_AGE_DAYS=0.'
            : 'Let Foyer run at 02:47 UTC, when it makes one, and read the log of that time. foyer backup makes one now.',
        )),
  ];
}

function findNightlyBackupProblems({ backups, jobs }: SystemStatus): Problem[] {
  const { directory, directoryError } = backups;
  if (directory === null) return [];
  if (directoryError !== null)
    return ofInstance(
      'BACKUP_FAILING',
      `BACKUP_DIR ${directory} cannot be read and written (${directoryError}), so there will be no nightly backup.`,
      'Create the directory, and let the user that runs Foyer read and write it.',
    );
  const job = jobs.find(({ name }) => name === NIGHTLY_BACKUP_JOB);
  if (!job?.isFailing) return [];
  return ofSpace(
    'BACKUP_FAILING',
    `The last nightly backup failed: ${job.lastFailure?.error}`,
    'Make space on the disk of BACKUP_DIR, or correct what the reason names. Foyer tries again the next night; foyer backup makes one now.',
  );
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const listNames = (jobs: { name: string }[]) =>
  jobs
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
    .join(', ') + (jobs.length > MAX_NAMES ? ' and others' : '');

const formatBytes = (bytes: number) =>
  bytes >= 1024 ** 3
    ? `${(bytes / 1024 ** 3).toFixed(1)} GB`
    : `${Math.round(bytes / 1024 ** 2)} MB`;

function formatMs(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
