import { useQuery } from '@tanstack/react-query';
import { useSeenChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { CalendarFeedsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useSecretChange } from '../../ui/secret/use-secret-change.ts';

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

export const useCreateCalendarFeed = (member: { id: string; name: string }) =>
  useSecretChange(
    async () => (await request(CREATE, { memberId: member.id })).createCalendarFeed.url,
    [[KEY]],
    (url) => ({
      title: `Calendar of ${member.name}`,
      explanation:
        'Calendar programs subscribe to this address. Whoever has it sees the bookings: give it to nobody else.',
      label: 'Calendar address',
      plainText: url,
    }),
  );

const REVOKE = graphql(`
  mutation RevokeCalendarFeed($id: ID!) {
    revokeCalendarFeed(id: $id) {
      id
    }
  }
`);

export const useRevokeCalendarFeed = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(REVOKE, { id }), [[KEY]], onSuccess);
