import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { DomainError } from '../../../errors.ts';
import { KIOSK_ADDRESS_PREFIX, type LocationCaller } from '../caller.ts';

/** As long as a telling counts. */
const LOOKUP_RETENTION_MS = DAY_MS;

/**
 * So many members are told in a day without anybody arriving: to one address, wherever, at one location, and to all paired
 * kiosks of one location together. Three hundred people a day are a busy entrance: a hundred of them also leave by their
 * names, some fifty ask for a host, and every third question names somebody else besides; a large location has two of them.
 * Whoever pairs more kiosks, or carries one off, learns no more.
 */
const LOOKUP_BUDGETS = {
  names: { address: 40, location: 80, kiosks: 400 },
  exact: { address: 10, location: 20, kiosks: 100 },
};

/** Of those who were told when somebody did arrive, so many count for nothing. */
const ARRIVAL_CREDIT = { address: 300, location: 600, kiosks: 1_800 };

/** As where lookups that count for nobody come from. */
export const UNCOUNTED_ADDRESS = '';

/** Whose share is counted besides that of the address: the kiosks of a location have one of their own. */
export const toBudgetKey = ({ locationId, address, isKiosk }: LocationCaller) =>
  isKiosk ? address : locationId;

/**
 * When a member was last told there, and when last to somebody who arrived, in milliseconds since 1970. What kiosks were
 * told does not count at their location.
 */
interface Disclosure {
  toAddress: string | null;
  toArrivedFromAddress: string | null;
  atLocation: string | null;
  toArrivedAtLocation: string | null;
}

/** Who asks from the same address or at the same location waits until this transaction ends: what is counted stays so. */
export async function lockBudgets({ db }: Context, asking: LocationCaller): Promise<void> {
  const [place, address] = [toBudgetKey(asking), asking.address];
  await db.$queryRawUnsafe(LOCK_BUDGETS, `lookups at ${place}`, `lookups from ${address}`);
}

/**
 * Throws RATE_LIMITED, reason `LOOKUPS_USED_UP`, unless a whole answer of so many still fits. Whom the answer would name
 * makes no difference: else the refusal itself would say that somebody is there.
 */
export async function assertBudgetLeft(
  { db, now }: Context,
  { locationId, address, isKiosk }: LocationCaller,
  most: number,
  exact: boolean,
): Promise<void> {
  const at = now().getTime();
  const since = new Date(at - LOOKUP_RETENTION_MS).toISOString();
  const told = await db.$queryRawUnsafe<Disclosure[]>(
    READ_DISCLOSURES,
    locationId,
    address,
    exact,
    since,
  );
  const budget = exact ? LOOKUP_BUDGETS.exact : LOOKUP_BUDGETS.names;
  const freeOf = (share: keyof typeof ARRIVAL_CREDIT, times: DisclosureTimes) =>
    findAvailableAt(times, ARRIVAL_CREDIT[share], budget[share] - most);
  const toCaller: DisclosureTimes = told.map((it) => [it.toAddress, it.toArrivedFromAddress]);
  const atLocation: DisclosureTimes = told.map((it) => [it.atLocation, it.toArrivedAtLocation]);
  const free = isKiosk
    ? freeOf('kiosks', toCaller)
    : Math.max(freeOf('address', toCaller), freeOf('location', atLocation));
  if (free === 0) return;
  throw new DomainError(
    'RATE_LIMITED',
    exact
      ? 'Too many have been looked up today without coming in. Check in with the code itself, or ask at the desk.'
      : 'Too many names have been looked up today without anybody coming in. Type the whole e-mail address, show the code, or ask at the desk.',
    {
      reason: 'LOOKUPS_USED_UP',
      retryAfterSeconds: Math.max(1, Math.ceil((free + LOOKUP_RETENTION_MS - at) / 1000)),
    },
  );
}

type DisclosureTimes = [told: string | null, toArrived: string | null][];

/**
 * The telling after whose forgetting no more than `most` are left; 0 where it is so already. The oldest of those beyond the
 * credit count: with them the excess goes.
 */
function findAvailableAt(times: DisclosureTimes, credit: number, most: number): number {
  const arrived = toSortedMillis(
    times.map(([told, toArrived]) => (told === null ? toArrived : null)),
  );
  const excess = arrived.slice(0, Math.max(0, arrived.length - credit)).map(String);
  const told = toSortedMillis([...times.map(([told]) => told), ...excess]);
  return told[told.length - most - 1] ?? 0;
}

const toSortedMillis = (times: (string | null)[]) =>
  times
    .filter((time) => time !== null)
    .map(Number)
    .sort((one, other) => one - other);

/** Timed work: takes away what counts no longer and says how much it was. */
export async function purgeLookups({ db, now }: Context): Promise<number> {
  const { count } = await db.lookupHandle.deleteMany({
    where: { createdAt: { lte: new Date(now().getTime() - LOOKUP_RETENTION_MS) } },
  });
  return count;
}

// First the location, then the address: who holds an address waits for nobody.
const LOCK_BUDGETS = `
  SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))::text, pg_advisory_xact_lock(hashtextextended($2::text, 0))::text`;

const toMillisSql = (of: string) =>
  `round(extract(epoch FROM max(created_at) FILTER (WHERE ${of})) * 1000)::text`;

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
