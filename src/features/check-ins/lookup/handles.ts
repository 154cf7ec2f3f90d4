import type { Context } from '../../../context.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { LookupHandle } from '../../../db/generated/client.ts';
import type { CheckInResult } from '../types.ts';

/** Who comes in only to leave again has not come. */
export const MIN_STAY_MS = 30 * MINUTE_MS;

/**
 * Uses a handle up, whatever comes of it. By the clock of now, however long ago it is said to have been. Answers with
 * why it cannot be used, or null.
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

/** What was told together was told to somebody who came in. */
export const creditArrival = ({ db }: Context, { lookupId }: LookupHandle) =>
  db.lookupHandle.updateMany({ where: { lookupId }, data: { arrived: true } });

/**
 * What was told to somebody who only came in to be told more counts again. By when it was done, never by when it is said
 * to have been: the handle was used in the same request that wrote the visit down.
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
