import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { lockLocationVisits } from '../location-lock.ts';
import { isReplacedSql } from '../replaced-visits.ts';
import type { CheckIn } from '../types.ts';
import { checkIn } from './check-in.ts';

/**
 * Checks in the person of an unconfirmed visit, as staff can see that they are there. All rules apply, and the result is that
 * of the check-in. The unconfirmed visit stays open, but lists and figures show the confirmed one in its place.
 * @throws NOT_FOUND for an id without an unconfirmed visit; CONFLICT, reason OVER, if it has ended or is that of a visitor who
 *   has been confirmed.
 */
export async function confirmVisit(ctx: Context, id: string): Promise<CheckIn> {
  const visit = isUuid(id)
    ? await ctx.db.checkIn.findFirst({ where: { id, unconfirmed: true } })
    : null;
  const memberId = visit?.memberId ?? visit?.hostId;
  if (visit === null || memberId == null) throw notFound('check-in');
  const { locationId, subject, label } = visit;
  const visitor = subject === 'visitor' && label !== null ? { name: label } : undefined;
  return runInTransaction(ctx, async (ctx) => {
    await lockLocationVisits(ctx, locationId, visitor ? undefined : { memberId, codes: [] });
    const [open] = await ctx.lockingSql(FIND_OPEN_VISIT, [id, ctx.now().toISOString()]);
    if (open === undefined) throw visitOver();
    return checkIn(ctx, { locationId, credential: { memberId }, visitor });
  });
}

// A member who has been confirmed is already in, which the check-in says. Visitors can have the same name, so it cannot.
const FIND_OPEN_VISIT = prepareStatement(`
  SELECT c.id FROM check_ins c
  WHERE c.id = $1::uuid AND c.checked_out_at IS NULL AND c.auto_check_out_at > $2::timestamptz
    AND NOT (c.subject = 'visitor' AND ${isReplacedSql('c')})`);

const visitOver = () =>
  new DomainError('CONFLICT', 'This visit is over or already confirmed. Reload the list.', {
    reason: 'OVER',
  });
