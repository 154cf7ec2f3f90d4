import type { Team as TeamValue } from '../../db/generated/client.ts';
import { builder, createInputType } from '../../graphql/builder.ts';
import { getOrderEnum, listField, selectById } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { createTeamInput, teamFilter, teamIdInput, updateTeamInput } from './inputs.ts';
import { teamRow } from './rows.ts';
import { createTeam, deleteTeam, getTeam, teamList, updateTeam } from './service.ts';
import { toTeamProjection } from './types.ts';

const READ = { access: 'members:read' } as const;
export const Team = builder.objectRef<TeamValue>('Team');
Team.implement({
  description: 'Members who can share a membership',
  extensions: { projection: toTeamProjection },
  interfaces: [Node],
  fields: (t) => showFields(t, teamRow),
});

const TeamFilter = createInputType('TeamFilter', teamFilter);
const TeamOrder = getOrderEnum('Team', teamList);

builder.queryField('teams', (t) =>
  t.connection({
    type: Team,
    description: 'Teams, sorted by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: TeamFilter, description: 'Which teams to list' }),
      orderBy: t.arg({ type: TeamOrder, description: 'Default: NAME_ASC' }),
    },
    ...listField(teamList),
  }),
);

builder.queryField('team', (t) =>
  t.field({
    type: Team,
    description: 'Gets a team',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the team', required: true }) },
    extensions: { row: selectById(teamList) },
    resolve: (_, { id }, { ctx }) => getTeam(ctx, id),
  }),
);

addMutation('createTeam', {
  description: 'Creates a team',
  access: 'members:write',
  input: createTeamInput,
  payload: { team: { type: Team, description: 'The new team' } },
  creates: { team: teamList },
  resolve: async (input, { ctx }) => ({ team: await createTeam(ctx, input) }),
});

addMutation('updateTeam', {
  description: 'Changes the name of a team',
  access: 'members:write',
  input: updateTeamInput,
  takesVersion: true,
  payload: { team: { type: Team, description: 'The changed team' } },
  resolve: async ({ id, ...change }, { ctx }) => ({ team: await updateTeam(ctx, id, change) }),
});

addMutation('deleteTeam', {
  description:
    'Deletes a team. Its members are kept. Rejected if it has a membership, even one that has ended.',
  access: 'members:write',
  input: teamIdInput,
  payload: { deletedTeamId: { type: 'ID', description: 'The id of the deleted team' } },
  resolve: async ({ id }, { ctx }) => {
    await deleteTeam(ctx, id);
    return { deletedTeamId: id };
  },
});
