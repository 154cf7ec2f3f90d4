import type { Context } from '../../../context.ts';
import { isCounterViolation } from '../../../db/constraint-errors.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { returnSeats, toCountSeatsCtes } from '../limits/seat-usage.ts';
import type { OrderRow, OrderUnit } from './build-order.ts';

export type PlaceOrderOutcome =
  | 'PLACED'
  | 'SOLD_OUT'
  | 'DISCOUNT_USED_UP'
  | 'SEAT_LIMIT_REACHED'
  | 'CHANGED';

type TicketUnit = OrderUnit & { ticketTypeId: string };
type DayPassUnit = OrderUnit & { typeId: string; validOn: string };

// Writes the order, except its admissions, if the outcome is PLACED.
const INSERT_ORDER_CTES = `
  code_used AS (
    UPDATE discount_codes SET uses = uses + 1
    WHERE id = (SELECT id FROM code) AND (SELECT outcome FROM decision) = 'PLACED'),
  placed AS (
    INSERT INTO orders (id, code, status, event_id, member_id, buyer_name, buyer_email, currency, total_amount,
      discount_amount, discount_code_id, provider, seat_keys, expires_at, paid_at, created_at, updated_at)
    SELECT o.id, o.code, o.status, o."eventId", o."memberId", o."buyerName", o."buyerEmail", o.currency, o."totalAmount",
      o."discountAmount", o."discountCodeId", o.provider, o."seatKeys", o."expiresAt", o."paidAt", o."createdAt", o."createdAt"
    FROM requested o WHERE (SELECT outcome FROM decision) = 'PLACED'),
  linked AS (
    INSERT INTO order_access_tokens (hash, order_id, can_confirm, created_at)
    SELECT decode(link.hash, 'hex'), o.id, link."canConfirm", o."createdAt"
    FROM requested o, jsonb_to_recordset(o.links) AS link(hash text, "canConfirm" boolean)
    WHERE (SELECT outcome FROM decision) = 'PLACED')`;

// Queues the email of an order that is confirmed at once, or that the buyer must confirm.
const INSERT_EMAIL_CTE = `,
  queued_email AS (
    INSERT INTO mails (id, recipient, client_key, subject, text, html, created_at, next_attempt_at)
    SELECT m.id, m.recipient, m."clientKey", m.subject, m.text, m.html, o."createdAt", o."createdAt"
    FROM requested o, jsonb_to_record($3::jsonb) AS m(id uuid, recipient text, "clientKey" text, subject text, text text, html text)
    WHERE (SELECT outcome FROM decision) = 'PLACED')`;

const REQUESTED_CTE = `
  requested AS MATERIALIZED (
    SELECT * FROM jsonb_to_record($1::jsonb) AS o(id uuid, code text, status order_status, "eventId" uuid, "memberId" uuid,
      "buyerName" text, "buyerEmail" text, currency text, "totalAmount" int, "discountAmount" int, "discountCodeId" uuid,
      provider payment_provider, "expiresAt" timestamptz, "paidAt" timestamptz, "createdAt" timestamptz, links jsonb,
      "admission" admission_status, "seatLimits" jsonb, "seatKeys" bytea[], "windowHours" int))`;

// Counts the seats last, and only if the stock suffices: after that, nothing else can reject the order.
const toOutcomeCtes = (seats: string, left: string) => `
  ${toCountSeatsCtes({
    limits: '(SELECT "seatLimits" FROM requested)',
    seats,
    now: '(SELECT "createdAt" FROM requested)',
    windowHours: '(SELECT "windowHours" FROM requested)',
    left,
    condition: `(SELECT outcome FROM stock_decision) = 'PLACED'`,
  })},
  decision AS MATERIALIZED (
    SELECT CASE WHEN outcome = 'PLACED' AND (SELECT count(*) FROM counted) < (SELECT count(*) FROM subject)
      THEN 'SEAT_LIMIT_REACHED' ELSE outcome END AS outcome
    FROM stock_decision)`;

const COUNT_UNITS = '(SELECT count(*)::int FROM unit)';

// Locks the code after the stock: all orders lock in the same sequence, which prevents deadlocks.
const toLockDiscountCte = (stock: string) => `
  code AS MATERIALIZED (
    SELECT d.id, d.active, d.max_uses, d.uses FROM discount_codes d
    WHERE d.id = (SELECT "discountCodeId" FROM requested) AND (SELECT count(*) FROM ${stock}) >= 0
    FOR NO KEY UPDATE)`;

const IS_DISCOUNT_CHANGED = `((SELECT "discountCodeId" FROM requested) IS NOT NULL AND NOT EXISTS (SELECT FROM code WHERE active))`;
const IS_DISCOUNT_USED_UP = 'EXISTS (SELECT FROM code WHERE uses >= max_uses)';

/**
 * Reserves the stock and writes the order and its tickets, or does nothing and returns why. Locks the counters before
 * reading them, so a rejection is an outcome and not an error; CHECKs on the counters are the last guard. CHANGED: the
 * event, a price, the code or the stock changed since the caller read it, so the caller must read again.
 */
const PLACE_TICKETS_CTES = `
  WITH ${REQUESTED_CTE},
  unit AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS u(id uuid, code text, "ticketTypeId" uuid, position int, name text,
      email text, "unitPrice" int, amount int)),
  item AS MATERIALIZED (
    SELECT "ticketTypeId" AS type_id, "unitPrice" AS unit_price, count(*)::int AS quantity FROM unit GROUP BY 1, 2),
  event AS MATERIALIZED (
    SELECT id, status, capacity, reserved_count FROM events WHERE id = (SELECT "eventId" FROM requested) FOR NO KEY UPDATE),
  type AS MATERIALIZED (
    SELECT t.id, t.quantity AS stock, t.reserved_count, item.quantity
    FROM event JOIN ticket_types t ON t.event_id = event.id
      JOIN item ON item.type_id = t.id AND item.unit_price = t.price_amount
    WHERE t.active ORDER BY t.id FOR NO KEY UPDATE OF t),
  ${toLockDiscountCte('type')},
  stock_decision AS MATERIALIZED (
    SELECT CASE
      WHEN NOT EXISTS (SELECT FROM event WHERE status = 'published')
        OR (SELECT count(*) FROM type) <> (SELECT count(*) FROM item) OR ${IS_DISCOUNT_CHANGED} THEN 'CHANGED'
      WHEN EXISTS (SELECT FROM type WHERE reserved_count + quantity > stock)
        OR EXISTS (SELECT FROM event WHERE reserved_count + (SELECT count(*) FROM unit) > capacity) THEN 'SOLD_OUT'
      WHEN ${IS_DISCOUNT_USED_UP} THEN 'DISCOUNT_USED_UP'
      ELSE 'PLACED' END AS outcome),
  ${toOutcomeCtes(COUNT_UNITS, '(SELECT least((SELECT capacity - reserved_count FROM event), (SELECT min(stock - reserved_count) FROM type)))')},
  event_reserved AS (
    UPDATE events SET reserved_count = reserved_count + (SELECT count(*)::int FROM unit)
    WHERE id = (SELECT id FROM event) AND (SELECT outcome FROM decision) = 'PLACED'),
  types_reserved AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count + type.quantity
    FROM type WHERE t.id = type.id AND (SELECT outcome FROM decision) = 'PLACED'),
  admissions AS (
    INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, attendee_email,
      unit_price, amount, created_at, updated_at)
    SELECT u.id, u.code, o.id, o."eventId", u."ticketTypeId", u.position, o.admission, u.name, u.email,
      u."unitPrice", u.amount, o."createdAt", o."createdAt"
    FROM requested o, unit u WHERE (SELECT outcome FROM decision) = 'PLACED'),
  ${INSERT_ORDER_CTES}`;

/** The same for day passes, which have a stock for each type and date. */
const PLACE_DAY_PASSES_CTES = `
  WITH ${REQUESTED_CTE},
  unit AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS u(id uuid, code text, "typeId" uuid, "validOn" date, position int,
      name text, email text, "unitPrice" int, amount int)),
  item AS MATERIALIZED (
    SELECT "typeId" AS type_id, "validOn" AS date, "unitPrice" AS unit_price, count(*)::int AS quantity
    FROM unit GROUP BY 1, 2, 3),
  stock AS MATERIALIZED (
    SELECT d.type_id, d.date, d.capacity, d.reserved_count, item.quantity
    FROM item JOIN day_pass_types t ON t.id = item.type_id AND t.active AND t.price_amount = item.unit_price
      JOIN day_pass_days d ON d.type_id = item.type_id AND d.date = item.date
    ORDER BY d.type_id, d.date FOR NO KEY UPDATE OF d),
  ${toLockDiscountCte('stock')},
  stock_decision AS MATERIALIZED (
    SELECT CASE
      WHEN (SELECT count(*) FROM stock) <> (SELECT count(*) FROM item) OR ${IS_DISCOUNT_CHANGED} THEN 'CHANGED'
      WHEN EXISTS (SELECT FROM stock WHERE reserved_count + quantity > capacity) THEN 'SOLD_OUT'
      WHEN ${IS_DISCOUNT_USED_UP} THEN 'DISCOUNT_USED_UP'
      ELSE 'PLACED' END AS outcome),
  ${toOutcomeCtes(COUNT_UNITS, '(SELECT min(capacity - reserved_count) FROM stock)')},
  days_reserved AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count + stock.quantity FROM stock
    WHERE d.type_id = stock.type_id AND d.date = stock.date AND (SELECT outcome FROM decision) = 'PLACED'),
  admissions AS (
    INSERT INTO day_passes (id, code, order_id, type_id, valid_on, position, status, holder_name, holder_email,
      unit_price, amount, created_at, updated_at)
    SELECT u.id, u.code, o.id, u."typeId", u."validOn", u.position, o.admission, u.name, u.email,
      u."unitPrice", u.amount, o."createdAt", o."createdAt"
    FROM requested o, unit u WHERE (SELECT outcome FROM decision) = 'PLACED'),
  ${INSERT_ORDER_CTES}`;

// If one limit was reached, the other subjects have already counted the seats: the caller returns those.
const SELECT_OUTCOME = `SELECT outcome, CASE WHEN outcome = 'SEAT_LIMIT_REACHED'
  THEN (SELECT array_agg(key::text) FROM counted) END AS counted FROM decision`;

const toPlaceStatements = (text: string) => ({
  withoutEmail: prepareStatement(`${text} ${SELECT_OUTCOME}`),
  withEmail: prepareStatement(`${text}${INSERT_EMAIL_CTE} ${SELECT_OUTCOME}`),
});
const placeTicketsStatements = toPlaceStatements(PLACE_TICKETS_CTES);
const placeDayPassesStatements = toPlaceStatements(PLACE_DAY_PASSES_CTES);

export const insertTicketOrder = (
  ctx: Context,
  row: OrderRow,
  units: TicketUnit[],
  email: object | null,
) => insertOrder(ctx, placeTicketsStatements, row, units, email);

export const insertDayPassOrder = (
  ctx: Context,
  row: OrderRow,
  units: DayPassUnit[],
  email: object | null,
) => insertOrder(ctx, placeDayPassesStatements, row, units, email);

async function insertOrder(
  ctx: Context,
  sql: ReturnType<typeof toPlaceStatements>,
  row: OrderRow,
  units: OrderUnit[],
  email: object | null,
): Promise<PlaceOrderOutcome> {
  const { lockingSql, isInTransaction } = ctx;
  const values = [row, units, ...(email ? [email] : [])].map((value) => JSON.stringify(value));
  try {
    const [result] = await lockingSql<{ outcome: PlaceOrderOutcome; counted: string[] | null }>(
      email ? sql.withEmail : sql.withoutEmail,
      values,
    );
    if (result === undefined) throw new Error('placing an order returned no outcome');
    await returnSeats(ctx, result.counted ?? [], units.length);
    return result.outcome;
  } catch (error) {
    if (isInTransaction || !isCounterViolation(error)) throw error; // runInTransaction tries the whole transaction again
    return 'CHANGED';
  }
}
