import { z } from 'zod';
import { canReadCodes } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import { listed, noQuery, pageQuery, pagination, route } from '../../rest/route.ts';
import { instant } from '../../rest/shapes.ts';
import { emailAddress, personName, text } from '../../validation.ts';
import { instantOf } from '../../values.ts';
import * as members from './service.ts';
import { MEMBER_STATUSES } from './statuses.ts';

const member = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    email_confirmed: z.boolean().meta({
      description:
        'Whether the member can sign in with it; members that a token made confirm it first',
    }),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    status: z.enum(MEMBER_STATUSES),
    code: z.string().nullable().meta({
      description: "What the member's QR code says; null without members:write and check-ins:write",
    }),
    created_at: instant,
  })
  .meta({ id: 'Member' });

export const routes = [
  route({
    method: 'GET',
    path: '/members',
    access: 'members:read',
    summary: 'Members, by name',
    query: z.strictObject({
      q: text(200).optional(),
      status: z.enum(MEMBER_STATUSES).optional(),
      ...pageQuery,
    }),
    data: z.object({ members: z.array(member), pagination }),
    answer: async (ctx, { query: { limit, cursor, ...filter } }) => {
      const page = await members.list(ctx, filter, { limit, cursor });
      return { data: listed('members', page, { limit, write: (member) => write(ctx, member) }) };
    },
  }),
  route({
    method: 'POST',
    path: '/members',
    access: 'members:write',
    summary: 'Adds a member',
    query: noQuery,
    body: z.strictObject({
      name: personName,
      email: emailAddress,
      phone: text(50).nullish(),
      company: text(200).nullish(),
    }),
    status: 201,
    data: z.object({ member }),
    answer: async (ctx, { body: { phone, company, ...input } }) => {
      const added = await members.create(ctx, {
        ...input,
        phone: phone ?? undefined,
        company: company ?? undefined,
      });
      return { data: { member: write(ctx, added) } };
    },
  }),
];

const write = ({ viewer }: Ctx, it: members.Member) => ({
  id: it.id,
  name: it.name,
  email: it.email,
  email_confirmed: it.emailConfirmedAt !== null,
  phone: it.phone,
  company: it.company,
  status: it.status,
  code: canReadCodes(viewer, 'members:write') ? it.code : null,
  created_at: instantOf(it.createdAt),
});
