import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { CalendarFeedsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type CalendarFeed = CalendarFeedsQuery['calendarFeeds']['edges'][number]['node'];

const KEY = 'calendar-feeds';

const LIST = graphql(`
  query CalendarFeeds($memberId: ID!) {
    calendarFeeds(first: 50, filter: { memberId: $memberId }) {
      edges {
        node {
          id
          prefix
          createdAt
          revokedAt
        }
      }
    }
  }
`);

/** Those that still lead somewhere. */
export const useCalendarFeeds = (memberId: string) =>
  useQuery({
    queryKey: [KEY, memberId],
    queryFn: async ({ signal }) =>
      (await request(LIST, { memberId }, signal)).calendarFeeds.edges
        .map(({ node }) => node)
        .filter(({ revokedAt }) => revokedAt === null),
  });

const CREATE = graphql(`
  mutation CreateCalendarFeed($memberId: ID!) {
    createCalendarFeed(input: { memberId: $memberId }) {
      url
    }
  }
`);

export function useCreateCalendarFeed(onSuccess: (url: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (memberId: string) =>
      (await request(CREATE, { memberId })).createCalendarFeed.url,
    gcTime: 0, // the answer holds a secret: it is not to be kept
    onSuccess: (url) => {
      onSuccess(url);
      void client.invalidateQueries({ queryKey: [KEY] });
    },
  });
}

const REVOKE = graphql(`
  mutation RevokeCalendarFeed($id: ID!) {
    revokeCalendarFeed(id: $id) {
      id
    }
  }
`);

export function useRevokeCalendarFeed(onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(REVOKE, { id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [KEY] });
      onSuccess();
    },
  });
}
