import type { Context } from '../../../context.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { CheckInResult, LookupHandle } from '../../../db/generated/client.ts';

/** A shorter visit does not count as an arrival for lookup budgets. */
export const MIN_STAY_MS = 30 * MINUTE_MS;

/**
 * Consumes a handle, even if the check-in is then rejected. Returns why it cannot be used, or null. Its expiry is
 * compared with the current time, even for an offline scan.
 */
export async function consumeHandle(
  { db, now }: Context,
  { hash, locationId }: LookupHandle,
  here: string,
): Promise<CheckInResult | null> {
  if (locationId !== here) return 'wrong_location';
  const { count } = await db.lookupHandle.updateMany({
    where: { hash, usedAt: null, expiresAt: { gt: now() } },
    data: { usedAt: now() },
  });
  return count === 0 ? 'expired' : null;
}

/** Records that a lookup led to an arrival, so that its disclosures do not count against the budget. */
export const creditArrival = ({ db }: Context, { lookupId }: LookupHandle) =>
  db.lookupHandle.updateMany({ where: { lookupId }, data: { arrived: true } });

/**
 * Revokes the credit for a visit that was too short. Finds the lookup by the time at which the visit was recorded,
 * since the same request used the handle. Clients can choose the time at which the visit began.
 */
export async function revokeArrivalCredit({ db }: Context, { id }: { id: string }): Promise<void> {
  await db.$executeRaw`
    UPDATE lookup_handles SET arrived = false
    WHERE lookup_id IN (
      SELECT h.lookup_id FROM check_ins c JOIN lookup_handles h ON h.location_id = c.location_id
        AND h.member_id = c.member_id
        AND h.used_at BETWEEN c.created_at - interval '1 minute' AND c.created_at + interval '1 minute'
      WHERE c.id = ${id}::uuid)`;
}
