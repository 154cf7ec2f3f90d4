import type { Context } from '../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { DomainError } from '../../../errors.ts';
import { MAX_LIMIT_WINDOW_HOURS } from '../../order-limits/types.ts';
import { orderRejected } from '../place/validate-order.ts';
import type { SeatClaim, SeatLimit } from './seat-limits.ts';

// Every statement here writes the counters through ON CONFLICT: it sees the newest row whatever the snapshot of the
// statement, always uses the primary key however small the table was when the plan was made, and locks in key order.

/**
 * CTEs that count seats: `subject` lists the limits (JSON in `limits`), `counted` the subjects with room for `seats`
 * more. `left` is the number of seats left, read under the lock of the stock. If `counted` has fewer rows than `subject`,
 * a limit is reached and the statement must not sell.
 */
export const toCountSeatsCtes = (part: {
  limits: string;
  seats: string;
  now: string;
  windowHours: string;
  left: string;
  condition: string;
}) => `
  subject AS MATERIALIZED (
    SELECT s.key, s.kind, s."maxSeats" AS max_seats, s."minSeats" AS min_seats, ${part.left} AS "left"
    FROM jsonb_to_recordset(${part.limits}) AS s(key bytea, kind seat_subject_kind, "maxSeats" int, "minSeats" int)),
  counted AS (
    INSERT INTO seat_usages AS u (key, kind, seats, max_seats, window_ends_at)
    SELECT s.key, s.kind, ${part.seats}, ${toSeatLimitSql('s', '0')}, ${part.now} + ${part.windowHours} * interval '1 hour'
    FROM subject s WHERE ${part.condition} AND ${part.seats} <= ${toSeatLimitSql('s', '0')}
    ORDER BY s.key
    ON CONFLICT (key) DO UPDATE SET
      seats = excluded.seats + CASE WHEN ${toIsCurrentSql(part.now)} THEN u.seats ELSE 0 END,
      released_seats = CASE WHEN ${toIsCurrentSql(part.now)} THEN u.released_seats ELSE 0 END,
      max_seats = ${toNewSeatLimitSql(part.now)},
      window_ends_at = CASE WHEN ${toIsCurrentSql(part.now)} THEN u.window_ends_at ELSE excluded.window_ends_at END
    WHERE excluded.seats + CASE WHEN ${toIsCurrentSql(part.now)} THEN u.seats ELSE 0 END <= ${toNewSeatLimitSql(part.now)}
    RETURNING u.key)`;

const toIsCurrentSql = (now: string) => `u.window_ends_at > ${now}`;

/** Half of the seats left, rounded up. Adds the seats of the subject, because they reduced the number left. */
const toSeatLimitSql = (subject: string, used: string) =>
  `least(${subject}.max_seats, greatest(${subject}.min_seats,
    coalesce((${subject}."left" + ${used} + 1) / 2, ${subject}.max_seats)))`;

const toNewSeatLimitSql = (
  now: string,
) => `(SELECT ${toSeatLimitSql('s', `CASE WHEN ${toIsCurrentSql(now)} THEN u.seats ELSE 0 END`)}
  FROM subject s WHERE s.key = u.key)`;

const COUNT_SEATS = prepareStatement(`
  WITH ${toCountSeatsCtes({
    limits: '$1::jsonb',
    seats: '$2::int',
    now: '$3::timestamptz',
    windowHours: '$4::int',
    left: 'NULL::int',
    condition: 'true',
  })}
  SELECT encode(key, 'hex') AS key, (SELECT count(*)::int FROM subject) AS subjects FROM counted`);

/**
 * A statement that returns seats. `rows` selects `key` and `seats`. For a purged counter it inserts an empty one whose
 * window has ended.
 */
export const toReturnSeatsSql = (rows: string) => `
  INSERT INTO seat_usages AS u (key, kind, seats, max_seats, window_ends_at)
  SELECT returned.key, 'address', 0, returned.seats, '-infinity' FROM (${rows}) returned ORDER BY returned.key
  ON CONFLICT (key) DO UPDATE SET seats = greatest(u.seats - excluded.max_seats, 0)`;

const RETURN_SEATS = prepareStatement(
  toReturnSeatsSql(`SELECT key, $2::int AS seats FROM unnest($1::bytea[]) AS returned(key)`),
);

const MARK_RELEASED = prepareStatement(`
  INSERT INTO seat_usages AS u (key, kind, seats, max_seats, window_ends_at)
  SELECT released.key, 'address', 0, released.seats, '-infinity'
  FROM (SELECT key, sum(held.seats)::int AS seats
    FROM orders o CROSS JOIN LATERAL (
      SELECT (SELECT count(*) FROM tickets t WHERE t.order_id = o.id)
        + (SELECT count(*) FROM day_passes p WHERE p.order_id = o.id) AS seats) held
      CROSS JOIN LATERAL unnest(o.seat_keys) AS counted(key)
    WHERE o.id = ANY ($1::uuid[]) GROUP BY 1) released
  ORDER BY released.key
  ON CONFLICT (key) DO UPDATE SET released_seats = u.released_seats + excluded.max_seats`);

/**
 * Counts seats outside of the statement that sells them, for waiting-list entries. Call it in a transaction that has
 * locked the event. Throws CONFLICT (SEAT_LIMIT_REACHED).
 */
export async function takeSeats(
  ctx: Context,
  limits: SeatLimit[],
  { seats, windowHours }: { seats: number; windowHours: number },
): Promise<void> {
  if (limits.length === 0) return;
  const values = [JSON.stringify(limits), seats, ctx.now(), windowHours];
  const counted = await ctx.lockingSql<{ key: string }>(COUNT_SEATS, values);
  if (counted.length < limits.length)
    throw await seatLimitReached(ctx, { limits, windowHours, left: null });
}

/** Returns seats that were counted for an order or entry that was not written. */
export async function returnSeats(ctx: Context, keys: string[], seats: number): Promise<void> {
  if (keys.length > 0) await ctx.lockingSql(RETURN_SEATS, [keys, seats]);
}

/** Records the subjects whose holds ended unpaid. Within the window, the waiting list offers them nothing. */
export async function markSeatsReleased(ctx: Context, orderIds: string[]): Promise<void> {
  await ctx.lockingSql(MARK_RELEASED, [orderIds]);
}

// `$1` limits, `$2` the current time, `$3` the number of seats left.
const FIND_ROOM = prepareStatement(`
  SELECT max(u.window_ends_at)::timestamptz AS until,
    min(${toSeatLimitSql('s', 'coalesce(u.seats, 0)')} - coalesce(u.seats, 0)) AS room
  FROM (SELECT s.key, s."maxSeats" AS max_seats, s."minSeats" AS min_seats, $3::int AS "left"
      FROM jsonb_to_recordset($1::jsonb) AS s(key bytea, "maxSeats" int, "minSeats" int)) s
    LEFT JOIN seat_usages u ON u.key = s.key AND u.window_ends_at > $2::timestamptz`);

/**
 * The error for a reached limit. Says how many seats the buyer can still take and when the last window ends, but not
 * which limit was reached: a script would evade just that one.
 */
export async function seatLimitReached(
  ctx: Context,
  { limits, windowHours, left }: SeatClaim,
): Promise<DomainError> {
  const values = [JSON.stringify(limits), ctx.now(), left];
  const [row] = await ctx.pipelinedSql<{ until: string | Date | null; room: number }>(
    FIND_ROOM,
    values,
  );
  const maxQuantity = Math.max(0, row?.room ?? 0);
  const until = new Date(row?.until ?? ctx.now().getTime() + windowHours * 60 * MINUTE_MS);
  const retryAt = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return orderRejected(
    maxQuantity > 0
      ? `You can hold only ${maxQuantity} more unpaid or free places. Order ${maxQuantity} or fewer; you can order more once they are paid.`
      : `Too many unpaid or free places are held by you or by others on your network. Pay for yours, sign in if you are a member, try again after ${retryAt}, or ask the organiser.`,
    'SEAT_LIMIT_REACHED',
    'CONFLICT',
    { maxQuantity, retryAt: until.toISOString() },
  );
}

const BATCH_SIZE = 5_000;
/** Keys of orders and entries are retained for the longest window, plus a day. */
const KEY_RETENTION_MS = (MAX_LIMIT_WINDOW_HOURS / 24 + 1) * DAY_MS;
/** How far back the hourly run searches for keys, in case the service was down. */
const LOOK_BACK_MS = 60 * DAY_MS;

/** Deletes counters whose window has ended, and hashed addresses in orders that no window counts any more. Returns the number of cleared rows. */
export async function purgeSeatUsages({ db, now }: Context): Promise<number> {
  await db.$executeRaw`DELETE FROM seat_usages WHERE window_ends_at <= ${now()}::timestamptz`;
  const before = new Date(now().getTime() - KEY_RETENTION_MS);
  const after = new Date(before.getTime() - LOOK_BACK_MS);
  let purged = 0;
  for (const table of ['orders', 'waitlist_entries']) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; purged += count) {
      count = await db.$executeRawUnsafe(
        `UPDATE ${table} SET seat_keys = '{}' WHERE id IN (
          SELECT id FROM ${table}
          WHERE created_at <= $1::timestamptz AND created_at > $2::timestamptz AND seat_keys <> '{}'
          LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED)`,
        before,
        after,
      );
    }
  }
  return purged;
}
