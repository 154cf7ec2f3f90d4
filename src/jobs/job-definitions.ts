import { purgeSetupCodes } from '../auth/first-owner.ts';
import { purgeRateLimits } from '../auth/rate-limit-counters.ts';
import { purgeKnownBrowsers } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import { MAX_BACKUP_HOURS } from '../db/backup/abandoned-files.ts';
import { purgeIdempotencyKeys } from '../db/idempotency.ts';
import { releaseNoShows } from '../features/bookings/service/check-in-booking.ts';
import { purgeLookups } from '../features/check-ins/lookup/service/lookup-budget.ts';
import { purgeRejectedAttempts } from '../features/check-ins/service/attempt-log.ts';
import { endOverdueVisits } from '../features/check-ins/service/check-out.ts';
import { visitReader } from '../features/check-ins/service/end-visits-of-members.ts';
import { compactContentChanges } from '../features/displays/service/device-lookup.ts';
import { purgeStatusChanges } from '../features/displays/service/heartbeats.ts';
import { purgePairings } from '../features/displays/service/pairing.ts';
import { createSilenceMonitor } from '../features/displays/service/silence-monitor.ts';
import { purgeImportFiles } from '../features/imports/service/file-parts.ts';
import { sendMailings } from '../features/mailings/service/send-mailings.ts';
import { purgeEmailChanges } from '../features/members/service/email-change.ts';
import { purgeUnconfirmedVisitorEmails } from '../features/notifications/service/arrival-emails.ts';
import { sendClosureEmails } from '../features/notifications/service/closure-emails.ts';
import { mailReader } from '../features/notifications/service/mail-reader.ts';
import { reportOutages } from '../features/notifications/service/outage-emails.ts';
import { sendReminders } from '../features/notifications/service/reminders.ts';
import { reportRequests } from '../features/notifications/service/request-emails.ts';
import { announceEventMoves } from '../features/orders/emails/service/event-moves.ts';
import { cancelEventOrders } from '../features/orders/service/event-changes.ts';
import { expireOrders } from '../features/orders/service/expire-orders.ts';
import { purgeSeatUsages } from '../features/orders/service/purge-seat-usages.ts';
import { reconcileStock } from '../features/orders/service/reconcile-stock.ts';
import { renderTicketFiles } from '../features/orders/tickets-pdf/service.ts';
import { offerAvailableTickets } from '../features/orders/waitlist/service/offer-tickets.ts';
import { closeEndedCheckouts } from '../features/payments/service/checkout.ts';
import { processProviderEvents } from '../features/payments/service/process-provider-event.ts';
import { processRefunds } from '../features/payments/service/refund-worker.ts';
import { enforceRetention as purgeByRetention } from '../features/personal-data/service/retention.ts';
import { purgeSignInLinks } from '../features/sign-in/service.ts';
import { purgeStaffLinks } from '../features/staff/service/links.ts';
import {
  makeNightlyBackup,
  NIGHTLY_BACKUP_JOB,
} from '../features/system/service/nightly-backups.ts';
import type { Installation } from '../features/system/types.ts';
import { webhookReader } from '../features/webhooks/service/publish-changes.ts';
import { deliverEmails, purgeEmails } from '../integrations/email/delivery-worker.ts';
import type { EmailTransport } from '../integrations/email/smtp.ts';
import {
  deliverWebhooks,
  disableFailingEndpoints,
  purgeMessages,
} from '../integrations/webhooks/delivery-worker.ts';
import type { WebhookTransport } from '../integrations/webhooks/transport.ts';
import type { JournalReader } from '../journal/read-changes.ts';
import { runReader } from '../journal/run-readers.ts';

/** External services that jobs use. */
export interface ExternalServices {
  /** Absent if no mail server is configured. */
  mail: EmailTransport | undefined;
  /** Absent in processes that do not deliver webhooks, such as tests. */
  webhooks: WebhookTransport | undefined;
  /** The settings and the database of the backups. Absent in processes that make none, such as tests. */
  installation?: Pick<Installation, 'config' | 'database'> | undefined;
  /** Aborts when the service stops. A job then finishes its current item and starts no other. */
  signal: AbortSignal;
}

/** A job is one idempotent service call that can run at any time. */
export interface Job {
  name: string;
  /** A cron expression in UTC. One instance runs each occurrence. */
  cron: string;
  /**
   * The polling interval: a job starts at most this long after its scheduled time or trigger. Each poll costs a
   * statement.
   */
  maxDelaySeconds: number;
  /** How long it can run, 600 seconds by default. After that, it counts as failed, and the service does not wait for it when it stops. */
  maxRunSeconds?: number;
  /** Whether this instance can run it. By default, all can. Otherwise, it leaves the job to other instances. */
  canRun?(installation: Pick<Installation, 'config'> | undefined): boolean;
  run(ctx: Context, services: ExternalServices): Promise<unknown>;
}

/** Everything that acts on changes. */
const journalReaders: readonly JournalReader[] = [webhookReader, mailReader, visitReader];

/** Lets every reader handle the changes that it has not handled yet. */
async function readJournal(ctx: Context, { signal }: ExternalServices): Promise<void> {
  await Promise.all(journalReaders.map((reader) => runReader(ctx, reader, signal)));
}

/** The schedule of jobs that something triggers or that must not wait. They also run when a queue starts. */
export const EVERY_MINUTE = '* * * * *';

export const jobs: Job[] = [
  {
    // Every enqueued email triggers this job. The schedule is for retries and lost triggers.
    name: 'mail.deliver',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 2,
    run: (ctx, { mail, signal }) =>
      deliverEmails(ctx, mail, { renderTickets: renderTicketFiles, signal }),
  },
  { name: 'reminders.send', cron: EVERY_MINUTE, maxDelaySeconds: 30, run: sendReminders },
  {
    name: 'bookings.release-no-shows',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 15,
    run: releaseNoShows,
  },
  {
    name: 'payments.process-events',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 15,
    run: (ctx, { signal }) => processProviderEvents(ctx, signal),
  },
  {
    // Every refund triggers this job. The schedule is for retries and lost triggers.
    name: 'payments.refund',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: (ctx, { signal }) => processRefunds(ctx, signal),
  },
  {
    name: 'payments.close-checkouts',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 30,
    run: (ctx, { signal }) => closeEndedCheckouts(ctx, signal),
  },
  {
    name: 'orders.expire',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 10,
    run: (ctx) => expireOrders(ctx),
  },
  {
    // Cancelling an event triggers this job. The schedule resumes the work after a process has stopped.
    name: 'events.cancel-orders',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: (ctx) => cancelEventOrders(ctx),
  },
  {
    // The reader of emails triggers this job. The schedule resumes the work after a process has stopped.
    name: 'events.announce-moves',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: (ctx, { signal }) => announceEventMoves(ctx, signal),
  },
  {
    // Announcing a closure triggers this job. The schedule resumes the work after a process has stopped.
    name: 'closures.announce',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: (ctx, { signal }) => sendClosureEmails(ctx, signal),
  },
  {
    // A new mailing triggers this job. The schedule resumes interrupted work and finds mailings whose emails are sent.
    name: 'mailings.send',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: (ctx, { signal }) => sendMailings(ctx, signal),
  },
  {
    // Publishing changes triggers this job. The schedule is for retries.
    name: 'webhooks.deliver',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: (ctx, { webhooks, signal }) => deliverWebhooks(ctx, webhooks, signal),
  },
  {
    // Loops run the readers every second. The schedule covers processes without it.
    name: 'journal.read',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 5,
    run: readJournal,
  },
  {
    name: 'webhooks.disable-dead',
    cron: '7 * * * *',
    maxDelaySeconds: 60,
    run: disableFailingEndpoints,
  },
  { name: 'webhooks.purge', cron: '11 * * * *', maxDelaySeconds: 60, run: purgeMessages },
  { name: 'seat-usages.purge', cron: '37 * * * *', maxDelaySeconds: 60, run: purgeSeatUsages },
  {
    // A command that makes only the first of many offers triggers this job. The schedule resumes the work after a process
    // has stopped.
    name: 'waitlist.offer',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 2,
    run: (ctx, { signal }) => offerAvailableTickets(ctx, signal),
  },
  { name: 'check-ins.end-visits', cron: EVERY_MINUTE, maxDelaySeconds: 10, run: endOverdueVisits },
  { name: 'check-ins.purge', cron: '53 * * * *', maxDelaySeconds: 60, run: purgeRejectedAttempts },
  {
    name: 'displays.compact-changes',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 20,
    run: compactContentChanges,
  },
  {
    name: 'displays.report-outages',
    cron: EVERY_MINUTE,
    maxDelaySeconds: 20,
    run: reportOutages,
  },
  {
    // Requests of five minutes are one email.
    name: 'bookings.report-requests',
    cron: '*/5 * * * *',
    maxDelaySeconds: 30,
    run: reportRequests,
  },
  { name: 'displays.purge', cron: '53 3 * * *', maxDelaySeconds: 60, run: purgeStatusChanges },
  { name: 'stock.reconcile', cron: '13 2 * * *', maxDelaySeconds: 60, run: reconcileStock },
  {
    name: 'idempotency.purge',
    cron: '41 * * * *',
    maxDelaySeconds: 60,
    run: purgeIdempotencyKeys,
  },
  { name: 'import-files.purge', cron: '37 * * * *', maxDelaySeconds: 60, run: purgeImportFiles },
  { name: 'lookups.purge', cron: '53 * * * *', maxDelaySeconds: 60, run: purgeLookups },
  {
    name: 'member-email-changes.purge',
    cron: '19 * * * *',
    maxDelaySeconds: 60,
    run: purgeEmailChanges,
  },
  { name: 'mails.purge', cron: '29 * * * *', maxDelaySeconds: 60, run: purgeEmails },
  { name: 'pairings.purge', cron: EVERY_MINUTE, maxDelaySeconds: 60, run: purgePairings },
  {
    name: 'unconfirmed-visitor-emails.purge',
    cron: '47 * * * *',
    maxDelaySeconds: 60,
    run: purgeUnconfirmedVisitorEmails,
  },
  { name: 'staff-links.purge', cron: '19 * * * *', maxDelaySeconds: 60, run: purgeStaffLinks },
  {
    name: 'retention.purge',
    cron: '23 3 * * *',
    maxDelaySeconds: 60,
    run: (ctx, { signal }) => purgeByRetention(ctx, signal),
  },
  {
    name: 'known-browsers.purge',
    cron: '23 4 * * *',
    maxDelaySeconds: 60,
    run: purgeKnownBrowsers,
  },
  {
    // One instance that has BACKUP_DIR makes it, of the database that all share.
    name: NIGHTLY_BACKUP_JOB,
    cron: '47 2 * * *',
    maxDelaySeconds: 60,
    maxRunSeconds: MAX_BACKUP_HOURS * 3_600,
    canRun: (installation) => installation?.config.backupDir !== undefined,
    run: async (ctx, { installation, signal }) => {
      if (installation) await makeNightlyBackup(ctx, installation, signal);
    },
  },
  { name: 'rate-limits.purge', cron: '*/10 * * * *', maxDelaySeconds: 60, run: purgeRateLimits },
  { name: 'setup-codes.purge', cron: '31 * * * *', maxDelaySeconds: 60, run: purgeSetupCodes },
  { name: 'sign-in-links.purge', cron: '17 * * * *', maxDelaySeconds: 60, run: purgeSignInLinks },
];

const HEARTBEAT_CHECK_INTERVAL_MS = 5_000;
/** After the start, every display that is online sends a heartbeat within this time. */
const STARTUP_GRACE_MS = 130_000;
const JOURNAL_INTERVAL_MS = 1_000;
const SYSTEM_CHECK_INTERVAL_MS = 60_000;

/**
 * Starts what happens more often than cron allows, or on each instance: marking silent displays as offline, reading the journal, and
 * checking the system. Returns a function that stops all and waits for what is running: at most one batch of each reader.
 */
export function startLoops(ctx: Context, checkSystem: () => Promise<void>): () => Promise<void> {
  const startedAt = performance.now();
  const stopping = new AbortController();
  const markSilent = createSilenceMonitor(ctx.lockingSql);
  const stops = [
    repeat(ctx, 'the heartbeat check', HEARTBEAT_CHECK_INTERVAL_MS, async () => {
      if (performance.now() - startedAt > STARTUP_GRACE_MS) await markSilent(ctx.now());
    }),
    repeat(ctx, 'the system check', SYSTEM_CHECK_INTERVAL_MS, checkSystem),
    // A loop for each, so that one that fails or takes long does not hold up the others.
    ...journalReaders.map((reader) =>
      repeat(ctx, `the journal reader ${reader.name}`, JOURNAL_INTERVAL_MS, () =>
        runReader(ctx, reader, stopping.signal),
      ),
    ),
  ];
  return async () => {
    stopping.abort();
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Runs the work at an interval, but never twice at once. Returns a function that stops it and waits for the last run. */
function repeat(
  ctx: Context,
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = async () => {
    await work().catch((error) => ctx.log.warn({ err: error }, `${name} failed; retrying`));
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= run();
  }, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
