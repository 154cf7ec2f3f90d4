import { Temporal } from 'temporal-polyfill';
import { type Context, runInTransaction } from '../../../context.ts';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { type CalendarDate, toDateColumn } from '../../../core/time/calendar-date.ts';
import { formatLongDate } from '../../../core/time/format.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isExclusionViolation, isForeignKeyViolation } from '../../../db/constraint-errors.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import type { changePlanInput } from '../inputs.ts';
import { getMembership, type Membership } from './find-memberships.ts';
import { lockPlanAndHolder, membershipUsed, toOverlapError } from './memberships.ts';

/**
 * Continues a membership with another plan: it ends the day before, and a new one of the same holder begins, which lasts as
 * long as the old one would have. Bookings that use the old one keep it and their prices.
 *
 * @returns both memberships
 * @throws NOT_FOUND for the membership or the plan; VALIDATION for an inactive plan, reason PLAN_UNCHANGED for the same plan,
 *   and reason OUTSIDE_MEMBERSHIP for a day on which the membership cannot continue; CONFLICT, reason MEMBERSHIP_OVERLAPS
 *
 * @example
 * await changePlan(ctx, { id: membership.id, planId: flex.id, startsOn: '2026-12-01' });
 */
export async function changePlan(
  ctx: Context,
  { id, planId, startsOn }: InputOf<typeof changePlanInput>,
): Promise<{ ended: Membership; created: Membership }> {
  const { memberId, teamId } = await getMembership(ctx, id);
  const createdId = await runInTransaction(ctx, async (tx) => {
    await lockPlanAndHolder(tx, planId, { memberId, teamId });
    const created = await recordUpdated(tx, 'membership.ended', [id], () =>
      splitMembership(tx, id, planId, startsOn),
    );
    await recordCreated(tx, 'membership.created', [created]);
    return created;
  });
  return { ended: await getMembership(ctx, id), created: await getMembership(ctx, createdId) };
}

/** Ends a locked membership and inserts the one that continues it. Returns its id. */
async function splitMembership(
  ctx: Context,
  id: string,
  planId: string,
  startsOn: CalendarDate,
): Promise<string> {
  const { db } = ctx;
  const old = await getMembership(ctx, id);
  assertCanContinue(old, planId, startsOn);
  const { memberId, teamId, endsOn } = old;
  const lastDay = Temporal.PlainDate.from(startsOn).subtract({ days: 1 }).toString();
  await db.membership.update({ where: { id }, data: { endsOn: toDateColumn(lastDay) } });
  // Unlike `create`, this keeps the transaction usable if the exclusion constraint rejects the row.
  const [created] = await db.membership.createManyAndReturn({
    data: [
      {
        ...{ planId, memberId, teamId, previousId: id },
        ...{ startsOn: toDateColumn(startsOn), endsOn: endsOn && toDateColumn(endsOn) },
      },
    ],
    select: { id: true },
    skipDuplicates: true,
  });
  if (created === undefined)
    throw await toOverlapError(ctx, { memberId, teamId }, startsOn, endsOn);
  // A change that was scheduled for later continues the new membership.
  await db.$executeRaw`UPDATE memberships SET previous_id = ${created.id}::uuid
    WHERE previous_id = ${id}::uuid AND id <> ${created.id}::uuid`;
  return created.id;
}

function assertCanContinue(
  { planId: oldPlanId, startsOn, endsOn }: Membership,
  planId: string,
  day: CalendarDate,
): void {
  // PostgreSQL returns ids in lower case.
  if (planId.toLowerCase() === oldPlanId)
    throw invalidChange(
      'PLAN_UNCHANGED',
      'planId',
      'The membership has this plan already. Choose another plan.',
    );
  if (day <= startsOn)
    throw invalidChange(
      'OUTSIDE_MEMBERSHIP',
      'startsOn',
      `The membership begins on ${formatLongDate(startsOn)}. Choose a later day, or delete it and start another membership.`,
    );
  if (endsOn !== null && day > endsOn)
    throw invalidChange(
      'OUTSIDE_MEMBERSHIP',
      'startsOn',
      `The membership ends on ${formatLongDate(endsOn)}. Choose an earlier day, or start another membership.`,
    );
}

const invalidChange = (reason: ErrorReason, field: string, message: string) =>
  new DomainError('VALIDATION', message, { reason, fields: [field] });

/**
 * Undoes a change of the plan: deletes the membership with the new plan, and the previous one lasts as long as that one would
 * have.
 *
 * @param id of the membership with the new plan
 * @returns the previous membership
 * @throws NOT_FOUND; CONFLICT, reason NOT_A_PLAN_CHANGE, for a membership that continues no other one, reason MEMBERSHIP_USED
 *   if bookings use it
 */
export async function undoPlanChange(ctx: Context, id: string): Promise<Membership> {
  try {
    const previousId = await runInTransaction(ctx, async (tx) => {
      const { previousId } = await getMembership(tx, id);
      if (previousId === null) throw notAPlanChange();
      await undoLocked(tx, id, previousId);
      return previousId;
    });
    return await getMembership(ctx, previousId);
  } catch (error) {
    if (isForeignKeyViolation(error)) throw membershipUsed();
    if (!isExclusionViolation(error)) throw error;
    const { memberId, teamId, startsOn, endsOn } = await getMembership(ctx, id);
    throw await toOverlapError(ctx, { memberId, teamId }, startsOn, endsOn, id);
  }
}

async function undoLocked(ctx: Context, id: string, previousId: string): Promise<void> {
  const { db } = ctx;
  // In the order in which bookings lock them.
  await db.$queryRaw`SELECT 1 FROM memberships WHERE id IN (${id}::uuid, ${previousId}::uuid) ORDER BY id FOR UPDATE`;
  const { endsOn, previousId: current } = await getMembership(ctx, id);
  if (current !== previousId)
    throw new RetryableConflict(
      { reason: 'TRY_AGAIN' },
      'Someone else is changing this membership. Try again.',
    );
  await recordDeleted(ctx, 'membership.deleted', [id]);
  await db.$executeRaw`UPDATE memberships SET previous_id = ${previousId}::uuid WHERE previous_id = ${id}::uuid`;
  await db.membership.delete({ where: { id } });
  await recordUpdated(ctx, 'membership.ended', [previousId], () =>
    db.membership.update({
      where: { id: previousId },
      data: { endsOn: endsOn && toDateColumn(endsOn) },
    }),
  );
}

const notAPlanChange = () =>
  new DomainError(
    'CONFLICT',
    'This membership does not continue another one. Delete it, or end it.',
    { reason: 'NOT_A_PLAN_CHANGE' },
  );
