import type { Context } from '../../../context.ts';
import type { Settled } from '../../../core/batch-queue.ts';
import { isCounterViolation, isWriteConflict } from '../../../db/constraint-errors.ts';
import {
  claimSharedKeys,
  KeyAlreadyClaimed,
  type KeyedWrite,
  separateSameKeys,
  storeSharedResponses,
} from '../../../db/keyed-write.ts';
import { isDatabaseOutage } from '../../../db/outages.ts';
import type { Sql } from '../../../db/prepared-statement.ts';
import { findOrdersByIds } from '../service/find-orders.ts';
import type { Order } from '../types.ts';
import type { NewOrder, PlaceOrderOutcome } from './decide-orders.ts';
import { insertOrders, type SharedStock } from './insert-orders.ts';

// Orders of one stock wait for its row in the database. Those that arrive while a transaction runs therefore share the next
// one: its statements, its locks and its commit. Each gets the outcome that it would have got alone.

export type Placement =
  | { outcome: 'PLACED'; order: Order }
  | { outcome: Exclude<PlaceOrderOutcome, 'PLACED'> };

interface PlaceableOrder {
  shared: SharedStock;
  order: NewOrder;
  /** Converts the placed order to what the API gets. A keyed write stores it in the same transaction. */
  toResult(order: Order): unknown;
}

/** An order that waits for its batch. */
interface WaitingOrder extends PlaceableOrder {
  ctx: Context;
  keyedWrite: KeyedWrite | undefined;
}

type Placements = Settled<WaitingOrder, Placement>;

/**
 * Places an order together with others of the same stock, or alone if none is waiting. In a transaction, it is always placed
 * alone.
 */
export async function placeInBatch(ctx: Context, placeable: PlaceableOrder): Promise<Placement> {
  const { shared, order } = placeable;
  if (!ctx.isInTransaction) {
    const waiting: WaitingOrder = { ...placeable, ctx, keyedWrite: ctx.keyedWrite };
    return ctx.queues.orders(toStockKey(shared, order), waiting, placeBatch);
  }
  const { placements } = await sendOrders(ctx.lockingSql, ctx, shared, [order]);
  const [placement = { outcome: 'CHANGED' as const }] = await placements;
  return placement;
}

const toStockKey = (shared: SharedStock, { units }: NewOrder) =>
  'eventId' in shared ? shared.eventId : `${units[0]?.itemId} ${shared.date}`;

/** Places a batch. Orders with the same idempotency key are placed one after another, in transactions of their own. */
async function placeBatch(batch: WaitingOrder[]): Promise<Placements> {
  const placements: Placements = new Map();
  for (const group of separateSameKeys(batch)) addAll(placements, await placeOrSeparate(group));
  return placements;
}

/** If the transaction fails, one of the orders can be the cause, so each is placed alone. */
async function placeOrSeparate(batch: WaitingOrder[]): Promise<Placements> {
  try {
    return await placeTogether(batch);
  } catch (error) {
    const placements: Placements = new Map();
    if (batch.length > 1 && !isDatabaseOutage(error)) {
      for (const waiting of batch) addAll(placements, await placeOrSeparate([waiting]));
      return placements;
    }
    const hasStockChanged = isCounterViolation(error) || isWriteConflict(error);
    for (const waiting of batch)
      placements.set(waiting, hasStockChanged ? succeed({ outcome: 'CHANGED' }) : fail(error));
    return placements;
  }
}

function addAll(placements: Placements, others: Placements): void {
  for (const [waiting, placement] of others) placements.set(waiting, placement);
}

const succeed = (value: Placement) => ({ status: 'fulfilled' as const, value });
const fail = (reason: unknown) => ({ status: 'rejected' as const, reason });

/** Places orders in one transaction. @throws if it fails, so that none of them is placed. */
async function placeTogether(batch: WaitingOrder[]): Promise<Placements> {
  const [first] = batch;
  if (first === undefined) return new Map();
  const { ctx, shared } = first;
  const { claimed, sent } = await ctx.sqlTransaction(async (sql) => {
    const claimed = await claimSharedKeys(sql, batch, ctx.now());
    const orders = claimed.map(({ order }) => order);
    const sent = await sendOrders(sql, ctx, shared, orders);
    // Only responses to store need the orders before the commit. Without any, the commit follows immediately.
    if (claimed.some(({ keyedWrite }) => keyedWrite))
      await storeResponses(sql, claimed, await sent.placements);
    return { claimed, sent };
  });
  const placements = await sent.placements;
  const settled: Placements = new Map(
    batch.map((waiting) => [waiting, fail(new KeyAlreadyClaimed())]),
  );
  for (const [n, waiting] of claimed.entries())
    settled.set(waiting, succeed(placements[n] ?? { outcome: 'CHANGED' }));
  return settled;
}

/**
 * Inserts orders and reads them again. It returns when all statements are sent, so that the caller can send more. If one of them
 * fails, so does the transaction, even if nobody waits for `placements`.
 */
async function sendOrders(
  sql: Sql,
  ctx: Context,
  shared: SharedStock,
  orders: NewOrder[],
): Promise<{ placements: Promise<Placement[]> }> {
  const { outcomes, written } = await insertOrders(sql, shared, orders);
  const ids = orders.flatMap(({ row }, n) => (outcomes[n] === 'PLACED' ? row.id : []));
  const read = readNewOrders(sql, ctx, ids);
  const placements = Promise.all([read, written]).then(([byId]) =>
    orders.map(({ row }, n) => toPlacement(outcomes[n] ?? 'CHANGED', byId.get(row.id))),
  );
  placements.catch(() => {});
  return { placements };
}

async function readNewOrders(sql: Sql, ctx: Context, ids: string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map();
  const orders = await findOrdersByIds({ ...ctx, pipelinedSql: sql }, ids, { canConfirm: false });
  return new Map(orders.map((order) => [order.id, order]));
}

function toPlacement(outcome: PlaceOrderOutcome, order: Order | undefined): Placement {
  if (outcome !== 'PLACED') return { outcome };
  if (order === undefined) throw new Error('an order that was placed was not found');
  return { outcome, order };
}

const storeResponses = (sql: Sql, orders: WaitingOrder[], placements: Placement[]) =>
  storeSharedResponses(
    sql,
    orders.flatMap(({ keyedWrite, toResult }, n) => {
      if (keyedWrite === undefined) return [];
      const placement = placements[n];
      const isPlaced = placement?.outcome === 'PLACED';
      return { keyedWrite, result: isPlaced ? toResult(placement.order) : undefined };
    }),
  );
