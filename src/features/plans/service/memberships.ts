import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import {
  type CalendarDate,
  parseDateColumn,
  toDateColumn,
} from '../../../core/time/calendar-date.ts';
import { formatLongDate } from '../../../core/time/format.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isExclusionViolation, isForeignKeyViolation } from '../../../db/constraint-errors.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import { lockTeam } from '../../teams/service.ts';
import type { createMembershipInput } from '../inputs.ts';
import { getMembership, type Membership, toOverlapCondition } from './find-memberships.ts';

/**
 * Creates a membership of either a member or a team.
 *
 * @throws NOT_FOUND for the plan, member or team; VALIDATION for an inactive plan or an end before the start; CONFLICT,
 *   reason MEMBERSHIP_OVERLAPS, if the holder already has a membership on some of these days
 *
 * @example
 * await createMembership(ctx, { planId, memberId, startsOn: '2026-04-01' });
 */
export async function createMembership(
  ctx: Context,
  input: InputOf<typeof createMembershipInput>,
): Promise<Membership> {
  const { planId, startsOn, endsOn = null } = input;
  const holder = toMembershipHolder(input);
  assertEndsAfterStart(startsOn, endsOn);
  const days = { startsOn: toDateColumn(startsOn), endsOn: endsOn && toDateColumn(endsOn) };
  const id = await runInTransaction(ctx, async (ctx) => {
    await lockPlanAndHolder(ctx, planId, holder);
    // Unlike `create`, this keeps the transaction usable if the exclusion constraint rejects the row.
    const [created] = await ctx.db.membership.createManyAndReturn({
      data: [{ planId, ...holder, ...days }],
      select: { id: true },
      skipDuplicates: true,
    });
    if (created === undefined) throw await toOverlapError(ctx, holder, startsOn, endsOn);
    await recordCreated(ctx, 'membership.created', [created.id]);
    return created.id;
  });
  return getMembership(ctx, id);
}

/**
 * Sets the last day of a membership, even to a later day. Bookings that use it stay unchanged.
 *
 * @throws NOT_FOUND; VALIDATION for a day before its start; CONFLICT, reason MEMBERSHIP_OVERLAPS, when it would overlap
 *   the next membership
 */
export async function endMembership(
  ctx: Context,
  id: string,
  endsOn: CalendarDate,
): Promise<Membership> {
  const { startsOn, memberId, teamId } = await getMembership(ctx, id);
  assertEndsAfterStart(startsOn, endsOn);
  try {
    await runInTransaction(ctx, (ctx) =>
      recordUpdated(ctx, 'membership.ended', [id], () =>
        ctx.db.membership.update({ where: { id }, data: { endsOn: toDateColumn(endsOn) } }),
      ),
    );
  } catch (error) {
    if (!isExclusionViolation(error)) throw error;
    throw await toOverlapError(ctx, { memberId, teamId }, startsOn, endsOn, id);
  }
  return getMembership(ctx, id);
}

/**
 * Deletes a membership that was created by mistake.
 *
 * @throws NOT_FOUND; CONFLICT, reason MEMBERSHIP_USED, when bookings use it
 */
export async function deleteMembership(ctx: Context, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('membership');
  try {
    await runInTransaction(ctx, async (ctx) => {
      await recordDeleted(ctx, 'membership.deleted', [id]);
      const { count } = await ctx.db.membership.deleteMany({ where: { id } });
      if (count === 0) throw notFound('membership');
    });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw membershipUsed();
  }
}

export const membershipUsed = () =>
  new DomainError('CONFLICT', 'Bookings use this membership. End it instead.', {
    reason: 'MEMBERSHIP_USED',
  });

/** Either a member or a team. */
interface MembershipHolder {
  memberId: string | null;
  teamId: string | null;
}

/** Resolves the holder of a membership. @throws VALIDATION if both or neither are given */
function toMembershipHolder({
  memberId = null,
  teamId = null,
}: InputOf<typeof createMembershipInput>): MembershipHolder {
  if ((memberId === null) !== (teamId === null)) return { memberId, teamId };
  throw new DomainError('VALIDATION', 'Specify either memberId or teamId.', {
    reason: 'MEMBER_OR_TEAM',
    fields: ['memberId', 'teamId'],
  });
}

/** Checks that a membership does not end before it starts. @throws VALIDATION */
function assertEndsAfterStart(startsOn: CalendarDate, endsOn: CalendarDate | null): void {
  if (endsOn === null || endsOn >= startsOn) return;
  throw new DomainError(
    'VALIDATION',
    `The last day must not be before the first day, ${formatLongDate(startsOn)}.`,
    { reason: 'ENDS_BEFORE_START', fields: ['endsOn'] },
  );
}

/**
 * Locks the plan and the holder until the transaction ends, so that they cannot be deactivated or deleted.
 *
 * @throws NOT_FOUND, VALIDATION for an inactive plan
 */
export async function lockPlanAndHolder(
  ctx: Context,
  planId: string,
  holder: MembershipHolder,
): Promise<void> {
  const [plan] = isUuid(planId)
    ? await ctx.db.$queryRaw<
        { name: string; active: boolean }[]
      >`SELECT name, active FROM plans WHERE id = ${planId}::uuid FOR SHARE`
    : [];
  if (plan === undefined) throw notFound('plan');
  if (!plan.active) {
    throw new DomainError(
      'VALIDATION',
      `The plan ${plan.name} is inactive. Choose another plan or activate it.`,
      { reason: 'PLAN_INACTIVE', fields: ['planId'] },
    );
  }
  if (holder.memberId !== null) await lockMember(ctx, holder.memberId);
  if (holder.teamId !== null) await lockTeam(ctx, holder.teamId);
}

async function lockMember({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM members WHERE id = ${id}::uuid FOR KEY SHARE`
    : [];
  if (rows.length === 0) throw notFound('member');
}

/** Creates the error for days that overlap another membership of the holder, with its plan and days. */
export async function toOverlapError(
  { db }: Context,
  holder: MembershipHolder,
  startsOn: CalendarDate,
  endsOn: CalendarDate | null,
  excludedId?: string,
): Promise<DomainError> {
  const other = await db.membership.findFirst({
    where: {
      ...holder,
      ...toOverlapCondition(startsOn, endsOn),
      ...(excludedId && { id: { not: excludedId } }),
    },
    select: { id: true, startsOn: true, endsOn: true, plan: { select: { name: true } } },
    orderBy: { startsOn: 'asc' },
  });
  const details = { reason: 'MEMBERSHIP_OVERLAPS' as const };
  if (other === null) {
    return new DomainError(
      'CONFLICT',
      'Another membership covered some of these days. Try again.',
      details,
    );
  }
  const from = parseDateColumn(other.startsOn);
  const to = other.endsOn && parseDateColumn(other.endsOn);
  return new DomainError(
    'CONFLICT',
    `There is already a membership with the plan ${other.plan.name} from ${from}${to ? ` to ${to}` : ''}. End it earlier or choose other days.`,
    { ...details, with: { id: other.id, plan: other.plan.name, startsOn: from, endsOn: to } },
  );
}
