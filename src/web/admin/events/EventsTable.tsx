import { Progress, Text } from '@mantine/core';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { type Column, DataTable, formatCountOf, NameCell } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { EventStatus } from '../../gql/graphql.ts';
import type { EventRow } from './queries.ts';

const LOCATION_HEADER = 'Location';

const columns: Column<EventRow>[] = [
  {
    header: 'Title',
    cell: ({ id, title, visibility }) => (
      <NameCell
        name={title}
        to={`/events/${id}`}
        details={visibility === 'MEMBERS' && 'Members only'}
      />
    ),
  },
  {
    header: 'When',
    cell: ({ startsAt, endsAt, timeZone }) => (
      <>
        <Text size="sm">{formatLocalDateTimeRange(startsAt, endsAt, timeZone)}</Text>
        <Text size="xs" c="dimmed">
          {formatTimeZone(timeZone)}
        </Text>
      </>
    ),
  },
  { header: LOCATION_HEADER, cell: ({ location }) => <Text size="sm">{location.name}</Text> },
  { header: 'Status', cell: (event) => <EventStatusBadge event={event} /> },
  {
    header: 'Sold',
    cell: ({ reservedCount, capacity }) => (
      <SalesProgress sold={reservedCount ?? 0} limit={capacity} />
    ),
  },
];

const columnsWithoutLocation = columns.filter(({ header }) => header !== LOCATION_HEADER);

interface EventsTableProps {
  events: EventRow[];
  /** False on the page of a location. */
  hasLocation?: boolean;
}

export const EventsTable = ({ events, hasLocation = true }: EventsTableProps) => (
  <DataTable
    label="Events"
    columns={hasLocation ? columns : columnsWithoutLocation}
    rows={events}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'CANCELLED'}
  />
);

export function EventStatusBadge({ event }: { event: Pick<EventRow, 'status'> }) {
  const { color, label } = EVENT_STATUS_LABELS[event.status];
  return <StatusBadge color={color}>{label}</StatusBadge>;
}

interface SalesProgressProps {
  /** Tickets sold or on hold. */
  sold: number;
  /** Null means unlimited. */
  limit: number | null;
}

/** The bar only repeats the text, so it is hidden from screen readers. */
export const SalesProgress = ({ sold, limit }: SalesProgressProps) => (
  <div style={{ maxWidth: 140 }}>
    <Text size="sm">{formatCountOf(sold, limit)}</Text>
    {limit !== null && limit > 0 && (
      <Progress
        value={(100 * sold) / limit}
        size="sm"
        mt={4}
        aria-hidden
        color={sold >= limit ? 'orange' : 'indigo'}
      />
    )}
  </div>
);

const EVENT_STATUS_LABELS: Record<EventStatus, { color: string; label: string }> = {
  DRAFT: { color: 'yellow', label: 'Draft' },
  PUBLISHED: { color: 'teal', label: 'Published' },
  CANCELLED: { color: 'gray', label: 'Cancelled' },
};
