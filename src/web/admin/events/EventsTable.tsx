import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { formatLocalDateTimeRange, formatTimeZone } from '../../components/format-local-time.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { EVENT_STATUS_LABELS } from './event-labels.ts';
import type { EventRow } from './queries.ts';
import { SalesProgress } from './SalesProgress.tsx';

const columns: Column<EventRow>[] = [
  { header: 'Title', cell: (event) => <EventTitle event={event} /> },
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
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
  { header: 'Status', cell: (event) => <EventStatusBadge event={event} /> },
  {
    header: 'Sold',
    cell: ({ taken, capacity }) => <SalesProgress sold={taken ?? 0} limit={capacity} />,
  },
];

export const EventsTable = ({ events }: { events: EventRow[] }) => (
  <DataTable
    label="Events"
    columns={columns}
    rows={events}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'CANCELLED'}
  />
);

export function EventStatusBadge({ event }: { event: Pick<EventRow, 'status'> }) {
  const { color, label } = EVENT_STATUS_LABELS[event.status];
  return <StatusBadge color={color}>{label}</StatusBadge>;
}

const EventTitle = ({ event: { id, title, visibility } }: { event: EventRow }) => (
  <>
    <Anchor component={Link} to={`/events/${id}`} fw={600} size="sm">
      {title}
    </Anchor>
    {visibility === 'MEMBERS' && (
      <Text size="xs" c="dimmed">
        Members only
      </Text>
    )}
  </>
);
