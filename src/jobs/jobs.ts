import { purgeKnownBrowsers } from '../auth/known-browsers.ts';
import { purgeRateLimits } from '../auth/rate-limit-counters.ts';
import { forgetSignInLinks } from '../auth/sign-in-links.ts';
import type { Ctx } from '../context.ts';
import { releaseNoShows } from '../features/bookings/changes/no-shows.ts';
import { endVisits } from '../features/check-ins/departures.ts';
import { forgetRefusals } from '../features/check-ins/forgetting.ts';
import { forgetLookups } from '../features/check-ins/lookup/budget.ts';
import { forgetPairings } from '../features/displays/pairing/telling.ts';
import { foldChanges, forgetStatusChanges } from '../features/displays/stamps.ts';
import { purgeEmailChanges } from '../features/members/email-change.ts';
import { windUp } from '../features/orders/changes/wind-up.ts';
import { purgeSeatUsages } from '../features/orders/limits/purge.ts';
import { giveBackExpired } from '../features/orders/stock/expire.ts';
import { recount } from '../features/orders/stock/recount.ts';
import { offerLeftovers } from '../features/orders/waitlist/offers.ts';
import { closeCheckouts } from '../features/payments/close-checkouts.ts';
import { processEvents } from '../features/payments/events/process.ts';
import { payRefunds } from '../features/payments/refunds/pay.ts';
import { purge as purgeByRetention } from '../features/personal-data/service.ts';
import { purgeStaffLinks } from '../features/staff/links.ts';
import { deliver as deliverWebhooks } from '../features/webhooks/deliver.ts';
import { disableDead, forgetMessages } from '../features/webhooks/forgetting.ts';
import { tellNews } from '../features/webhooks/news.ts';
import { forgetOldKeys } from '../idempotency.ts';
import { deliver } from '../mail/delivery.ts';
import { forgetMails } from '../mail/forgetting.ts';
import type { Transport } from '../mail/transport.ts';
import type { WebhookTransport } from '../webhooks/transport.ts';

/** What a job may need besides the database. */
export interface Outside {
  /** Absent where no mail server is configured. */
  mail: Transport | undefined;
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
  withinSeconds: number;
  run(ctx: Ctx, outside: Outside): Promise<unknown>;
}

export const jobs: Job[] = [
  {
    // Woken by every mail; the schedule is for retries and for what nobody woke it for.
    name: 'mail.deliver',
    cron: '* * * * *',
    withinSeconds: 2,
    run: (ctx, { mail, signal }) => deliver(ctx, mail, signal),
  },
  { name: 'bookings.release-no-shows', cron: '* * * * *', withinSeconds: 15, run: releaseNoShows },
  {
    name: 'payments.process-events',
    cron: '* * * * *',
    withinSeconds: 15,
    run: (ctx, { signal }) => processEvents(ctx, signal),
  },
  {
    // Woken by every refund, as the mails are.
    name: 'payments.refund',
    cron: '* * * * *',
    withinSeconds: 5,
    run: (ctx, { signal }) => payRefunds(ctx, signal),
  },
  {
    name: 'payments.close-checkouts',
    cron: '* * * * *',
    withinSeconds: 30,
    run: (ctx, { signal }) => closeCheckouts(ctx, signal),
  },
  {
    name: 'orders.expire',
    cron: '* * * * *',
    withinSeconds: 10,
    run: (ctx) => giveBackExpired(ctx),
  },
  {
    // Woken by what was cancelled; the schedule goes on where a process was stopped.
    name: 'events.wind-up',
    cron: '* * * * *',
    withinSeconds: 5,
    run: (ctx) => windUp(ctx),
  },
  {
    // Woken by whatever is told; the schedule is for what did not arrive.
    name: 'webhooks.deliver',
    cron: '* * * * *',
    withinSeconds: 5,
    run: (ctx, { webhooks, signal }) => deliverWebhooks(ctx, webhooks, signal),
  },
  {
    // Told within seconds by whoever watches; the schedule is for where nobody does.
    name: 'webhooks.tell',
    cron: '* * * * *',
    withinSeconds: 5,
    run: tellNews,
  },
  { name: 'webhooks.disable-dead', cron: '7 * * * *', withinSeconds: 60, run: disableDead },
  { name: 'webhooks.forget', cron: '11 * * * *', withinSeconds: 60, run: forgetMessages },
  { name: 'seat-usages.purge', cron: '37 * * * *', withinSeconds: 60, run: purgeSeatUsages },
  { name: 'waitlist.offer', cron: '* * * * *', withinSeconds: 15, run: offerLeftovers },
  { name: 'check-ins.end-visits', cron: '* * * * *', withinSeconds: 10, run: endVisits },
  { name: 'check-ins.forget', cron: '53 * * * *', withinSeconds: 60, run: forgetRefusals },
  { name: 'displays.fold-changes', cron: '* * * * *', withinSeconds: 20, run: foldChanges },
  { name: 'displays.forget', cron: '53 3 * * *', withinSeconds: 60, run: forgetStatusChanges },
  { name: 'stock.recount', cron: '13 2 * * *', withinSeconds: 60, run: recount },
  { name: 'idempotency.forget', cron: '41 * * * *', withinSeconds: 60, run: forgetOldKeys },
  { name: 'lookups.forget', cron: '53 * * * *', withinSeconds: 60, run: forgetLookups },
  {
    name: 'member-email-changes.purge',
    cron: '19 * * * *',
    withinSeconds: 60,
    run: purgeEmailChanges,
  },
  { name: 'mails.forget', cron: '29 * * * *', withinSeconds: 60, run: forgetMails },
  { name: 'pairings.forget', cron: '* * * * *', withinSeconds: 60, run: forgetPairings },
  { name: 'staff-links.purge', cron: '19 * * * *', withinSeconds: 60, run: purgeStaffLinks },
  {
    name: 'retention.purge',
    cron: '23 3 * * *',
    withinSeconds: 60,
    run: (ctx, { signal }) => purgeByRetention(ctx, signal),
  },
  { name: 'known-browsers.purge', cron: '23 4 * * *', withinSeconds: 60, run: purgeKnownBrowsers },
  { name: 'rate-limits.purge', cron: '*/10 * * * *', withinSeconds: 60, run: purgeRateLimits },
  { name: 'sign-in-links.forget', cron: '17 * * * *', withinSeconds: 60, run: forgetSignInLinks },
];
