import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { formatHolder, getBookingStatusLabels } from './booking-labels.ts';
import type { Booking, MemberBooking } from './queries.ts';

// The columns that all lists of bookings have.

export const holderColumn: Column<Booking> = {
  header: 'Booked by',
  cell: (booking) =>
    booking.member ? (
      <Anchor component={Link} to={`/members/${booking.member.id}`} size="sm">
        {booking.member.name}
      </Anchor>
    ) : (
      <>
        <Text size="sm">{formatHolder(booking)}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {booking.guest?.email}
        </Text>
      </>
    ),
};

export const statusColumn: Column<MemberBooking> = {
  header: 'Status',
  cell: ({ status, checkedInAt }) => {
    const [color, label] = getBookingStatusLabels()[status];
    return (
      <>
        <StatusBadge color={color}>{label}</StatusBadge>
        {checkedInAt && (
          <Text size="xs" c="dimmed" mt={4}>
            Checked in
          </Text>
        )}
      </>
    );
  },
};
