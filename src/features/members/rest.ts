import { z } from 'zod';
import { canReadCodes } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { toInstant } from '../../core/time/instant.ts';
import { boundedText, emailAddress, personName } from '../../core/validation.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { instantSchema } from '../../rest/serializers.ts';
import { createMember, listMembers, type Member } from './service.ts';
import { MEMBER_STATUSES } from './types.ts';

const memberSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    email_confirmed: z.boolean().meta({
      description:
        'Whether the member can sign in with it. Members created by a token confirm it first.',
    }),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    status: z.enum(MEMBER_STATUSES),
    code: z.string().nullable().meta({
      description:
        "The content of the member's QR code. null without members:write and check-ins:write.",
    }),
    created_at: instantSchema,
  })
  .meta({ id: 'Member' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/members',
    access: 'members:read',
    summary: 'List members, sorted by name',
    query: z.strictObject({
      q: boundedText(200).optional(),
      status: z.enum(MEMBER_STATUSES).optional(),
      ...pageParameters,
    }),
    data: z.object({ members: z.array(memberSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, ...filter } }) => {
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
    body: z.strictObject({
      name: personName,
      email: emailAddress,
      phone: boundedText(50).nullish(),
      company: boundedText(200).nullish(),
    }),
    status: 201,
    data: z.object({ member: memberSchema }),
    handler: async (ctx, { body: { phone, company, ...input } }) => {
      const member = await createMember(ctx, {
        ...input,
        phone: phone ?? undefined,
        company: company ?? undefined,
      });
      return { data: { member: toMemberJson(ctx, member) } };
    },
  }),
];

const toMemberJson = ({ viewer }: Context, member: Member) => ({
  id: member.id,
  name: member.name,
  email: member.email,
  email_confirmed: member.emailConfirmedAt !== null,
  phone: member.phone,
  company: member.company,
  status: member.status,
  code: canReadCodes(viewer, 'members:write') ? member.code : null,
  created_at: toInstant(member.createdAt),
});
