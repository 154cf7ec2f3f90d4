import { z } from 'zod';
import { canReadCodes } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Member } from '../../db/generated/client.ts';
import { toRestQuery, toRestSchema } from '../../rest/input-schema.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import { createMemberInput, memberFilter } from './inputs.ts';
import { MEMBER_STATUSES, memberRow } from './rows.ts';
import { listMembers } from './service/list-members.ts';
import { createMember } from './service/members.ts';

const fields = showRestFields(memberRow);

const memberSchema = z
  .object({
    ...fields.shape,
    code: z.string().nullable().meta({
      description:
        "The content of the member's QR code. null without members:write and check-ins:write.",
    }),
  })
  .meta({ id: 'Member' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/members',
    access: 'members:read',
    summary: 'List members, sorted by name',
    query: toRestQuery(
      memberFilter
        .pick({ q: true })
        .extend({ status: z.enum(MEMBER_STATUSES).optional(), ...pageParameters }),
    ),
    data: z.object({ members: z.array(memberSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, q, status } }) => {
      const filter = { q, status: status && [status] };
      const page = await listMembers(ctx, filter, { limit, cursor });
      return {
        data: toPaginatedObject('members', page, {
          limit,
          serialize: (member) => toMemberJson(ctx, member),
        }),
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/members',
    access: 'members:write',
    summary: 'Create a member',
    query: emptyQuery,
    body: toRestSchema(
      createMemberInput.pick({ name: true, email: true, phone: true, company: true }),
    ),
    status: 201,
    data: z.object({ member: memberSchema }),
    handler: async (ctx, { body }) => ({
      data: { member: toMemberJson(ctx, await createMember(ctx, body)) },
    }),
  }),
];

const toMemberJson = ({ viewer }: Context, member: Member) => ({
  ...fields.serialize(member),
  code: canReadCodes(viewer, 'members:write') ? member.code : null,
});
