import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { holderColumn, statusColumn } from './booking-columns.tsx';
import { isActiveBooking } from './booking-labels.ts';
import type { Booking, MemberBooking } from './queries.ts';

const whenColumn: Column<MemberBooking> = {
  header: 'When',
  cell: ({ startsAt, endsAt, location: { id, timeZone }, title }) => (
    <>
      <Anchor
        component={Link}
        to={`/bookings?location=${id}&day=${toLocalDate(startsAt, timeZone)}`}
        size="sm"
        fw={600}
      >
        {formatLocalDateTimeRange(startsAt, endsAt, timeZone)}
      </Anchor>
      <Text size="xs" c="dimmed">
        {[formatTimeZone(timeZone), title].filter(Boolean).join(' · ')}
      </Text>
    </>
  ),
};

const resourceColumn: Column<MemberBooking> = {
  header: 'Resource',
  cell: ({ resource, location }) => (
    <>
      <Anchor component={Link} to={`/spaces/resources/${resource.id}`} size="sm">
        {resource.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {location.name}
      </Text>
    </>
  ),
};

interface Props<Row> {
  label: string;
  bookings: Row[];
}

/** The bookings of one member. */
export const MemberBookingsTable = (props: Props<MemberBooking>) => (
  <BookingsTable columns={[whenColumn, resourceColumn, statusColumn]} {...props} />
);

/** The bookings of one resource. */
export const ResourceBookingsTable = (props: Props<Booking>) => (
  <BookingsTable columns={[whenColumn, holderColumn, statusColumn]} {...props} />
);

const BookingsTable = <Row extends MemberBooking>({
  label,
  columns,
  bookings,
}: Props<Row> & { columns: Column<Row>[] }) => (
  <DataTable
    label={label}
    columns={columns}
    rows={bookings}
    getKey={({ id }) => id}
    isEnded={(booking) => !isActiveBooking(booking)}
  />
);
