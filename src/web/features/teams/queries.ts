import { useQuery } from '@tanstack/react-query';
import { useSeenChange } from '../../api/change.ts';
import { everyPage } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { TeamChoicesQuery, TeamsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Team = TeamsQuery['teams']['edges'][number]['node'];
export type TeamChoice = TeamChoicesQuery['teams']['edges'][number]['node'];

const CHOICES = graphql(`
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

/** The short list that teams are chosen from. */
export const useTeamChoices = () =>
  useQuery({
    queryKey: ['teams', 'choices'],
    queryFn: ({ signal }) =>
      everyPage<TeamChoice>(
        async (after) => (await request(CHOICES, { after }, signal)).teams,
        signal,
      ),
  });

const LIST = graphql(`
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
      everyPage<Team>(async (after) => (await request(LIST, { after }, signal)).teams, signal),
  });

const CREATE = graphql(`
  mutation CreateTeam($name: String!) {
    createTeam(input: { name: $name }) {
      id
      name
    }
  }
`);

const RENAME = graphql(`
  mutation RenameTeam($id: ID!, $name: String!) {
    updateTeam(id: $id, input: { name: $name }) {
      id
      name
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteTeam($id: ID!) {
    deleteTeam(id: $id) {
      id
    }
  }
`);

const AFFECTED = [['teams'], ['members']];

/** Makes one, or renames the one that is named. */
export const useSaveTeam = (onSuccess: (team: TeamChoice) => void) =>
  useSeenChange(
    async ({ id, name }: { id?: string | undefined; name: string }) =>
      id === undefined
        ? (await request(CREATE, { name })).createTeam
        : (await request(RENAME, { id, name })).updateTeam,
    AFFECTED,
    onSuccess,
  );

export const useDeleteTeam = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(DELETE, { id }), AFFECTED, onSuccess);
