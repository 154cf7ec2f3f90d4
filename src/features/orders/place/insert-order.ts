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

// What an order writes besides its admissions, once the verdict is that it may.
const INSERT_ORDER_CTES = `
  code_used AS (
    UPDATE discount_codes SET uses = uses + 1
    WHERE id = (SELECT id FROM code) AND (SELECT verdict FROM verdict) = 'PLACED'),
  placed AS (
    INSERT INTO orders (id, code, status, event_id, member_id, buyer_name, buyer_email, currency, total_amount,
      discount_amount, discount_code_id, provider, seat_keys, expires_at, paid_at, created_at, updated_at)
    SELECT o.id, o.code, o.status, o."eventId", o."memberId", o."buyerName", o."buyerEmail", o.currency, o."totalAmount",
      o."discountAmount", o."discountCodeId", o.provider, o."seatKeys", o."expiresAt", o."paidAt", o."createdAt", o."createdAt"
    FROM wanted o WHERE (SELECT verdict FROM verdict) = 'PLACED'),
  linked AS (
    INSERT INTO order_access_tokens (hash, order_id, can_confirm, created_at)
    SELECT decode(link.hash, 'hex'), o.id, link."canConfirm", o."createdAt"
    FROM wanted o, jsonb_to_recordset(o.links) AS link(hash text, "canConfirm" boolean)
    WHERE (SELECT verdict FROM verdict) = 'PLACED')`;

// The mail about what is confirmed at once, or is to be confirmed.
const INSERT_EMAIL_CTE = `,
  told AS (
    INSERT INTO mails (id, recipient, client_key, subject, text, html, created_at, next_attempt_at)
    SELECT m.id, m.recipient, m."clientKey", m.subject, m.text, m.html, o."createdAt", o."createdAt"
    FROM wanted o, jsonb_to_record($3::jsonb) AS m(id uuid, recipient text, "clientKey" text, subject text, text text, html text)
    WHERE (SELECT verdict FROM verdict) = 'PLACED')`;

const REQUESTED_CTE = `
  wanted AS MATERIALIZED (
    SELECT * FROM jsonb_to_record($1::jsonb) AS o(id uuid, code text, status order_status, "eventId" uuid, "memberId" uuid,
      "buyerName" text, "buyerEmail" text, currency text, "totalAmount" int, "discountAmount" int, "discountCodeId" uuid,
      provider payment_provider, "expiresAt" timestamptz, "paidAt" timestamptz, "createdAt" timestamptz, links jsonb,
      "admission" admission_status, "seatLimits" jsonb, "seatKeys" bytea[], "windowHours" int))`;

// The seats are counted last, and only if there are so many: from here on the verdict holds.
const toOutcomeCtes = (seats: string, left: string) => `
  ${toCountSeatsCtes({
    limits: '(SELECT "seatLimits" FROM wanted)',
    seats,
    now: '(SELECT "createdAt" FROM wanted)',
    windowHours: '(SELECT "windowHours" FROM wanted)',
    left,
    condition: `(SELECT verdict FROM stock_verdict) = 'PLACED'`,
  })},
  verdict AS MATERIALIZED (
    SELECT CASE WHEN verdict = 'PLACED' AND (SELECT count(*) FROM counted) < (SELECT count(*) FROM subject)
      THEN 'SEAT_LIMIT_REACHED' ELSE verdict END AS verdict
    FROM stock_verdict)`;

const COUNT_UNITS = '(SELECT count(*)::int FROM unit)';

// The code is locked after the stock: every order takes its locks in the same sequence.
const toLockDiscountCte = (stock: string) => `
  code AS MATERIALIZED (
    SELECT d.id, d.active, d.max_uses, d.uses FROM discount_codes d
    WHERE d.id = (SELECT "discountCodeId" FROM wanted) AND (SELECT count(*) FROM ${stock}) >= 0
    FOR NO KEY UPDATE)`;

const IS_DISCOUNT_CHANGED = `((SELECT "discountCodeId" FROM wanted) IS NOT NULL AND NOT EXISTS (SELECT FROM code WHERE active))`;
const IS_DISCOUNT_USED_UP = 'EXISTS (SELECT FROM code WHERE uses >= max_uses)';

/**
 * Takes the stock, writes the order and its tickets, or does nothing and says why. The locks come first and the
 * counters are judged under them, so that a refusal is an answer and not an error; the CHECKs of the counters have the
 * last word. CHANGED: the event, a price, the code or the stock is not what it was a moment ago; look again.
 */
const PLACE_TICKETS_CTES = `
  WITH ${REQUESTED_CTE},
  unit AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS u(id uuid, code text, "ticketTypeId" uuid, position int, name text,
      email text, "unitPrice" int, amount int)),
  item AS MATERIALIZED (
    SELECT "ticketTypeId" AS type_id, "unitPrice" AS unit_price, count(*)::int AS quantity FROM unit GROUP BY 1, 2),
  event AS MATERIALIZED (
    SELECT id, status, capacity, reserved_count FROM events WHERE id = (SELECT "eventId" FROM wanted) FOR NO KEY UPDATE),
  type AS MATERIALIZED (
    SELECT t.id, t.quantity AS stock, t.reserved_count, item.quantity
    FROM event JOIN ticket_types t ON t.event_id = event.id
      JOIN item ON item.type_id = t.id AND item.unit_price = t.price_amount
    WHERE t.active ORDER BY t.id FOR NO KEY UPDATE OF t),
  ${toLockDiscountCte('type')},
  stock_verdict AS MATERIALIZED (
    SELECT CASE
      WHEN NOT EXISTS (SELECT FROM event WHERE status = 'published')
        OR (SELECT count(*) FROM type) <> (SELECT count(*) FROM item) OR ${IS_DISCOUNT_CHANGED} THEN 'CHANGED'
      WHEN EXISTS (SELECT FROM type WHERE reserved_count + quantity > stock)
        OR EXISTS (SELECT FROM event WHERE reserved_count + (SELECT count(*) FROM unit) > capacity) THEN 'SOLD_OUT'
      WHEN ${IS_DISCOUNT_USED_UP} THEN 'DISCOUNT_USED_UP'
      ELSE 'PLACED' END AS verdict),
  ${toOutcomeCtes(COUNT_UNITS, '(SELECT least((SELECT capacity - reserved_count FROM event), (SELECT min(stock - reserved_count) FROM type)))')},
  event_taken AS (
    UPDATE events SET reserved_count = reserved_count + (SELECT count(*)::int FROM unit)
    WHERE id = (SELECT id FROM event) AND (SELECT verdict FROM verdict) = 'PLACED'),
  types_taken AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count + type.quantity
    FROM type WHERE t.id = type.id AND (SELECT verdict FROM verdict) = 'PLACED'),
  admitted AS (
    INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, attendee_email,
      unit_price, amount, created_at, updated_at)
    SELECT u.id, u.code, o.id, o."eventId", u."ticketTypeId", u.position, o.admission, u.name, u.email,
      u."unitPrice", u.amount, o."createdAt", o."createdAt"
    FROM wanted o, unit u WHERE (SELECT verdict FROM verdict) = 'PLACED'),
  ${INSERT_ORDER_CTES}`;

/** The same for day passes, whose stock is counted by type and date. */
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
  stock_verdict AS MATERIALIZED (
    SELECT CASE
      WHEN (SELECT count(*) FROM stock) <> (SELECT count(*) FROM item) OR ${IS_DISCOUNT_CHANGED} THEN 'CHANGED'
      WHEN EXISTS (SELECT FROM stock WHERE reserved_count + quantity > capacity) THEN 'SOLD_OUT'
      WHEN ${IS_DISCOUNT_USED_UP} THEN 'DISCOUNT_USED_UP'
      ELSE 'PLACED' END AS verdict),
  ${toOutcomeCtes(COUNT_UNITS, '(SELECT min(capacity - reserved_count) FROM stock)')},
  days_taken AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count + stock.quantity FROM stock
    WHERE d.type_id = stock.type_id AND d.date = stock.date AND (SELECT verdict FROM verdict) = 'PLACED'),
  admitted AS (
    INSERT INTO day_passes (id, code, order_id, type_id, valid_on, position, status, holder_name, holder_email,
      unit_price, amount, created_at, updated_at)
    SELECT u.id, u.code, o.id, u."typeId", u."validOn", u.position, o.admission, u.name, u.email,
      u."unitPrice", u.amount, o."createdAt", o."createdAt"
    FROM wanted o, unit u WHERE (SELECT verdict FROM verdict) = 'PLACED'),
  ${INSERT_ORDER_CTES}`;

// Where a limit was reached, the other subjects have counted the seats already: those are given back.
const SELECT_OUTCOME = `SELECT verdict, CASE WHEN verdict = 'SEAT_LIMIT_REACHED'
  THEN (SELECT array_agg(key::text) FROM counted) END AS counted FROM verdict`;

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
  mail: object | null,
) => insertOrder(ctx, placeTicketsStatements, row, units, mail);

export const insertDayPassOrder = (
  ctx: Context,
  row: OrderRow,
  units: DayPassUnit[],
  mail: object | null,
) => insertOrder(ctx, placeDayPassesStatements, row, units, mail);

async function insertOrder(
  ctx: Context,
  sql: ReturnType<typeof toPlaceStatements>,
  row: OrderRow,
  units: OrderUnit[],
  mail: object | null,
): Promise<PlaceOrderOutcome> {
  const { lockingSql, isInTransaction } = ctx;
  const values = [row, units, ...(mail ? [mail] : [])].map((value) => JSON.stringify(value));
  try {
    const [answer] = await lockingSql<{ verdict: PlaceOrderOutcome; counted: string[] | null }>(
      mail ? sql.withEmail : sql.withoutEmail,
      values,
    );
    if (answer === undefined) throw new Error('placing an order always has a verdict');
    await returnSeats(ctx, answer.counted ?? [], units.length);
    return answer.verdict;
  } catch (error) {
    if (isInTransaction || !isCounterViolation(error)) throw error; // the whole transaction is tried again
    return 'CHANGED';
  }
}
