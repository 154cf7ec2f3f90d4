import { purgeRateLimits } from '../auth/rate-limit-counters.ts';
import { purgeKnownBrowsers } from '../auth/sessions.ts';
import { purgeSignInLinks } from '../auth/sign-in-links.ts';
import type { Context } from '../context.ts';
import { purgeIdempotencyKeys } from '../core/idempotency.ts';
import { releaseNoShows } from '../features/bookings/service.ts';
import {
  endOverdueVisits,
  purgeLookups,
  purgeRefusedAttempts,
} from '../features/check-ins/service.ts';
import {
  compactContentChanges,
  markSilentDisplays,
  purgePairings,
  purgeStatusChanges,
} from '../features/displays/service.ts';
import { purgeEmailChanges } from '../features/members/service.ts';
import {
  cancelEventOrders,
  expireOrders,
  offerAvailableTickets,
  purgeSeatUsages,
  reconcileStock,
} from '../features/orders/service.ts';
import {
  closeEndedCheckouts,
  processProviderEvents,
  processRefunds,
} from '../features/payments/service.ts';
import { enforceRetention as purgeByRetention } from '../features/personal-data/service.ts';
import { purgeStaffLinks } from '../features/staff/service.ts';
import { drainOutbox } from '../features/webhooks/service.ts';
import { deliverEmails } from '../integrations/email/delivery-worker.ts';
import { purgeEmails } from '../integrations/email/purge.ts';
import type { EmailTransport } from '../integrations/email/smtp.ts';
import {
  deliverWebhooks,
  disableFailingEndpoints,
  purgeMessages,
} from '../integrations/webhooks/delivery-worker.ts';
import type { WebhookTransport } from '../integrations/webhooks/transport.ts';

/** What a job may need besides the database. */
export interface ExternalServices {
  /** Absent where no mail server is configured. */
  mail: EmailTransport | undefined;
  /** Absent where nobody is told anything, such as in tests. */
  webhooks: WebhookTransport | undefined;
  /** Says when the service stops: what is begun is finished, nothing more is begun. */
  signal: AbortSignal;
}

/** Each is one service call, may be done at any time, and does no harm when done twice. */
export interface Job {
  name: string;
  /** Minute, hour, day, month, weekday, in UTC; once among all instances. */
  cron: string;
  /** How soon after its time, or after it was woken, it begins. Each look costs a statement. */
  maxDelaySeconds: number;
  run(ctx: Context, outside: ExternalServices): Promise<unknown>;
}

export const jobs: Job[] = [
  {
    // Woken by every mail; the schedule is for retries and for what nobody woke it for.
    name: 'mail.deliver',
    cron: '* * * * *',
    maxDelaySeconds: 2,
    run: (ctx, { mail, signal }) => deliverEmails(ctx, mail, signal),
  },
  {
    name: 'bookings.release-no-shows',
    cron: '* * * * *',
    maxDelaySeconds: 15,
    run: releaseNoShows,
  },
  {
    name: 'payments.process-events',
    cron: '* * * * *',
    maxDelaySeconds: 15,
    run: (ctx, { signal }) => processProviderEvents(ctx, signal),
  },
  {
    // Woken by every refund, as the mails are.
    name: 'payments.refund',
    cron: '* * * * *',
    maxDelaySeconds: 5,
    run: (ctx, { signal }) => processRefunds(ctx, signal),
  },
  {
    name: 'payments.close-checkouts',
    cron: '* * * * *',
    maxDelaySeconds: 30,
    run: (ctx, { signal }) => closeEndedCheckouts(ctx, signal),
  },
  {
    name: 'orders.expire',
    cron: '* * * * *',
    maxDelaySeconds: 10,
    run: (ctx) => expireOrders(ctx),
  },
  {
    // Woken by what was cancelled; the schedule goes on where a process was stopped.
    name: 'events.cancel-orders',
    cron: '* * * * *',
    maxDelaySeconds: 5,
    run: (ctx) => cancelEventOrders(ctx),
  },
  {
    // Woken by whatever is told; the schedule is for what did not arrive.
    name: 'webhooks.deliver',
    cron: '* * * * *',
    maxDelaySeconds: 5,
    run: (ctx, { webhooks, signal }) => deliverWebhooks(ctx, webhooks, signal),
  },
  {
    // Told within seconds by whoever watches; the schedule is for where nobody does.
    name: 'webhooks.publish',
    cron: '* * * * *',
    maxDelaySeconds: 5,
    run: drainOutbox,
  },
  {
    name: 'webhooks.disable-dead',
    cron: '7 * * * *',
    maxDelaySeconds: 60,
    run: disableFailingEndpoints,
  },
  { name: 'webhooks.purge', cron: '11 * * * *', maxDelaySeconds: 60, run: purgeMessages },
  { name: 'seat-usages.purge', cron: '37 * * * *', maxDelaySeconds: 60, run: purgeSeatUsages },
  { name: 'waitlist.offer', cron: '* * * * *', maxDelaySeconds: 15, run: offerAvailableTickets },
  { name: 'check-ins.end-visits', cron: '* * * * *', maxDelaySeconds: 10, run: endOverdueVisits },
  { name: 'check-ins.purge', cron: '53 * * * *', maxDelaySeconds: 60, run: purgeRefusedAttempts },
  {
    name: 'displays.compact-changes',
    cron: '* * * * *',
    maxDelaySeconds: 20,
    run: compactContentChanges,
  },
  { name: 'displays.purge', cron: '53 3 * * *', maxDelaySeconds: 60, run: purgeStatusChanges },
  { name: 'stock.reconcile', cron: '13 2 * * *', maxDelaySeconds: 60, run: reconcileStock },
  {
    name: 'idempotency.purge',
    cron: '41 * * * *',
    maxDelaySeconds: 60,
    run: purgeIdempotencyKeys,
  },
  { name: 'lookups.purge', cron: '53 * * * *', maxDelaySeconds: 60, run: purgeLookups },
  {
    name: 'member-email-changes.purge',
    cron: '19 * * * *',
    maxDelaySeconds: 60,
    run: purgeEmailChanges,
  },
  { name: 'mails.purge', cron: '29 * * * *', maxDelaySeconds: 60, run: purgeEmails },
  { name: 'pairings.purge', cron: '* * * * *', maxDelaySeconds: 60, run: purgePairings },
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
  { name: 'rate-limits.purge', cron: '*/10 * * * *', maxDelaySeconds: 60, run: purgeRateLimits },
  { name: 'sign-in-links.purge', cron: '17 * * * *', maxDelaySeconds: 60, run: purgeSignInLinks },
];

const HEARTBEAT_CHECK_INTERVAL_MS = 5_000;
/** Nobody was heard before the start: so long it takes until all that are there have been. */
const STARTUP_GRACE_MS = 130_000;

/** Notices what happens by nobody's doing, and tells what was noted, too soon for timed work. Call what it gives to stop it. */
export function startHeartbeatMonitor(ctx: Context): () => void {
  const since = performance.now();
  const look = async () => {
    if (performance.now() - since > STARTUP_GRACE_MS)
      await markSilentDisplays(ctx.lockingSql, ctx.now());
    await drainOutbox(ctx);
  };
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch((error) =>
      ctx.log.warn({ err: error }, 'could not look for what happened; trying again'),
    );
    looking = false;
  }, HEARTBEAT_CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
