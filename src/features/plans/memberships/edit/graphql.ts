import { z } from 'zod';
import { builder } from '../../../../graphql/builder.ts';
import { definite, valid } from '../../../../validation.ts';
import { Membership } from '../graphql.ts';
import * as memberships from '../service.ts';

const WRITE = { access: 'members:write' } as const;

const CreateMembershipInput = builder.inputType('CreateMembershipInput', {
  description: 'For either a member or a team',
  fields: (t) => ({
    planId: t.id({ required: true }),
    memberId: t.id(),
    teamId: t.id(),
    startsOn: t.field({ type: 'Date', required: true }),
    endsOn: t.field({ type: 'Date', description: 'The last day; open-ended, if left out' }),
  }),
});

const input = z.object({
  planId: z.uuid(),
  memberId: z.uuid().optional(),
  teamId: z.uuid().optional(),
  startsOn: z.string(),
  endsOn: z.string().optional(),
});

builder.mutationField('createMembership', (t) =>
  t.field({
    type: Membership,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateMembershipInput, required: true }) },
    resolve: (_, args, { ctx }) => memberships.create(ctx, valid(input, definite(args.input))),
  }),
);

builder.mutationField('endMembership', (t) =>
  t.field({
    type: Membership,
    description: 'Sets its last day. Bookings that were made by it stay.',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      endsOn: t.arg({ type: 'Date', required: true }),
    },
    resolve: (_, { id, endsOn }, { ctx }) => memberships.end(ctx, id, endsOn),
  }),
);

builder.mutationField('deleteMembership', (t) =>
  t.boolean({
    description:
      'Takes one away that was made by mistake. Refused once something was booked by it.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { ctx }) => {
      await memberships.remove(ctx, id);
      return true;
    },
  }),
);
