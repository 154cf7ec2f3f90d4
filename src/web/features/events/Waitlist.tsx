import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useWaitlist, WAITLIST_STATUSES, type WaitlistEntry } from './waitlist-queries.ts';

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
    header: 'For',
    cell: ({ quantity, ticketTypeName }) => (
      <Text size="sm">
        {quantity} × {ticketTypeName}
      </Text>
    ),
  },
  {
    header: 'State',
    cell: ({ status }) => {
      const { color, label } = WAITLIST_STATUSES[status];
      return <StateBadge color={color}>{label}</StateBadge>;
    },
  },
  { header: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} as="since" /> },
];

/** It moves by itself: what comes back is offered by mail. */
export function Waitlist({ event }: { event: { id: string } }) {
  const pages = useWaitlist(event.id);
  return (
    <Panel
      title="Waiting list"
      description="People who wait for tickets that are sold out. What comes back is offered to them by mail, in turn, for a day."
    >
      <PagedList pages={pages} empty={<Text size="sm">Nobody waits.</Text>}>
        {(entries) => (
          <DataTable
            label="Waiting list"
            columns={columns}
            rows={entries}
            keyOf={({ id }) => id}
            isEnded={({ status }) => status === 'LAPSED' || status === 'LEFT'}
          />
        )}
      </PagedList>
    </Panel>
  );
}
