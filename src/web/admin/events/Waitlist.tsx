import { Text } from '@mantine/core';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import type { WaitlistStatus, WaitsForTicketsFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const columns: Column<WaitlistEntry>[] = [
  {
    header: 'Name',
    cell: ({ name, email }) => (
      <>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </>
    ),
  },
  {
    header: 'Ticket type',
    cell: ({ quantity, ticketTypeName }) => (
      <Text size="sm">
        {quantity} × {ticketTypeName}
      </Text>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) => {
      const { color, label } = WAITLIST_STATUS_LABELS[status];
      return <StatusBadge color={color}>{label}</StatusBadge>;
    },
  },
  { header: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

/** Read-only: the service offers returned tickets by email. */
export function Waitlist({ event }: { event: { id: string } }) {
  const pages = useWaitlist(event.id);
  return (
    <SectionCard
      title="Waiting list"
      description="People waiting for sold-out tickets. Returned tickets are offered by email, one person at a time, for one day."
    >
      <InfiniteList pages={pages} empty={<Text size="sm">The waiting list is empty.</Text>}>
        {(entries) => (
          <DataTable
            label="Waiting list"
            columns={columns}
            rows={entries}
            getKey={({ id }) => id}
            isEnded={({ status }) => status === 'LAPSED' || status === 'LEFT'}
          />
        )}
      </InfiniteList>
    </SectionCard>
  );
}

type WaitlistEntry = WaitsForTicketsFragment;

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

const WAITLIST_OF_EVENT_QUERY = graphql(`
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

const useWaitlist = (eventId: string) =>
  usePagedQuery<WaitlistEntry>({
    queryKey: ['waitlist', eventId],
    load: async (after, signal) =>
      (await request(WAITLIST_OF_EVENT_QUERY, { eventId, after }, signal)).waitlist,
  });

const WAITLIST_STATUS_LABELS: Record<WaitlistStatus, { color: string; label: string }> = {
  WAITING: { color: 'yellow', label: 'Waiting' },
  OFFERED: { color: 'indigo', label: 'Offered' },
  TAKEN: { color: 'teal', label: 'Accepted' },
  LAPSED: { color: 'gray', label: 'Expired' },
  LEFT: { color: 'gray', label: 'Withdrawn' },
};
