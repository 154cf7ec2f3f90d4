import type { Context } from '../../../context.ts';
import { createDeferred, type Deferred } from '../../../core/deferred.ts';
import { isCounterViolation, isWriteConflict } from '../../../db/constraint-errors.ts';
import { toClaimTimes } from '../../../db/idempotency.ts';
import {
  claimKeys,
  KeyAlreadyClaimed,
  type KeyedWrite,
  listKeyIds,
  releaseKeys,
  saveResponses,
} from '../../../db/keyed-write.ts';
import { isDatabaseOutage } from '../../../db/outages.ts';
import type { Sql } from '../../../db/prepared-statement.ts';
import { findOrdersByIds, loadOrder } from '../queries.ts';
import type { Order } from '../types.ts';
import type { NewOrder, PlaceOrderOutcome } from './decide-orders.ts';
import { insertOrders, type SharedStock } from './insert-orders.ts';
import { tooManyOrders } from './validate-order.ts';

// Orders of one stock wait for its row in the database. Those that arrive while a transaction runs therefore share the next
// one: its statements, its locks and its commit. Each gets the outcome that it would have got alone.

export type Placement =
  | { outcome: 'PLACED'; order: Order }
  | { outcome: Exclude<PlaceOrderOutcome, 'PLACED'> };

/** An order that waits for its batch. */
interface WaitingOrder {
  ctx: Context;
  shared: SharedStock;
  order: NewOrder;
  placement: Deferred<Placement>;
}

/**
 * Places an order together with others of the same stock, or alone if none is waiting. In a transaction, it is always placed
 * alone. With a keyed write, it returns before the commit, since the response is stored in the same transaction.
 */
export async function placeInBatch(
  ctx: Context,
  shared: SharedStock,
  order: NewOrder,
): Promise<Placement> {
  if (ctx.isInTransaction) return placeInTransaction(ctx, shared, order);
  const waiting: WaitingOrder = { ctx, shared, order, placement: createDeferred() };
  ctx.queues
    .orders(toStockKey(shared, order), waiting, placeWaiting)
    .catch(waiting.placement.reject);
  return waiting.placement.promise;
}

const toStockKey = (shared: SharedStock, { units }: NewOrder) =>
  'eventId' in shared ? shared.eventId : `${units[0]?.itemId} ${shared.date}`;

async function placeInTransaction(
  ctx: Context,
  shared: SharedStock,
  order: NewOrder,
): Promise<Placement> {
  const { outcomes, written } = await insertOrders(ctx.lockingSql, shared, [order]);
  const [outcome = 'CHANGED'] = outcomes;
  if (outcome !== 'PLACED') return { outcome };
  await written;
  return { outcome, order: await loadOrder(ctx, order.row.id, '') };
}

/** Places a batch. A second request with the same idempotency key waits for the first one. */
async function placeWaiting(batch: WaitingOrder[]): Promise<void> {
  for (let rest = batch; rest.length > 0; ) {
    const seen = new Set<string>();
    const isFirstOfKey = ({ ctx: { keyedWrite } }: WaitingOrder) => {
      if (keyedWrite === undefined) return true;
      const ids = listKeyIds(keyedWrite.request);
      if (ids.some((id) => seen.has(id))) return false;
      for (const id of ids) seen.add(id);
      return true;
    };
    const [first, later]: [WaitingOrder[], WaitingOrder[]] = [[], []];
    for (const waiting of rest) (isFirstOfKey(waiting) ? first : later).push(waiting);
    await placeOrSeparate(first);
    rest = later;
  }
}

/** If the transaction fails, one of the orders can be the cause, so each is placed alone. */
async function placeOrSeparate(batch: WaitingOrder[]): Promise<void> {
  const answered = new Set<WaitingOrder>();
  try {
    await placeTogether(batch, answered);
  } catch (error) {
    const open = batch.filter((waiting) => !answered.has(waiting));
    // Their callers have computed a response already. It is void, since the transaction was rolled back.
    for (const { ctx } of answered)
      ctx.keyedWrite?.end(isDatabaseOutage(error) ? error : tooManyOrders());
    if (batch.length > 1 && !isDatabaseOutage(error)) {
      for (const waiting of open) await placeOrSeparate([waiting]);
      return;
    }
    for (const { placement } of open) {
      if (isCounterViolation(error) || isWriteConflict(error))
        placement.resolve({ outcome: 'CHANGED' });
      else placement.reject(error);
    }
  }
}

/**
 * Places orders in one transaction and settles them. Orders with a keyed write get theirs before the commit and are added to
 * `answered`.
 */
async function placeTogether(batch: WaitingOrder[], answered: Set<WaitingOrder>): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const { ctx, shared } = first;
  const { claimed, outcomes, loading } = await ctx.sqlTransaction(async (sql) => {
    const claimed = await claim(sql, batch);
    const placeable = batch.filter((waiting) => claimed.get(waiting) !== false);
    const { outcomes: decided } = await insertOrders(
      sql,
      shared,
      placeable.map(({ order }) => order),
    );
    const outcomes = new Map(placeable.map((waiting, n) => [waiting, decided[n] ?? 'CHANGED']));
    const placed = placeable.filter((waiting) => outcomes.get(waiting) === 'PLACED');
    // Nothing waits for the rows to be written, so the writing, reading and committing statements are sent together.
    const loading = loadPlaced(sql, ctx, placed);
    loading.catch(() => {}); // fails the transaction
    if (claimed.size > 0) await answerKeyed(sql, { placeable, orders: await loading, answered });
    return { claimed, outcomes, loading };
  });
  const orders = await loading;
  for (const waiting of batch) {
    const { ctx, placement } = waiting;
    const outcome = outcomes.get(waiting) ?? 'CHANGED';
    const order = orders.get(waiting);
    if (answered.has(waiting)) ctx.keyedWrite?.end();
    else if (claimed.get(waiting) === false) placement.reject(new KeyAlreadyClaimed());
    else if (order) placement.resolve({ outcome: 'PLACED', order });
    else placement.resolve({ outcome: outcome as Exclude<PlaceOrderOutcome, 'PLACED'> });
  }
}

/** Claims the keys of the keyed writes. Returns whether each was free. */
async function claim(sql: Sql, batch: WaitingOrder[]): Promise<Map<WaitingOrder, boolean>> {
  const keyed = batch.filter(({ ctx }) => ctx.keyedWrite !== undefined);
  const [first] = keyed;
  if (first === undefined) return new Map();
  const requests = keyed.flatMap(({ ctx }) => ctx.keyedWrite?.request ?? []);
  const claims = await claimKeys(sql, requests, toClaimTimes(first.ctx.now()));
  for (const [n, { ctx }] of keyed.entries()) ctx.keyedWrite?.setClaimed(claims[n] === true);
  return new Map(keyed.map((waiting, n) => [waiting, claims[n] === true]));
}

async function loadPlaced(
  sql: Sql,
  ctx: Context,
  placed: WaitingOrder[],
): Promise<Map<WaitingOrder, Order>> {
  if (placed.length === 0) return new Map();
  const ids = placed.map(({ order }) => order.row.id);
  const loaded = await findOrdersByIds({ ...ctx, pipelinedSql: sql }, ids, { canConfirm: false });
  const byId = new Map(loaded.map((order) => [order.id, order]));
  return new Map(
    placed.map((waiting) => {
      const order = byId.get(waiting.order.row.id);
      if (order === undefined) throw new Error('an order that was placed was not found');
      return [waiting, order];
    }),
  );
}

/** Passes each placed order to its keyed request and stores the responses. Releases the keys of rejected orders. */
async function answerKeyed(
  sql: Sql,
  part: {
    placeable: WaitingOrder[];
    orders: Map<WaitingOrder, Order>;
    answered: Set<WaitingOrder>;
  },
): Promise<void> {
  const rejected: KeyedWrite[] = [];
  const responses = [];
  for (const waiting of part.placeable) {
    const { ctx, placement } = waiting;
    if (ctx.keyedWrite === undefined) continue;
    const { request, response } = ctx.keyedWrite;
    const order = part.orders.get(waiting);
    if (order === undefined) {
      rejected.push(ctx.keyedWrite);
      continue;
    }
    part.answered.add(waiting);
    placement.resolve({ outcome: 'PLACED', order });
    responses.push(response.then((response) => ({ request, response })));
  }
  if (rejected.length > 0)
    await releaseKeys(
      sql,
      rejected.map(({ request }) => request),
    );
  // Another request with the same key can claim it now. Its response counts, so a rejection must be checked against it.
  for (const write of rejected) write.setClaimed(false);
  if (responses.length > 0) await saveResponses(sql, await Promise.all(responses));
}
