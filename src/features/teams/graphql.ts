import { z } from 'zod';
import { boundedText, ignoreNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateField, toNamePosition } from '../../graphql/connections.ts';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from './service.ts';

const READ = { access: 'members:read' } as const;
const WRITE = { access: 'members:write' } as const;

// The field `members` is added in members/graphql, which imports this file.
export const Team = builder.objectRef<{ id: string; name: string }>('Team');
Team.implement({
  description: 'Members who can share a membership',
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
});

builder.queryField('teams', (t) =>
  t.connection({
    type: Team,
    description: 'Teams by name',
    authScopes: READ,
    ...paginateField(listTeams, toNamePosition),
  }),
);

builder.queryField('team', (t) =>
  t.field({
    type: Team,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getTeam(ctx, id),
  }),
);

const CreateTeamInput = builder.inputType('CreateTeamInput', {
  fields: (t) => ({ name: t.string({ required: true }) }),
});

const name = boundedText(200);

builder.mutationField('createTeam', (t) =>
  t.field({
    type: Team,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateTeamInput, required: true }) },
    resolve: (_, { input }, { ctx }) => createTeam(ctx, parseInput(z.object({ name }), input)),
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
      updateTeam(ctx, id, parseInput(z.object({ name: ignoreNull(name) }), input)),
  }),
);

builder.mutationField('deleteTeam', (t) =>
  t.field({
    type: Team,
    description:
      'Deletes a team and returns it. Its members stay. Rejected when it has a membership, even one that has ended.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteTeam(ctx, id),
  }),
);
