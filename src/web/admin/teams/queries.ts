import { useQuery } from '@tanstack/react-query';
import { type RecordChange, useRefetchingMutation } from '../../api/mutations.ts';
import { fetchAllPages, fetchRemainingPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateTeamInput,
  TeamChoicesFragment,
  TeamsQuery,
  UpdateTeamInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Team = TeamsQuery['teams']['edges'][number]['node'];
export type TeamChoice = TeamChoicesFragment['edges'][number]['node'];

graphql(`
  fragment TeamChoices on TeamConnection {
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
`);

const TEAM_CHOICES_QUERY = graphql(`
  query TeamChoices($after: String) {
    teams(first: 100, after: $after) {
      ...TeamChoices
    }
  }
`);

const fetchTeamChoices = async (after: string | null, signal: AbortSignal) =>
  (await request(TEAM_CHOICES_QUERY, { after }, signal)).teams;

/** Adds the teams that did not fit into the first page, which came with other data. */
export const fetchRemainingTeams = (first: TeamChoicesFragment, signal: AbortSignal) =>
  fetchRemainingPages<TeamChoice>(first, fetchTeamChoices, signal);

/** All teams, for selection. */
export const useTeamChoices = () =>
  useQuery({
    queryKey: ['teams', 'choices'],
    queryFn: ({ signal }) => fetchAllPages<TeamChoice>(fetchTeamChoices, signal),
  });

const TEAMS_QUERY = graphql(`
  query Teams($after: String) {
    teams(first: 10, after: $after) {
      edges {
        node {
          id
          name
          address
          postcode
          city
          country
          customerNumber
          updatedAt
          members(first: 20) {
            nodes {
              id
              name
            }
            totalCount {
              value
            }
          }
          memberships(first: 5) {
            nodes {
              ...Membership
            }
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
    queryKey: ['teams', 'list'],
    queryFn: ({ signal }) =>
      fetchAllPages<Team>(
        async (after) => (await request(TEAMS_QUERY, { after }, signal)).teams,
        signal,
      ),
  });

const CREATE_TEAM_MUTATION = graphql(`
  mutation CreateTeam($input: CreateTeamInput!) {
    createTeam(input: $input) {
      team {
        id
        name
      }
    }
  }
`);

const RENAME_TEAM_MUTATION = graphql(`
  mutation RenameTeam($input: UpdateTeamInput!) {
    updateTeam(input: $input) {
      team {
        id
        name
      }
    }
  }
`);

const DELETE_TEAM_MUTATION = graphql(`
  mutation DeleteTeam($id: ID!) {
    deleteTeam(input: { id: $id }) {
      deletedTeamId
    }
  }
`);

const TEAM_QUERY_KEYS = [['teams'], ['members']];

/** Creates a team, or renames the one with the given id. */
export const useSaveTeam = (onSuccess: (team: TeamChoice) => void) =>
  useRefetchingMutation(
    async (change: RecordChange<CreateTeamInput, UpdateTeamInput>) =>
      'create' in change
        ? (await request(CREATE_TEAM_MUTATION, { input: change.create })).createTeam.team
        : (await request(RENAME_TEAM_MUTATION, { input: change.update })).updateTeam.team,
    TEAM_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteTeam = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_TEAM_MUTATION, { id }),
    TEAM_QUERY_KEYS,
    onSuccess,
  );
