import type { Context } from '../../context.ts';
import type { Member } from '../../db/generated/client.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { createMemberInput, memberFilter, memberIdInput, updateMemberInput } from './inputs.ts';
import { toVisibleMember } from './rest-object.ts';
import { listMembers } from './service/list-members.ts';
import { createMember, getMember, updateMember } from './service/members.ts';

export const tools = [
  defineTool({
    name: 'list_members',
    description: 'Search members by name, email address, company, phone or team.',
    access: 'members:read',
    effect: 'read',
    input: toRestSchema(
      memberFilter
        .pick({ q: true, status: true, planId: true, withoutPlan: true, teamId: true })
        .extend(pageInput),
    ),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage('members', await listMembers(ctx, filter, { limit, cursor }), (member) =>
        toVisibleMember(ctx, member),
      ),
  }),
  defineTool({
    name: 'get_member',
    description: 'Get a member.',
    access: 'members:read',
    effect: 'read',
    input: toRestSchema(memberIdInput),
    handler: async (ctx, { id }) => toMemberResult(ctx, await getMember(ctx, id)),
  }),
  defineTool({
    name: 'create_member',
    description: 'Add a member.',
    access: 'members:write',
    effect: 'write',
    input: toRestSchema(createMemberInput),
    handler: async (ctx, input) => toMemberResult(ctx, await createMember(ctx, input)),
  }),
  defineTool({
    name: 'update_member',
    description:
      'Change a member. Omitted fields stay; null clears. A new address may need confirmation.',
    access: 'members:write',
    effect: 'destructive',
    input: toRestSchema(updateMemberInput),
    handler: async (ctx, { id, ...change }) =>
      toMemberResult(ctx, await updateMember(ctx, id, change)),
  }),
];

const toMemberResult = (ctx: Context, member: Member) => ({ member: toVisibleMember(ctx, member) });
