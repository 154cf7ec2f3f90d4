import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolObject, toToolPage } from '../../mcp/tool.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import {
  createMembershipInput,
  endMembershipInput,
  membershipFilter,
  planFilter,
} from './inputs.ts';
import { membershipRow, planRow } from './rows.ts';
import { type Membership, membershipList } from './service/find-memberships.ts';
import { createMembership, endMembership } from './service/memberships.ts';
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
      { activeOn: 'YYYY-MM-DD' },
    ),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'memberships',
        await listRows(ctx, membershipList, filter, { limit, cursor }),
        toMembershipObject,
      ),
  }),
  defineTool({
    name: 'create_membership',
    description: 'Give a plan to a member or a team.',
    access: 'members:write',
    effect: 'write',
    input: toRestSchema(createMembershipInput, {
      memberId: 'Either this or team_id',
      startsOn: 'YYYY-MM-DD',
      endsOn: 'The last day',
    }),
    handler: async (ctx, input) => toMembershipResult(await createMembership(ctx, input)),
  }),
  defineTool({
    name: 'end_membership',
    description: 'Set the last day of a membership.',
    access: 'members:write',
    effect: 'destructive',
    input: toRestSchema(endMembershipInput, { endsOn: 'YYYY-MM-DD' }),
    handler: async (ctx, { id, endsOn }) =>
      toMembershipResult(await endMembership(ctx, id, endsOn)),
  }),
];

const toPlanResult = (plan: Plan) => ({
  ...planFields.serialize(plan),
  price: plan.price,
  ...toToolObject({ benefits: plan.benefits }),
});

const toMembershipResult = (membership: Membership) => ({
  membership: toMembershipObject(membership),
});

const toMembershipObject = (membership: Membership) => ({
  ...membershipFields.serialize(membership),
  plan_id: membership.planId,
  member_id: membership.memberId,
  team_id: membership.teamId,
});
