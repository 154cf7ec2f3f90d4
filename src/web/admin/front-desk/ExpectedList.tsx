import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { formatLocalTime } from '../../../core/time/format.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { SectionCard } from '../../components/PageLayout.tsx';
import type { ArrivalKind } from '../../gql/graphql.ts';
import type { ExpectedArrival, FrontDesk } from './queries.ts';

const KIND_LABELS: Record<ArrivalKind, string> = {
  BOOKING: 'Booking',
  DAY_PASS: 'Day pass',
  TICKET: 'Ticket',
};

const columns: Column<ExpectedArrival>[] = [
  {
    header: 'Name',
    cell: ({ name }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  {
    header: 'For',
    cell: ({ kind, what }) => (
      <>
        <Text size="sm">{what}</Text>
        <Text size="xs" c="dimmed">
          {KIND_LABELS[kind]}
        </Text>
      </>
    ),
  },
  {
    header: 'Time',
    cell: ({ startsAt, timeZone, locationName }) => (
      <>
        <Text size="sm">{startsAt ? formatLocalTime(startsAt, timeZone) : 'All day'}</Text>
        <Text size="xs" c="dimmed">
          {locationName}
        </Text>
      </>
    ),
  },
];

const SHOWN_AT_FIRST = 10;

/** Who has a booking, a day pass or a ticket today and is not in. */
export function ExpectedList({ expected }: { expected: FrontDesk['expected'] }) {
  const [showsAll, setShowsAll] = useState(false);
  const rows = showsAll ? expected : expected.slice(0, SHOWN_AT_FIRST);
  return (
    <SectionCard
      title="Expected today"
      description="Bookings, day passes and tickets of people who are not in yet"
      count={expected.length > 0 ? String(expected.length) : undefined}
    >
      {expected.length === 0 ? (
        <Text size="sm">Nobody else is expected today.</Text>
      ) : (
        <>
          <DataTable
            label="Expected today"
            columns={columns}
            rows={rows}
            getKey={({ kind, id }) => `${kind} ${id}`}
          />
          {rows.length < expected.length && (
            <Button variant="default" size="xs" mt="sm" onClick={() => setShowsAll(true)}>
              Show all {expected.length}
            </Button>
          )}
        </>
      )}
    </SectionCard>
  );
}
