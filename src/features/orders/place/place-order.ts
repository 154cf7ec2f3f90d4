import type { Context } from '../../../context.ts';
import type { DomainError } from '../../../errors.ts';
import type { SeatClaim } from '../limits/seat-limits.ts';
import { seatLimitReached } from '../limits/seat-usage.ts';
import { releaseOverdueHolds } from '../service/expire-orders.ts';
import type { Order } from '../types.ts';
import type { NewOrder, PlaceOrderOutcome } from './decide-orders.ts';
import type { SharedStock } from './insert-orders.ts';
import { placeInBatch } from './order-batch.ts';
import { tooManyOrders } from './validate-order.ts';

/** An order that is ready to be inserted, if the stock has not changed meanwhile. */
export interface PreparedOrder {
  order: NewOrder;
  /** Opens the order. */
  secret: string;
  shared: SharedStock;
  seats: SeatClaim;
  /** The orders whose expired holds have the missing stock. */
  competing: { eventId?: string };
  /** Reads the stock again. Returns null if there is enough for the order now. */
  findSoldOutError(): Promise<DomainError | null>;
  /** Reads the discount code again. Returns null if it can be used now. */
  findUsedUpError(): Promise<DomainError | null>;
}

/**
 * Prepares and inserts an order, again if the stock has changed meanwhile or expired holds have released some. Returns what
 * `toResult` makes of it, or the order itself.
 *
 * @throws CONFLICT (SOLD_OUT, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED or TRY_AGAIN) and the errors of `prepare`
 */
export async function placeOrder<Result = Order>(
  ctx: Context,
  {
    prepare,
    toResult = (order) => order as Result,
    maxAttempts,
  }: {
    prepare: () => Promise<PreparedOrder>;
    toResult: ((order: Order) => Result) | undefined;
    maxAttempts: number;
  },
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare();
    const { secret, shared, order } = prepared;
    const convert = convertOnce((order) => toResult({ ...order, secret }));
    const placement = await placeInBatch(ctx, { shared, order, toResult: convert });
    if (placement.outcome === 'PLACED') return convert(placement.order);
    await retryOrThrow(ctx, placement.outcome, prepared, { isLast: attempt === maxAttempts });
  }
}

/** Keeps the last result: with an idempotency key, the transaction has converted the order already. */
function convertOnce<Result>(toResult: (order: Order) => Result): (order: Order) => Result {
  let last: { order: Order; result: Result } | undefined;
  return (order) => {
    if (last?.order !== order) last = { order, result: toResult(order) };
    return last.result;
  };
}

/** Returns if another attempt can succeed. @throws the reason for the rejection otherwise. */
async function retryOrThrow(
  ctx: Context,
  outcome: Exclude<PlaceOrderOutcome, 'PLACED'>,
  { seats, competing, findSoldOutError, findUsedUpError }: PreparedOrder,
  { isLast }: { isLast: boolean },
): Promise<void> {
  if (outcome === 'SEAT_LIMIT_REACHED') {
    // The limit depends on the seats that are left, which include those of expired holds.
    const isReleased =
      !isLast && seats.left !== null && (await releaseOverdueHolds(ctx, competing));
    if (!isReleased) throw await seatLimitReached(ctx, seats);
  } else if (outcome !== 'CHANGED') {
    // Release expired holds now instead of waiting for the job.
    const where = outcome === 'SOLD_OUT' ? competing : {};
    const isReleased = !isLast && (await releaseOverdueHolds(ctx, where));
    // Another request can have released the stock since this order was judged.
    const error = isReleased
      ? null
      : await (outcome === 'SOLD_OUT' ? findSoldOutError() : findUsedUpError());
    if (error !== null) throw error;
  }
  if (isLast) throw tooManyOrders();
}
