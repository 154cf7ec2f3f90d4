import type { Context } from '../../../../context.ts';
import { DAY_MS } from '../../../../core/time/time-zone.ts';
import { DomainError } from '../../../../errors.ts';
import { KIOSK_ADDRESS_PREFIX, type LocationCaller } from '../../caller.ts';

/** How long a disclosed member counts against the budget. */
const LOOKUP_RETENTION_MS = DAY_MS;

/**
 * How many members lookups can disclose per day without a following arrival: to one address, at one location, and to
 * all paired kiosks of one location together. The kiosk budget allows for two busy entrances with 300 people a day
 * each, of whom a hundred also check out by name and fifty look up a host, while every third lookup discloses another
 * member too. Kiosks share their budget, so pairing more of them, or stealing one, discloses no additional members.
 */
const LOOKUP_BUDGETS = {
  names: { address: 40, location: 80, kiosks: 400 },
  exact: { address: 10, location: 20, kiosks: 100 },
};

/**
 * How many disclosures that led to an arrival are free. An arrival counts only if a paired kiosk checks the member in, or a
 * caller with check-ins:write: without pairing, anyone could report it.
 */
const ARRIVAL_CREDIT = { address: 300, location: 600, kiosks: 1_800 };

/** The address under which lookups without a budget are stored. */
export const UNCOUNTED_ADDRESS = '';

/** Returns the key of the second budget, besides that of the address: the location, or the kiosks of the location. */
export const toBudgetKey = ({ locationId, address, isKiosk }: LocationCaller) =>
  isKiosk ? address : locationId;

/**
 * When a member was last disclosed with and without a following arrival, in milliseconds since 1970. Disclosures to
 * kiosks do not count for the location.
 */
interface Disclosure {
  toAddress: string | null;
  toArrivedFromAddress: string | null;
  atLocation: string | null;
  toArrivedAtLocation: string | null;
}

/** Locks the budgets of the address and the location until the transaction ends, so that the counts stay valid. */
export async function lockBudgets({ db }: Context, caller: LocationCaller): Promise<void> {
  const [key, address] = [toBudgetKey(caller), caller.address];
  await db.$queryRawUnsafe(LOCK_BUDGETS, `lookups at ${key}`, `lookups from ${address}`);
}

/**
 * Checks that the budget has room for `maxMatches` more members. It does not depend on the actual matches, since an
 * error would then reveal whether a member exists.
 * @throws RATE_LIMITED, reason LOOKUPS_USED_UP.
 */
export async function assertBudgetLeft(
  { db, now }: Context,
  { locationId, address, isKiosk }: LocationCaller,
  maxMatches: number,
  exact: boolean,
): Promise<void> {
  const at = now().getTime();
  const since = new Date(at - LOOKUP_RETENTION_MS).toISOString();
  const disclosures = await db.$queryRawUnsafe<Disclosure[]>(
    READ_DISCLOSURES,
    locationId,
    address,
    exact,
    since,
  );
  const budget = exact ? LOOKUP_BUDGETS.exact : LOOKUP_BUDGETS.names;
  const findAvailable = (share: keyof typeof ARRIVAL_CREDIT, times: DisclosureTimes) =>
    findAvailableAt(times, ARRIVAL_CREDIT[share], budget[share] - maxMatches);
  const toCaller: DisclosureTimes = disclosures.map((disclosure) => [
    disclosure.toAddress,
    disclosure.toArrivedFromAddress,
  ]);
  const atLocation: DisclosureTimes = disclosures.map((disclosure) => [
    disclosure.atLocation,
    disclosure.toArrivedAtLocation,
  ]);
  const availableFrom = isKiosk
    ? findAvailable('kiosks', toCaller)
    : Math.max(findAvailable('address', toCaller), findAvailable('location', atLocation));
  if (availableFrom === 0) return;
  throw new DomainError(
    'RATE_LIMITED',
    exact
      ? 'Too many lookups today without a check-in. Check in with your code, or ask at the front desk.'
      : 'Too many lookups by name today without a check-in. Type your full email address, scan your code, or ask at the front desk.',
    {
      reason: 'LOOKUPS_USED_UP',
      retryAfterSeconds: Math.max(1, Math.ceil((availableFrom + LOOKUP_RETENTION_MS - at) / 1000)),
    },
  );
}

type DisclosureTimes = [disclosedAt: string | null, arrivedAt: string | null][];

/**
 * Finds the time of the disclosure whose expiry reduces the count to `max`; 0 if at most `max` count now. Arrivals
 * beyond the credit count too, the oldest first.
 */
function findAvailableAt(times: DisclosureTimes, credit: number, max: number): number {
  const arrived = toSortedMillis(
    times.map(([disclosedAt, arrivedAt]) => (disclosedAt === null ? arrivedAt : null)),
  );
  const excess = arrived.slice(0, Math.max(0, arrived.length - credit)).map(String);
  const counted = toSortedMillis([...times.map(([disclosedAt]) => disclosedAt), ...excess]);
  return counted[counted.length - max - 1] ?? 0;
}

const toSortedMillis = (times: (string | null)[]) =>
  times
    .filter((time) => time !== null)
    .map(Number)
    .sort((a, b) => a - b);

/** Job: deletes handles that no longer count. Returns their number. */
export async function purgeLookups({ db, now }: Context): Promise<number> {
  const { count } = await db.lookupHandle.deleteMany({
    where: { createdAt: { lte: new Date(now().getTime() - LOOKUP_RETENTION_MS) } },
  });
  return count;
}

// Locks the location first, to prevent deadlocks.
const LOCK_BUDGETS = `
  SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))::text, pg_advisory_xact_lock(hashtextextended($2::text, 0))::text`;

const toMillisSql = (condition: string) =>
  `round(extract(epoch FROM max(created_at) FILTER (WHERE ${condition})) * 1000)::text`;

const AT_LOCATION_SQL = `(location_id = $1::uuid AND address NOT LIKE '${KIOSK_ADDRESS_PREFIX}%')`;

const READ_DISCLOSURES = `
  SELECT ${toMillisSql('NOT arrived AND address = $2')} AS "toAddress",
    ${toMillisSql('arrived AND address = $2')} AS "toArrivedFromAddress",
    ${toMillisSql(`NOT arrived AND ${AT_LOCATION_SQL}`)} AS "atLocation",
    ${toMillisSql(`arrived AND ${AT_LOCATION_SQL}`)} AS "toArrivedAtLocation"
  FROM lookup_handles
  WHERE exact = $3::boolean AND address <> '${UNCOUNTED_ADDRESS}' AND created_at > $4::timestamptz
    AND (address = $2 OR ${AT_LOCATION_SQL})
  GROUP BY member_id`;
