import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound } from '../../../errors.ts';
import type { CheckIn } from '../types.ts';
import { checkIn } from './check-in.ts';

/**
 * Checks in the person of an unconfirmed visit, as staff can see that they are there. All rules apply, and the result is that
 * of the check-in. The unconfirmed visit stays open, but lists and figures show the confirmed one in its place.
 * @throws NOT_FOUND for an id without an unconfirmed visit.
 */
export async function confirmVisit(ctx: Context, id: string): Promise<CheckIn> {
  const visit = isUuid(id)
    ? await ctx.db.checkIn.findFirst({ where: { id, unconfirmed: true } })
    : null;
  const memberId = visit?.memberId ?? visit?.hostId;
  if (visit === null || memberId == null) throw notFound('check-in');
  const { locationId, subject, label } = visit;
  const visitor = subject === 'visitor' && label !== null ? { name: label } : undefined;
  return checkIn(ctx, { locationId, credential: { memberId }, visitor });
}
