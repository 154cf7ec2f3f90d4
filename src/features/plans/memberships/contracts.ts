import type { Ctx } from '../../../context.ts';
import { type Day, fromColumn } from '../../../dates.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid } from '../../../values.ts';
import { keepTeam } from '../../teams/service.ts';
import { meets } from './membership.ts';

/** Either a member or a team. */
interface Holder {
  memberId: string | null;
  teamId: string | null;
}

/** Throws VALIDATION for both or neither. */
export function holderOf(input: {
  memberId?: string | undefined;
  teamId?: string | undefined;
}): Holder {
  const { memberId = null, teamId = null } = input;
  if ((memberId === null) !== (teamId === null)) return { memberId, teamId };
  throw new DomainError('VALIDATION', 'Name either a memberId or a teamId.', {
    reason: 'MEMBER_OR_TEAM',
  });
}

/** Throws VALIDATION. */
export function checkDays(startsOn: Day, endsOn: Day | null): void {
  if (endsOn === null || endsOn >= startsOn) return;
  throw new DomainError(
    'VALIDATION',
    `endsOn: must not lie before startsOn, which is ${startsOn}.`,
    {
      reason: 'ENDS_BEFORE_START',
    },
  );
}

/** Until the transaction is over nobody withdraws the plan or deletes the holder. Throws NOT_FOUND, VALIDATION. */
export async function keep(ctx: Ctx, planId: string, holder: Holder): Promise<void> {
  const [plan] = isUuid(planId)
    ? await ctx.db.$queryRaw<
        { name: string; active: boolean }[]
      >`SELECT name, active FROM plans WHERE id = ${planId}::uuid FOR SHARE`
    : [];
  if (plan === undefined) throw notFound('plan');
  if (!plan.active) {
    throw new DomainError(
      'VALIDATION',
      `The plan ${plan.name} is no longer offered. Choose another one, or make it active again.`,
      { reason: 'PLAN_INACTIVE' },
    );
  }
  if (holder.memberId !== null) await keepMember(ctx, holder.memberId);
  if (holder.teamId !== null) await keepTeam(ctx, holder.teamId);
}

async function keepMember({ db }: Ctx, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM members WHERE id = ${id}::uuid FOR KEY SHARE`
    : [];
  if (rows.length === 0) throw notFound('member');
}

/** Says with which contract these days collide. */
export async function overlapping(
  { db }: Ctx,
  holder: Holder,
  startsOn: Day,
  endsOn: Day | null,
  except?: string,
): Promise<DomainError> {
  const other = await db.membership.findFirst({
    where: { ...holder, ...meets(startsOn, endsOn), ...(except && { id: { not: except } }) },
    select: { id: true, startsOn: true, endsOn: true, plan: { select: { name: true } } },
    orderBy: { startsOn: 'asc' },
  });
  const details = { reason: 'MEMBERSHIP_OVERLAPS' as const };
  if (other === null) {
    return new DomainError(
      'CONFLICT',
      'There was a membership for these days. Try again.',
      details,
    );
  }
  const from = fromColumn(other.startsOn);
  const to = other.endsOn && fromColumn(other.endsOn);
  return new DomainError(
    'CONFLICT',
    `There is a membership on the plan ${other.plan.name} from ${from}${to ? ` to ${to}` : ''}. End it before, or choose other days.`,
    { ...details, with: { id: other.id, plan: other.plan.name, startsOn: from, endsOn: to } },
  );
}
