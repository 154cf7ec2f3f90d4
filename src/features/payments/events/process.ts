import { redact } from '../../../auth/secrets.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import { toStorable } from '../../../core/storable-text.ts';
import { statement } from '../../../db/sql.ts';
import { newsIn } from '../../../payments/news.ts';
import {
  type News,
  type Provider,
  type ProviderEvent,
  UnusableEvent,
} from '../../../payments/port.ts';
import { isUuid } from '../../../values.ts';
import { confirmPending } from '../../orders/payments/confirm.ts';
import { notePayment } from './payment.ts';
import { noteRefund, TooEarly } from './refund.ts';

/**
 * Keeps what a provider told, then acts upon it; what came before is acted upon only if it was not yet. Throws what went
 * wrong: the event is kept, and tried again by `processEvents`.
 */
export async function receiveEvent(
  ctx: Ctx,
  provider: Provider,
  { id, type, payload }: ProviderEvent,
): Promise<void> {
  // It names the address to which buyers come back, and with it the secret of their order.
  const kept = redact(JSON.stringify(toStorable(payload)));
  const fresh = await ctx.write(STORE, [provider, id, type, kept, ctx.now()]);
  // What goes wrong here is tried and noted below.
  const isPaid = () => isSimplyPaid(ctx, provider, newsIn(provider, { id, type, payload }));
  const paid =
    fresh.length > 0 &&
    (await Promise.resolve()
      .then(isPaid)
      .catch(() => false));
  if (paid) {
    await ctx.write(CLOSE, [provider, id, ctx.now()]);
  } else {
    await processEvent(ctx, { provider, id });
  }
}

const STORE = statement(`
  INSERT INTO provider_events (provider, id, type, payload, received_at)
  VALUES ($1::payment_provider, $2::text, $3::text, $4::jsonb, $5::timestamptz)
  ON CONFLICT (provider, id) DO NOTHING RETURNING 1`);

const CLOSE = statement(`
  UPDATE provider_events SET processed_at = $3::timestamptz
  WHERE provider = $1::payment_provider AND id = $2::text AND processed_at IS NULL`);

/**
 * What nearly every event says: the price of an order that waits for it was paid. That is one statement and counts once,
 * so it needs no transaction around it, should the process end before the event is closed.
 */
async function isSimplyPaid(ctx: Ctx, provider: Provider, news: News[]): Promise<boolean> {
  const [first, ...more] = news;
  if (first?.kind !== 'payment' || more.length > 0 || !isUuid(first.orderId)) return false;
  const { orderId, ref, amount } = first;
  return confirmPending(ctx, { orderId, payment: { provider, ref, amount } });
}

const MOST_AT_ONCE = 200;

// Again after one minute, three, seven and so on, counted from when it came.
const WAITING = statement(`
  SELECT provider, id FROM provider_events
  WHERE processed_at IS NULL
    AND received_at + (2 ^ least(attempts, 20) - 1) * interval '1 minute' <= $1::timestamptz
  ORDER BY received_at LIMIT $2::int`);

/** What was stored and not acted upon: it failed, or the process was killed in between. Gives how many there were. */
export async function processEvents(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  const waiting = await ctx.sql<Key>(WAITING, [ctx.now(), MOST_AT_ONCE]);
  for (const key of waiting) {
    if (signal?.aborted) break;
    await processEvent(ctx, key).catch((error) => {
      ctx.log.error({ err: error, ...key }, 'an event of the payment provider was not processed');
    });
  }
  return waiting.length;
}

interface Key {
  provider: Provider;
  id: string;
}

/** What comes too early is not worth waiting for any longer after so many attempts, some four hours. */
const MOST_WAITS = 8;

async function processEvent(ctx: Ctx, key: Key): Promise<void> {
  const event = await ctx.db.providerEvent.findUnique({ where: { provider_id: key } });
  if (event === null || event.processedAt !== null) return;
  try {
    const news = await toldBy(ctx, key.provider, {
      ...event,
      payload: event.payload as object,
    });
    await inTransaction(ctx, async (ctx) => {
      if (await take(ctx, key)) await close(ctx, key, await actOn(ctx, key.provider, news));
    });
  } catch (thrown) {
    const problem = thrown instanceof Error ? thrown.message : String(thrown);
    if (thrown instanceof UnusableEvent) return close(ctx, key, [problem]);
    if (thrown instanceof TooEarly && event.attempts >= MOST_WAITS) {
      return close(ctx, key, [problem]);
    }
    await ctx.db.providerEvent.updateMany({
      where: { ...key, processedAt: null },
      data: { attempts: { increment: 1 }, lastError: problem.slice(0, 500) },
    });
    if (!(thrown instanceof TooEarly)) throw thrown;
  }
}

/** What has to be asked for is asked for here, before the transaction. */
async function toldBy(
  { payments }: Ctx,
  provider: Provider,
  event: ProviderEvent,
): Promise<Exclude<News, { kind: 'refunds' }>[]> {
  const told = await Promise.all(
    newsIn(provider, event).map(async (news) => {
      if (news.kind !== 'refunds') return [news];
      if (payments.provider !== provider || !payments.refundsOf) return [];
      return payments.refundsOf(news.paymentRef);
    }),
  );
  return told.flat();
}

/** Whoever is at it already does it. */
async function take({ db }: Ctx, { provider, id }: Key): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM provider_events
    WHERE provider = ${provider}::payment_provider AND id = ${id} AND processed_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

async function actOn(
  ctx: Ctx,
  provider: Provider,
  news: Exclude<News, { kind: 'refunds' }>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const item of news) {
    if (item.kind === 'payment') problems.push(...(await notePayment(ctx, provider, item)));
    else await noteRefund(ctx, provider, item);
  }
  return problems;
}

async function close(ctx: Ctx, key: Key, problems: string[]): Promise<void> {
  const problem = problems.join(' ').slice(0, 500) || null;
  if (problem) ctx.log.warn({ ...key, problem }, 'an event of the payment provider is odd');
  await ctx.db.providerEvent.update({
    where: { provider_id: key },
    data: { processedAt: ctx.now(), lastError: problem },
  });
}
