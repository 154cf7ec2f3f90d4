import { z } from 'zod';
import { toRestQuery, toRestSchema } from '../../rest/input-schema.ts';
import { idsParameter, readObjectsById } from '../../rest/read-objects.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { createMemberInput, memberFilter } from './inputs.ts';
import { memberObject, memberSchema, toVisibleMember } from './rest-object.ts';
import { listMembers, memberList } from './service/list-members.ts';
import { createMember } from './service/members.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/members',
    access: 'members:read',
    summary: 'List members',
    description: 'Sorted by name.',
    query: toRestQuery(
      memberFilter.pick({ q: true, status: true }).extend({ ids: idsParameter, ...pageParameters }),
    ),
    data: z.object({
      members: z.array(memberSchema).meta({ description: 'One page of the members' }),
      pagination: paginationSchema,
    }),
    handler: async (ctx, { query: { ids, limit, cursor, ...filter } }) => {
      if (ids) {
        const source = { list: memberList, object: memberObject };
        const members = await readObjectsById(ctx, source, ids, filter);
        return { data: { members, pagination: { limit, next_cursor: null } } };
      }
      const page = await listMembers(ctx, filter, { limit, cursor });
      return {
        data: toPaginatedObject('members', page, {
          limit,
          serialize: (member) => toVisibleMember(ctx, member),
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
    body: toRestSchema(createMemberInput.omit({ teamId: true, sendWelcomeEmail: true })),
    status: 201,
    data: z.object({ member: memberSchema.meta({ description: 'The new member' }) }),
    handler: async (ctx, { body }) => ({
      data: { member: toVisibleMember(ctx, await createMember(ctx, body)) },
    }),
  }),
];
