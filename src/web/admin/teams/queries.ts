import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { TeamChoicesQuery, TeamsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Team = TeamsQuery['teams']['edges'][number]['node'];
export type TeamChoice = TeamChoicesQuery['teams']['edges'][number]['node'];

const TEAM_CHOICES_QUERY = graphql(`
  query TeamChoices($after: String) {
    teams(first: 100, after: $after) {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** All teams, for selection. */
export const useTeamChoices = () =>
  useQuery({
    queryKey: ['teams', 'choices'],
    queryFn: ({ signal }) =>
      fetchAllPages<TeamChoice>(
        async (after) => (await request(TEAM_CHOICES_QUERY, { after }, signal)).teams,
        signal,
      ),
  });

const TEAMS_QUERY = graphql(`
  query Teams($after: String) {
    teams(first: 20, after: $after) {
      edges {
        node {
          id
          name
          members {
            id
            name
          }
          memberships {
            ...Membership
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useTeams = () =>
  useQuery({
    queryKey: ['teams', 'whole'],
    queryFn: ({ signal }) =>
      fetchAllPages<Team>(
        async (after) => (await request(TEAMS_QUERY, { after }, signal)).teams,
        signal,
      ),
  });

const CREATE_TEAM_MUTATION = graphql(`
  mutation CreateTeam($name: String!) {
    createTeam(input: { name: $name }) {
      id
      name
    }
  }
`);

const RENAME_TEAM_MUTATION = graphql(`
  mutation RenameTeam($id: ID!, $name: String!) {
    updateTeam(id: $id, input: { name: $name }) {
      id
      name
    }
  }
`);

const DELETE_TEAM_MUTATION = graphql(`
  mutation DeleteTeam($id: ID!) {
    deleteTeam(id: $id) {
      id
    }
  }
`);

const TEAM_QUERY_KEYS = [['teams'], ['members']];

/** Creates a team, or renames the one with the given id. */
export const useSaveTeam = (onSuccess: (team: TeamChoice) => void) =>
  useRefetchingMutation(
    async ({ id, name }: { id?: string | undefined; name: string }) =>
      id === undefined
        ? (await request(CREATE_TEAM_MUTATION, { name })).createTeam
        : (await request(RENAME_TEAM_MUTATION, { id, name })).updateTeam,
    TEAM_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteTeam = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_TEAM_MUTATION, { id }),
    TEAM_QUERY_KEYS,
    onSuccess,
  );
