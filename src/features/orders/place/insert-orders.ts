import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement, type Sql } from '../../../db/prepared-statement.ts';
import { ORIGIN_COLUMN_TYPES, toRecordSql } from '../../../journal/record-changes.ts';
import { lockSeatUsages, toWriteUsagesSql } from '../limits/seat-usage.ts';
import {
  decideOrders,
  type NewOrder,
  type PlaceOrderOutcome,
  type Stock,
  type StockChanges,
} from './decide-orders.ts';

/** What the orders of one batch have in common: an event, or a date. */
export type SharedStock = { eventId: string } | { date: string };

/**
 * Decides orders of the same stock one after another and inserts those that are placed, in a constant number of statements.
 * Returns their outcomes as soon as they are decided. `written` resolves once the rows are. Call it in a transaction. CHECK
 * constraints on the counters are the last safeguard.
 */
export async function insertOrders(
  sql: Sql,
  shared: SharedStock,
  orders: NewOrder[],
): Promise<{ outcomes: PlaceOrderOutcome[]; written: Promise<unknown> }> {
  const stock = await lockStock(sql, shared, orders);
  const { outcomes, changes } = decideOrders(stock, orders);
  const placed = orders.filter((_, n) => outcomes[n] === 'PLACED');
  const written = placed.length > 0 ? writeOrders(sql, shared, placed, changes) : Promise.resolve();
  written.catch(() => {}); // the transaction fails even if nobody waits
  return { outcomes, written };
}

/**
 * Locks the counters and reads them. All orders lock in the same sequence, which prevents deadlocks: event, ticket types,
 * codes, seats, or days, codes, seats. The seats are read by a statement of their own, which sees the rows that were inserted
 * while the first one waited.
 */
async function lockStock(sql: Sql, shared: SharedStock, orders: NewOrder[]): Promise<Stock> {
  const itemIds = new Set(orders.flatMap(({ units }) => units.map(({ itemId }) => itemId)));
  const codeIds = new Set(orders.flatMap(({ row }) => row.discountCodeId ?? []));
  const keys = new Set(orders.flatMap(({ seats }) => seats.limits.map(({ key }) => key)));
  const [[row], seatUsages] = await Promise.all([
    sql<{ stock: Omit<Stock, 'seatUsages'> }>(
      'eventId' in shared ? LOCK_TICKETS : LOCK_DAY_PASSES,
      [toTarget(shared), [...itemIds], [...codeIds]],
    ),
    lockSeatUsages(sql, [...keys]),
  ]);
  if (row === undefined) throw new Error('locking the stock returned nothing');
  return { ...row.stock, seatUsages };
}

const toTarget = (shared: SharedStock) => ('eventId' in shared ? shared.eventId : shared.date);

// Locks the codes after the stock.
const toLockCodesCte = (stock: string) => `
  code AS MATERIALIZED (
    SELECT d.id, d.active, d.max_uses, d.uses FROM discount_codes d
    WHERE d.id = ANY ($3::uuid[]) AND (SELECT count(*) FROM ${stock}) >= 0
    ORDER BY d.id FOR NO KEY UPDATE)`;

const SELECT_CODES = `(SELECT coalesce(json_agg(json_build_object(
  'id', id, 'active', active, 'maxUses', max_uses, 'uses', uses)), '[]'::json) FROM code)`;

const toSelectItems = (items: string) => `(SELECT coalesce(json_agg(json_build_object(
  'id', id, 'capacity', capacity, 'reserved', reserved_count, 'unitPrice', price_amount)), '[]'::json) FROM ${items})`;

const LOCK_TICKETS = prepareStatement(`
  WITH event AS MATERIALIZED (
    SELECT id, status, starts_at, offers_pending, capacity, reserved_count FROM events WHERE id = $1::uuid FOR NO KEY UPDATE),
  type AS MATERIALIZED (
    SELECT t.id, t.quantity AS capacity, t.reserved_count, t.price_amount
    FROM event JOIN ticket_types t ON t.event_id = event.id
    WHERE t.active AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t),
  ${toLockCodesCte('type')}
  SELECT json_build_object('isOnSale', EXISTS (SELECT FROM event WHERE status = 'published'),
    'startsAt', (SELECT ${projectInstant('starts_at')} FROM event), 'offersPending', EXISTS (SELECT FROM event WHERE offers_pending),
    'total', (SELECT json_build_object('capacity', capacity, 'reserved', reserved_count) FROM event),
    'items', ${toSelectItems('type')}, 'codes', ${SELECT_CODES}) AS stock`);

const LOCK_DAY_PASSES = prepareStatement(`
  WITH day AS MATERIALIZED (
    SELECT t.id, d.capacity, d.reserved_count, t.price_amount
    FROM day_pass_types t JOIN day_pass_days d ON d.type_id = t.id AND d.date = $1::date
    WHERE t.active AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF d),
  ${toLockCodesCte('day')}
  SELECT json_build_object('isOnSale', true, 'startsAt', NULL, 'offersPending', false, 'total', NULL, 'items', ${toSelectItems('day')},
    'codes', ${SELECT_CODES}) AS stock`);

// $1 the event or the date, $2 the orders, $3 their units, $4 the seats, $5 and $6 the items and $7 and $8 the codes that
// change. The constraints between the tables are checked at the end of the statement.
const toInsertStatement = (stockCtes: string, subject: 'ticket' | 'day_pass', location: string) =>
  prepareStatement(`
  WITH requested AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS o(id uuid, code text, status order_status, "eventId" uuid,
      "memberId" uuid, "buyerName" text, "buyerEmail" text, currency text, "totalAmount" int, "discountAmount" int,
      "discountCodeId" uuid, provider payment_provider, "expiresAt" timestamptz, "confirmedHoldUntil" timestamptz, "paidAt" timestamptz,
      "createdAt" timestamptz, "linkHash" text, admission admission_status, "seatKeys" bytea[], change text,
      ${ORIGIN_COLUMN_TYPES})),
  unit AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS u("orderId" uuid, id uuid, code text, "itemId" uuid, position int,
      name text, email text, "unitPrice" int, amount int)),
  item AS MATERIALIZED (SELECT * FROM unnest($5::uuid[], $6::int[]) AS i(id, count)),
  ${stockCtes},
  codes_used AS (
    UPDATE discount_codes d SET uses = d.uses + used.count
    FROM unnest($7::uuid[], $8::int[]) AS used(id, count) WHERE d.id = used.id),
  seats_counted AS (${toWriteUsagesSql('$4::jsonb')}),
  placed AS (
    INSERT INTO orders (id, code, status, event_id, member_id, buyer_name, buyer_email, currency, total_amount,
      discount_amount, discount_code_id, provider, seat_keys, expires_at, confirmed_hold_until, paid_at, created_at, updated_at)
    SELECT o.id, o.code, o.status, o."eventId", o."memberId", o."buyerName", o."buyerEmail", o.currency, o."totalAmount",
      o."discountAmount", o."discountCodeId", o.provider, o."seatKeys", o."expiresAt", o."confirmedHoldUntil", o."paidAt", o."createdAt", o."createdAt"
    FROM requested o RETURNING *),
  linked AS (
    INSERT INTO order_access_tokens (hash, order_id, can_confirm, created_at)
    SELECT decode(o."linkHash", 'hex'), o.id, false, o."createdAt" FROM requested o),
  recorded AS (${toRecordSql(
    {
      location,
      subject: 'order',
      type: 'origin.change',
      source: 'placed row JOIN requested origin ON origin.id = row.id',
    },
    {
      location,
      subject,
      type: `'${subject}.issued'`,
      source: `admissions row JOIN requested origin ON origin.id = row.order_id WHERE row.status = 'valid'`,
    },
  )})
  SELECT 1`);

const INSERT_TICKET_ORDERS = toInsertStatement(
  `
  event_reserved AS (
    UPDATE events SET reserved_count = reserved_count + (SELECT count(*)::int FROM unit) WHERE id = $1::uuid),
  types_reserved AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count + item.count FROM item WHERE t.id = item.id),
  admissions AS (
    INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, attendee_email,
      unit_price, amount, created_at, updated_at)
    SELECT u.id, u.code, o.id, o."eventId", u."itemId", u.position, o.admission, u.name, u.email,
      u."unitPrice", u.amount, o."createdAt", o."createdAt"
    FROM unit u JOIN requested o ON o.id = u."orderId" RETURNING *)`,
  'ticket',
  '(SELECT location_id FROM events WHERE id = $1::uuid)',
);

const INSERT_DAY_PASS_ORDERS = toInsertStatement(
  `
  days_reserved AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count + item.count
    FROM item WHERE d.type_id = item.id AND d.date = $1::date),
  admissions AS (
    INSERT INTO day_passes (id, code, order_id, type_id, valid_on, position, status, holder_name, holder_email, unit_price,
      amount, created_at, updated_at)
    SELECT u.id, u.code, o.id, u."itemId", $1::date, u.position, o.admission, u.name, u.email,
      u."unitPrice", u.amount, o."createdAt", o."createdAt"
    FROM unit u JOIN requested o ON o.id = u."orderId" RETURNING *)`,
  'day_pass',
  // The statement does not see the passes that it inserts.
  `(SELECT t.location_id FROM unit u JOIN day_pass_types t ON t.id = u."itemId" WHERE u."orderId" = origin.id LIMIT 1)`,
);

function writeOrders(
  sql: Sql,
  shared: SharedStock,
  placed: NewOrder[],
  changes: StockChanges,
): Promise<unknown> {
  const units = placed.flatMap(({ row, units }) =>
    units.map((unit) => ({ ...unit, orderId: row.id })),
  );
  const rows = placed.map(({ row: { origin, ...row } }) => ({ ...row, ...origin }));
  const json = [rows, units, changes.seatUsages].map((value) => JSON.stringify(value));
  return sql('eventId' in shared ? INSERT_TICKET_ORDERS : INSERT_DAY_PASS_ORDERS, [
    toTarget(shared),
    ...json,
    ...toColumns(changes.items),
    ...toColumns(changes.codes),
  ]);
}

const toColumns = (counts: StockChanges['items']) => [
  counts.map(({ id }) => id),
  counts.map(({ count }) => count),
];
