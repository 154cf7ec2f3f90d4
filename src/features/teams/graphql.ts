import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { byItsName, paged } from '../../graphql/pages.ts';
import { text, unlessNull, valid } from '../../validation.ts';
import * as teams from './service.ts';

const READ = { access: 'members:read' } as const;
const WRITE = { access: 'members:write' } as const;

// Its members are added by their own noun, which refers to it.
export const Team = builder.objectRef<{ id: string; name: string }>('Team');
Team.implement({
  description: 'Members who share a membership',
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
});

builder.queryField('teams', (t) =>
  t.connection({
    type: Team,
    description: 'By name',
    authScopes: READ,
    ...paged(teams.list, byItsName),
  }),
);

builder.queryField('team', (t) =>
  t.field({
    type: Team,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => teams.get(ctx, id),
  }),
);

const CreateTeamInput = builder.inputType('CreateTeamInput', {
  fields: (t) => ({ name: t.string({ required: true }) }),
});

const name = text(200);

builder.mutationField('createTeam', (t) =>
  t.field({
    type: Team,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateTeamInput, required: true }) },
    resolve: (_, { input }, { ctx }) => teams.create(ctx, valid(z.object({ name }), input)),
  }),
);

const UpdateTeamInput = builder.inputType('UpdateTeamInput', {
  fields: (t) => ({ name: t.string() }),
});

builder.mutationField('updateTeam', (t) =>
  t.field({
    type: Team,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateTeamInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      teams.update(ctx, id, valid(z.object({ name: unlessNull(name) }), input)),
  }),
);

builder.mutationField('deleteTeam', (t) =>
  t.field({
    type: Team,
    description: 'Its members stay. Refused while it has a membership. Answers with what it was.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => teams.remove(ctx, id),
  }),
);
