import type { Context } from '../../../context.ts';
import { HOUR_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement, type Sql } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import type { SeatClaim, SeatLimit } from './seat-limits.ts';

/** How many seats a subject has reserved in its current window. */
export interface SeatUsage {
  seats: number;
  releasedSeats: number;
  /** When the window ends, in milliseconds since 1970. */
  endsAt: number;
}

/** Usages by the keys of their subjects. Subjects without one have not reserved anything. */
export type SeatUsages = Map<string, SeatUsage>;

/** A usage as it is written. */
export interface CountedSeats extends SeatUsage {
  key: string;
  kind: SeatLimit['kind'];
  maxSeats: number;
}

/** How long an order that is paid at the front desk holds its seats. */
interface SeatHold {
  /** In milliseconds since 1970. */
  until: number;
  /** Whether it is held until then without a confirmation of the buyer. Otherwise the confirmation counts it for longer. */
  isConfirmed: boolean;
}

/** Returns how many seats the subject can hold: half of the seats left, rounded up. The seats of the subject count as left. */
const toMaxSeats = (
  { maxSeats, minSeats }: SeatLimit,
  { left, used }: { left: number | null; used: number },
): number =>
  left === null
    ? maxSeats
    : Math.min(maxSeats, Math.max(minSeats, Math.floor((left + used + 1) / 2)));

/**
 * Counts the seats of an order against its limits: returns the new usages, or null if a limit is reached. `left` is the
 * number of seats left before the order. The window lasts at least until an order expires that is paid at the front desk. If nothing
 * has to be confirmed, it is followed by a whole window then. Otherwise a script could hold more seats after each window.
 */
export function countSeats(
  usages: ReadonlyMap<string, SeatUsage>,
  { limits, windowHours, left }: SeatClaim,
  { seats, at, hold }: { seats: number; at: number; hold?: SeatHold | null },
): CountedSeats[] | null {
  const windowMs = windowHours * HOUR_MS;
  const counted = limits.map((limit) => {
    const usage = usages.get(limit.key);
    const current =
      usage !== undefined && usage.endsAt > at
        ? usage
        : { seats: 0, releasedSeats: 0, endsAt: at + windowMs };
    const maxSeats = toMaxSeats(limit, { left, used: current.seats });
    return {
      ...{ key: limit.key, kind: limit.kind, maxSeats, releasedSeats: current.releasedSeats },
      seats: current.seats + seats,
      endsAt:
        hold && hold.until > current.endsAt
          ? hold.until + (hold.isConfirmed ? windowMs : 0)
          : current.endsAt,
    };
  });
  return counted.every((usage) => usage.seats <= usage.maxSeats) ? counted : null;
}

// Everyone who counts seats has locked the stock, so no row of a subject can appear meanwhile that counts.
const LOCK_USAGES = prepareStatement(`
  SELECT key::text AS key, seats, released_seats AS "releasedSeats", ${toMillisSql('window_ends_at')} AS "endsAt"
  FROM seat_usages WHERE key = ANY ($1::bytea[]) ORDER BY seat_usages.key FOR NO KEY UPDATE`);

const FIND_USAGES = prepareStatement(`
  SELECT key::text AS key, seats, released_seats AS "releasedSeats", ${toMillisSql('window_ends_at')} AS "endsAt"
  FROM seat_usages WHERE key = ANY ($1::bytea[])`);

function toMillisSql(column: string): string {
  return `CASE WHEN isfinite(${column}) THEN (extract(epoch FROM ${column}) * 1000)::float8 ELSE 0 END`;
}

/** Reads the usages of subjects and locks them. Call it after locking the stock. */
export async function lockSeatUsages(sql: Sql, keys: string[]): Promise<SeatUsages> {
  return keys.length === 0 ? new Map() : toUsages(await sql(LOCK_USAGES, [keys]));
}

const toUsages = (rows: (SeatUsage & { key: string })[]): SeatUsages =>
  new Map(rows.map((row) => [row.key, row]));

/** Returns a statement that writes usages from the JSON in `usages`, in the order of their keys. */
export const toWriteUsagesSql = (usages: string) => `
  INSERT INTO seat_usages AS u (key, kind, seats, max_seats, released_seats, window_ends_at)
  SELECT s.key, s.kind, s.seats, s."maxSeats", s."releasedSeats", to_timestamp(s."endsAt" / 1000)
  FROM jsonb_to_recordset(${usages}) AS s(key bytea, kind seat_subject_kind, seats int, "maxSeats" int,
    "releasedSeats" int, "endsAt" float8)
  ORDER BY s.key
  ON CONFLICT (key) DO UPDATE SET seats = excluded.seats, max_seats = excluded.max_seats,
    released_seats = excluded.released_seats, window_ends_at = excluded.window_ends_at`;

const WRITE_USAGES = prepareStatement(toWriteUsagesSql('$1::jsonb'));

/**
 * Returns a statement that returns seats. `rows` selects `key` and `seats`. If a counter was purged, it inserts an empty one
 * whose window has ended.
 */
export const toReturnSeatsSql = (rows: string) => `
  INSERT INTO seat_usages AS u (key, kind, seats, max_seats, window_ends_at)
  SELECT returned.key, 'address', 0, returned.seats, '-infinity' FROM (${rows}) returned ORDER BY returned.key
  ON CONFLICT (key) DO UPDATE SET seats = greatest(u.seats - excluded.max_seats, 0)`;

const RETURN_COUNTED_SEATS = prepareStatement(`
  UPDATE seat_usages SET seats = greatest(seats - $2::int, 0) WHERE key = ANY ($1::bytea[])`);

/**
 * SQL that records the subjects of the orders in `ended`, whose holds ended unpaid, once the subquery `after` has locked their stock.
 * They get no offers from the waiting list within the window.
 */
export const toMarkReleasedSql = (ended: string, after: string) => `
  INSERT INTO seat_usages AS u (key, kind, seats, max_seats, window_ends_at)
  SELECT released.key, 'address', 0, released.seats, '-infinity'
  FROM (SELECT key, sum(held.seats)::int AS seats
    FROM ${ended} o CROSS JOIN LATERAL (
      SELECT (SELECT count(*) FROM tickets t WHERE t.order_id = o.id)
        + (SELECT count(*) FROM day_passes p WHERE p.order_id = o.id) AS seats) held
      CROSS JOIN LATERAL unnest(o.seat_keys) AS counted(key)
    WHERE ${after} >= 0 GROUP BY 1) released
  ORDER BY released.key
  ON CONFLICT (key) DO UPDATE SET released_seats = u.released_seats + excluded.max_seats`;

/**
 * Returns whether `takeSeats` can count these seats. Only the visitor's own seats reject the request. Anyone can enter an email
 * address, and a rejection would reveal that it has reserved seats. Call it in a transaction that has locked the event, so that
 * others can only return seats until it ends.
 *
 * @throws CONFLICT (SEAT_LIMIT_REACHED) if the request is rejected for each address, whatever seats it has
 */
export async function canTakeSeats(
  ctx: Context,
  limits: SeatLimit[],
  { seats, windowHours }: { seats: number; windowHours: number },
): Promise<boolean> {
  if (limits.length === 0) return true;
  const claim = { limits, windowHours, left: null };
  const request = { seats, at: ctx.now().getTime() };
  const usages = await findSeatUsages(ctx, limits);
  const visitorUsages = new Map(usages);
  for (const { key, kind } of limits) if (kind === 'email') visitorUsages.delete(key);
  if (countSeats(visitorUsages, claim, request) === null)
    throw toSeatLimitError(ctx, claim, visitorUsages);
  return countSeats(usages, claim, request) !== null;
}

/**
 * Counts seats that are not sold, for waiting-list entries. Call it in a transaction that has locked the event.
 * @throws CONFLICT (SEAT_LIMIT_REACHED).
 */
export async function takeSeats(
  ctx: Context,
  limits: SeatLimit[],
  { seats, windowHours }: { seats: number; windowHours: number },
): Promise<void> {
  if (limits.length === 0) return;
  const claim = { limits, windowHours, left: null };
  const usages = await lockSeatUsages(
    ctx.lockingSql,
    limits.map(({ key }) => key),
  );
  const counted = countSeats(usages, claim, { seats, at: ctx.now().getTime() });
  if (counted === null) throw await seatLimitReached(ctx, claim);
  await ctx.lockingSql(WRITE_USAGES, [JSON.stringify(counted)]);
}

/**
 * Counts the seats of an entry against the limits of who changes it, instead of the counters that included them before. So paying
 * returns all of them to the counters that include them.
 * @throws CONFLICT (SEAT_LIMIT_REACHED).
 */
export async function moveSeats(
  ctx: Context,
  previous: { keys: string[]; seats: number },
  limits: SeatLimit[],
  claim: { seats: number; windowHours: number },
): Promise<void> {
  const keys = limits.map(({ key }) => key);
  // All of them at once, in the order of their keys, which prevents deadlocks.
  await lockSeatUsages(ctx.lockingSql, [...new Set([...previous.keys, ...keys])]);
  await ctx.lockingSql(RETURN_COUNTED_SEATS, [previous.keys, previous.seats]);
  await takeSeats(ctx, limits, claim);
}

/** Returns the error for a reached limit, with the seats that are reserved now. */
export const seatLimitReached = async (ctx: Context, claim: SeatClaim): Promise<DomainError> =>
  toSeatLimitError(ctx, claim, await findSeatUsages(ctx, claim.limits));

const findSeatUsages = async ({ pipelinedSql }: Context, limits: SeatLimit[]) =>
  toUsages(await pipelinedSql(FIND_USAGES, [limits.map(({ key }) => key)]));

/**
 * Returns the error for a reached limit. It contains how many seats the buyer can still order and when the last window
 * ends. It does not name the limit, since a script would then evade exactly that one.
 */
function toSeatLimitError(
  ctx: Context,
  { limits, windowHours, left }: SeatClaim,
  usages: SeatUsages,
): DomainError {
  const now = ctx.now().getTime();
  const current = new Map([...usages].filter(([, { endsAt }]) => endsAt > now));
  const room = limits.map((limit) => {
    const used = current.get(limit.key)?.seats ?? 0;
    return toMaxSeats(limit, { left, used }) - used;
  });
  const maxQuantity = Math.max(0, Math.min(...room));
  const ends = [...current.values()].map(({ endsAt }) => endsAt);
  const until = new Date(ends.length > 0 ? Math.max(...ends) : now + windowHours * HOUR_MS);
  const retryAt = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new DomainError(
    'CONFLICT',
    maxQuantity > 0
      ? `For now you can reserve at most ${maxQuantity} more. Unpaid and free seats count, and those on waiting lists. Choose ${maxQuantity} or fewer, pay for unpaid orders, or try again after ${retryAt}.`
      : `You or others on your network have reserved as many seats as is allowed for now. Unpaid and free seats count, and those on waiting lists. Pay for unpaid orders, sign in if you are a member, try again after ${retryAt}, or ask the organizer.`,
    { reason: 'SEAT_LIMIT_REACHED', maxQuantity, retryAt: until.toISOString() },
  );
}
