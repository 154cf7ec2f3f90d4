import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolObject, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import { membershipFilter, planFilter } from './inputs.ts';
import { membershipRow, planRow } from './rows.ts';
import { type Membership, membershipList } from './service/find-memberships.ts';
import { type Plan, planList } from './service/plans.ts';

const planFields = showRestFields(planRow);
const membershipFields = showRestFields(membershipRow);

export const tools = [
  defineTool({
    name: 'list_plans',
    description: 'List plans, with prices and benefits.',
    access: 'plans:read',
    effect: 'read',
    input: toRestSchema(planFilter.pick({ active: true }).extend(pageInput)),
    handler: async (ctx, { active, ...page }) =>
      toToolPage('plans', await listRows(ctx, planList, { active }, page), toPlanResult),
  }),
  defineTool({
    name: 'list_memberships',
    description: 'List which members and teams have which plan, latest start first.',
    access: 'members:read',
    effect: 'read',
    input: toRestSchema(
      membershipFilter
        .pick({ memberId: true, teamId: true, planId: true, activeOn: true })
        .extend(pageInput),
    ),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'memberships',
        await listRows(ctx, membershipList, filter, { limit, cursor }),
        toMembershipResult,
      ),
  }),
];

const toPlanResult = (plan: Plan) => ({
  ...planFields.serialize(plan),
  price: plan.price,
  ...toToolObject({ benefits: plan.benefits }),
});

const toMembershipResult = (membership: Membership) => ({
  ...membershipFields.serialize(membership),
  plan_id: membership.planId,
  member_id: membership.memberId,
  team_id: membership.teamId,
});
