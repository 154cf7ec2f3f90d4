import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { byItsName, connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, text, valid } from '../../validation.ts';
import * as members from './service.ts';

const READ = { access: 'members:read' } as const;

type Brief = { id: string; name: string };

/** What a booking says of a member is enough for its name; the rest is loaded when it is asked for. */
const of =
  <T>(pick: (member: members.Member) => T) =>
  (it: Brief, _: unknown, { loaders }: GraphqlContext) =>
    'email' in it ? pick(it as members.Member) : loaders.member.load(it.id).then(pick);

export const MemberStatus = builder.enumType('MemberStatus', {
  values: {
    ACTIVE: { value: 'active' },
    PAUSED: { value: 'paused' },
    FORMER: { value: 'former' },
  } as const,
});

export const Member = builder.objectRef<Brief>('Member');
Member.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.string({ authScopes: READ, resolve: of((member) => member.email) }),
    phone: t.string({ nullable: true, authScopes: READ, resolve: of((member) => member.phone) }),
    company: t.string({
      nullable: true,
      authScopes: READ,
      resolve: of((member) => member.company),
    }),
    status: t.field({
      type: MemberStatus,
      authScopes: READ,
      resolve: of((member) => member.status),
    }),
    code: t.string({
      description: "What the member's QR code says",
      authScopes: READ,
      resolve: of((member) => member.code),
    }),
    createdAt: t.field({
      type: 'DateTime',
      authScopes: READ,
      resolve: of((member) => member.createdAt),
    }),
  }),
});

const MemberFilter = builder.inputType('MemberFilter', {
  fields: (t) => ({
    q: t.string({ description: 'Part of the name or of the e-mail address' }),
    status: t.field({ type: MemberStatus }),
  }),
});

const filter = z.object({
  q: text(200).optional(),
  status: z.enum(['active', 'paused', 'former']).optional(),
});

builder.queryField('members', (t) =>
  t.connection({
    type: Member,
    authScopes: READ,
    complexity: pageComplexity,
    args: { filter: t.arg({ type: MemberFilter }) },
    resolve: async (_, args, { ctx }) =>
      connection(
        await members.list(ctx, valid(filter, definite(args.filter)), pageRequest(args)),
        byItsName,
        args.after,
      ),
  }),
);

const CreateMemberInput = builder.inputType('CreateMemberInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    email: t.string({ required: true }),
    phone: t.string(),
    company: t.string(),
  }),
});

const input = z.object({
  name: text(200),
  email: z.email().max(254),
  phone: text(50).optional(),
  company: text(200).optional(),
});

builder.mutationField('createMember', (t) =>
  t.field({
    type: Member,
    authScopes: { access: 'members:write' },
    args: { input: t.arg({ type: CreateMemberInput, required: true }) },
    resolve: (_, args, { ctx }) => members.create(ctx, valid(input, definite(args.input))),
  }),
);
