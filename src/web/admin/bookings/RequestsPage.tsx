import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import {
  BackLink,
  EmptyState,
  PageHeader,
  SectionCard,
  StatusBadge,
} from '../../components/PageLayout.tsx';
import { InfiniteList, QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { SeriesScope } from '../../gql/graphql.ts';
import { formatHolder, getBookingStatusLabels } from './booking-labels.ts';
import { CancelBookingForm } from './CancelBookingForm.tsx';
import { useApproveBooking } from './mutations.ts';
import { type BookingDetails, useBooking } from './queries.ts';
import { useBookingRequests } from './request-queries.ts';

const columns: Column<BookingDetails>[] = [
  {
    header: 'Requested by',
    cell: (booking) => (
      <>
        {booking.member ? (
          <Anchor component={Link} to={`/members/${booking.member.id}`} size="sm" fw={600}>
            {booking.member.name}
          </Anchor>
        ) : (
          <Text size="sm">{formatHolder(booking)}</Text>
        )}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[booking.guest?.email, booking.title].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  {
    header: 'Resource',
    cell: ({ resource, location }) => (
      <>
        <Text size="sm">{resource.name}</Text>
        <Text size="xs" c="dimmed">
          {location.name}
        </Text>
      </>
    ),
  },
  {
    header: 'When',
    cell: ({ startsAt, endsAt, seriesId, location: { id, timeZone } }) => (
      <>
        <Anchor
          component={Link}
          to={`/bookings?location=${id}&day=${toLocalDate(startsAt, timeZone)}`}
          size="sm"
        >
          {formatLocalDateTimeRange(startsAt, endsAt, timeZone)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {[formatTimeZone(timeZone), seriesId && 'part of a series'].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  { header: 'Price', cell: ({ price }) => <Text size="sm">{formatMoney(price)}</Text> },
  { header: 'Requested', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

/** The bookings that need approval. An email links to one of them with `?request=`. */
export function RequestsPage() {
  const [query] = useSearchParams();
  const requests = useBookingRequests();
  const requestedId = query.get('request');
  return (
    <>
      <BackLink to="/bookings">Calendar</BackLink>
      <PageHeader
        title="Requests"
        description="Bookings that need approval, soonest first. Each holds its time, so nobody else can book it until you decide."
      />
      {requestedId !== null && (
        <Box mb="md">
          <LinkedRequest key={requestedId} id={requestedId} />
        </Box>
      )}
      <InfiniteList
        pages={requests}
        empty={
          <EmptyState icon={IconCalendar} title="No requests">
            Bookings of rooms that need approval appear here.
          </EmptyState>
        }
      >
        {(bookings) => <RequestsTable label="Requests" bookings={bookings} />}
      </InfiniteList>
    </>
  );
}

/** The request that an email links to, also if someone has decided in the meantime. */
function LinkedRequest({ id }: { id: string }) {
  const booking = useBooking(id);
  return (
    <SectionCard title="The request in your email">
      <QueryBoundary query={booking}>
        {(booking) => {
          const [color, label] = getBookingStatusLabels()[booking.status];
          return (
            <>
              {!booking.allowedActions.confirm && (
                <Group gap="xs" mb="sm" role="status">
                  <StatusBadge color={color}>{label}</StatusBadge>
                  <Text size="sm">This request was decided. Nothing is left to do.</Text>
                </Group>
              )}
              <RequestsTable label="The request in your email" bookings={[booking]} />
            </>
          );
        }}
      </QueryBoundary>
    </SectionCard>
  );
}

function RequestsTable({ label, bookings }: { label: string; bookings: BookingDetails[] }) {
  const declining = useDialog<BookingDetails>();
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={bookings}
        getKey={({ id }) => id}
        actions={(booking) =>
          booking.allowedActions.confirm && (
            <RequestActions booking={booking} onDecline={() => declining.open(booking)} />
          )
        }
      />
      <Dialog state={declining} title="Decline this request?">
        {(booking) => (
          <CancelBookingForm booking={booking} onBack={declining.close} onDone={declining.close} />
        )}
      </Dialog>
    </>
  );
}

interface RequestActionsProps {
  booking: BookingDetails;
  onDecline: () => void;
}

function RequestActions({ booking, onDecline }: RequestActionsProps) {
  const { id, seriesId, resource } = booking;
  const approve = useApproveBooking(() => notifySuccess('Booking approved.'));
  const what = `${resource.name}, ${formatHolder(booking)}`;
  const confirm = (scope: SeriesScope) =>
    approve.mutate(
      { id, scope },
      { onError: (error) => notifyFailure('Booking not approved', error) },
    );
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={`Decline ${what}`}
        disabled={approve.isPending}
        onClick={onDecline}
      >
        Decline
      </Button>
      {seriesId && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Approve series: ${what}`}
          loading={approve.isPending}
          onClick={() => confirm('ALL')}
        >
          Approve series
        </Button>
      )}
      <Button
        size="xs"
        aria-label={`Approve ${what}`}
        loading={approve.isPending}
        onClick={() => confirm('THIS')}
      >
        Approve
      </Button>
    </Group>
  );
}
