import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { WaitlistStatus, WaitsForTicketsFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type WaitlistEntry = WaitsForTicketsFragment;

graphql(`
  fragment WaitsForTickets on WaitlistEntry {
    id
    name
    email
    quantity
    status
    ticketTypeName
    createdAt
  }
`);

const LIST = graphql(`
  query WaitlistOfEvent($eventId: ID!, $after: String) {
    waitlist(first: 25, after: $after, filter: { eventId: $eventId }) {
      edges {
        node {
          ...WaitsForTickets
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useWaitlist = (eventId: string) =>
  usePages<WaitlistEntry>({
    queryKey: ['waitlist', eventId],
    load: async (after, signal) => (await request(LIST, { eventId, after }, signal)).waitlist,
  });

export const WAITLIST_STATUSES: Record<WaitlistStatus, { color: string; label: string }> = {
  WAITING: { color: 'yellow', label: 'Waiting' },
  OFFERED: { color: 'indigo', label: 'Offered' },
  TAKEN: { color: 'teal', label: 'Has tickets' },
  LAPSED: { color: 'gray', label: 'Lapsed' },
  LEFT: { color: 'gray', label: 'Left' },
};
