import { Text } from '@mantine/core';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { WaitlistEntryFragment, WaitlistStatus } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const columns: Column<WaitlistEntry>[] = [
  { header: 'Name', cell: ({ name, email }) => <NameCell name={name} details={email} /> },
  {
    header: 'Ticket type',
    cell: ({ quantity, ticketTypeName, acceptsFewer }) => (
      <Text size="sm">
        {quantity} × {ticketTypeName}
        {quantity > 1 && !acceptsFewer && ', only together'}
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

export const WaitlistTable = ({ entries }: { entries: WaitlistEntry[] }) => (
  <DataTable
    label="Waiting list"
    columns={columns}
    rows={entries}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'EXPIRED' || status === 'WITHDRAWN'}
  />
);

export type WaitlistEntry = WaitlistEntryFragment;

graphql(`
  fragment WaitlistEntry on WaitlistEntry {
    id
    name
    email
    quantity
    acceptsFewer
    status
    ticketTypeName
    createdAt
  }
`);

const WAITLIST_STATUS_LABELS: Record<WaitlistStatus, { color: string; label: string }> = {
  WAITING: { color: 'yellow', label: 'Waiting' },
  OFFERED: { color: 'indigo', label: 'Offered' },
  ACCEPTED: { color: 'teal', label: 'Accepted' },
  EXPIRED: { color: 'gray', label: 'Expired' },
  WITHDRAWN: { color: 'gray', label: 'Withdrawn' },
};
