import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { spanIn, zoneWords } from '../../ui/place-words.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { STATUSES } from './event-words.ts';
import type { EventRow } from './queries.ts';
import { SoldBar } from './SoldBar.tsx';

const columns: Column<EventRow>[] = [
  { header: 'Title', cell: (event) => <Title event={event} /> },
  {
    header: 'When',
    cell: ({ startsAt, endsAt, timeZone }) => (
      <>
        <Text size="sm">{spanIn(startsAt, endsAt, timeZone)}</Text>
        <Text size="xs" c="dimmed">
          {zoneWords(timeZone)}
        </Text>
      </>
    ),
  },
  { header: 'Where', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
  { header: 'Status', cell: (event) => <EventState event={event} /> },
  {
    header: 'Sold',
    cell: ({ taken, capacity }) => <SoldBar sold={taken ?? 0} of={capacity} />,
  },
];

export const EventsTable = ({ events }: { events: EventRow[] }) => (
  <DataTable
    label="Events"
    columns={columns}
    rows={events}
    keyOf={({ id }) => id}
    isEnded={({ status }) => status === 'CANCELLED'}
  />
);

export function EventState({ event }: { event: Pick<EventRow, 'status'> }) {
  const { color, label } = STATUSES[event.status];
  return <StateBadge color={color}>{label}</StateBadge>;
}

const Title = ({ event: { id, title, visibility } }: { event: EventRow }) => (
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
