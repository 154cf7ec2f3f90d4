import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import {
  definite,
  emailAddress,
  personName,
  text,
  unlessNull,
  valid,
} from '../../../validation.ts';
import { Member, MemberStatus } from '../graphql.ts';
import * as members from '../service.ts';
import { MEMBER_STATUSES } from '../statuses.ts';

const WRITE = { access: 'members:write' } as const;

const CreateMemberInput = builder.inputType('CreateMemberInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    email: t.string({ required: true }),
    phone: t.string(),
    company: t.string(),
    teamId: t.id(),
  }),
});

const name = personName;
const email = emailAddress;
const phone = text(50);
const company = text(200);

const createInput = z.object({
  name,
  email,
  phone: phone.optional(),
  company: company.optional(),
  teamId: z.uuid().optional(),
});

builder.mutationField('createMember', (t) =>
  t.field({
    type: Member,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateMemberInput, required: true }) },
    resolve: (_, { input }, { ctx }) => members.create(ctx, valid(createInput, definite(input))),
  }),
);

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'What is left out stays; null empties phone, company and team',
  fields: (t) => ({
    name: t.string(),
    email: t.string(),
    phone: t.string(),
    company: t.string(),
    status: t.field({ type: MemberStatus, description: 'Former members are signed out' }),
    teamId: t.id(),
  }),
});

const changes = z.object({
  name: unlessNull(name),
  email: unlessNull(email),
  phone: phone.nullish(),
  company: company.nullish(),
  status: unlessNull(z.enum(MEMBER_STATUSES)),
  teamId: z.uuid().nullish(),
});

builder.mutationField('updateMember', (t) =>
  t.field({
    type: Member,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateMemberInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) => members.update(ctx, id, valid(changes, input)),
  }),
);
