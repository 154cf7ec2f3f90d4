import { z } from 'zod';
import { listed, noQuery, pageQuery, pagination, route } from '../../rest/route.ts';
import { instant } from '../../rest/shapes.ts';
import { text } from '../../validation.ts';
import { instantOf } from '../../values.ts';
import * as members from './service.ts';
import { MEMBER_STATUSES } from './statuses.ts';

const member = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    status: z.enum(MEMBER_STATUSES),
    code: z.string().meta({ description: "What the member's QR code says" }),
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
      return { data: listed('members', page, { limit, write }) };
    },
  }),
  route({
    method: 'POST',
    path: '/members',
    access: 'members:write',
    summary: 'Adds a member',
    query: noQuery,
    body: z.strictObject({
      name: text(200),
      email: z.email().max(254),
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
      return { data: { member: write(added) } };
    },
  }),
];

const write = (it: members.Member) => ({
  id: it.id,
  name: it.name,
  email: it.email,
  phone: it.phone,
  company: it.company,
  status: it.status,
  code: it.code,
  created_at: instantOf(it.createdAt),
});
