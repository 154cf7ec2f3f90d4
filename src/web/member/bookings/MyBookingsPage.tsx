import { Button, Stack, Text, Title } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { isActiveBooking } from '../../admin/bookings/booking-labels.ts';
import { toApiError } from '../../api/errors.ts';
import { useNow } from '../../components/browser-time.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { getMemberText } from '../../language/member-texts.ts';
import { MembershipPausedNotice } from '../membership/MembershipPausedNotice.tsx';
import { BookingCards } from './BookingCards.tsx';
import { CancelBooking } from './CancelBooking.tsx';
import { type MyBooking, useMyBookings } from './queries.ts';
import { RescheduleBooking } from './RescheduleBooking.tsx';

export function Component() {
  const [openedAt] = useState(() => new Date().toISOString());
  const now = useNow(30);
  const pages = useMyBookings(openedAt);
  const first = pages.firstPage;
  const cancelDialog = useDialog<MyBooking>();
  const rescheduleDialog = useDialog<MyBooking>();
  return (
    <>
      <PageHeader
        title={getMemberText('bookings.title')}
        description={getMemberText('bookings.description')}
        action={
          <Button component={Link} to="/book">
            {getMemberText('bookings.new')}
          </Button>
        }
      />
      <MembershipPausedNotice status={first?.status} />
      <QueryBoundary query={{ ...pages, data: first?.upcoming }} height={240}>
        {(rows) => {
          const upcoming = rows.filter(
            (booking) => new Date(booking.endsAt) > now && isActiveBooking(booking),
          );
          return (
            <Stack gap="xl">
              <section aria-labelledby="upcoming">
                <Title id="upcoming" order={2} size="h4" mb="sm">
                  {getMemberText('bookings.upcoming')}
                </Title>
                {upcoming.length === 0 ? (
                  <EmptyState icon={IconCalendar} title={getMemberText('bookings.none')}>
                    {getMemberText('bookings.noneHelp')}
                  </EmptyState>
                ) : (
                  <BookingCards
                    label={getMemberText('bookings.upcomingList')}
                    bookings={upcoming}
                    now={now}
                    onCancel={cancelDialog.open}
                    onReschedule={rescheduleDialog.open}
                  />
                )}
              </section>
              <PastBookings
                now={now}
                pages={pages}
                cancelledUpcoming={rows.filter((booking) => !isActiveBooking(booking))}
              />
            </Stack>
          );
        }}
      </QueryBoundary>
      <Dialog state={cancelDialog} title={getMemberText('cancel.title')}>
        {(booking) => <CancelBooking booking={booking} onClose={cancelDialog.close} />}
      </Dialog>
      <Dialog state={rescheduleDialog} title={getMemberText('move.title')}>
        {(booking) => <RescheduleBooking booking={booking} onClose={rescheduleDialog.close} />}
      </Dialog>
    </>
  );
}

interface PastBookingsProps {
  now: Date;
  pages: ReturnType<typeof useMyBookings>;
  /** Cancelled bookings that have not ended yet. */
  cancelledUpcoming: MyBooking[];
}

export function PastBookings({ now, pages: past, cancelledUpcoming }: PastBookingsProps) {
  const listed = new Set(cancelledUpcoming.map(({ id }) => id));
  const bookings = [
    ...cancelledUpcoming.toReversed(),
    ...(past.rows ?? []).filter(({ id, endsAt }) => !listed.has(id) && new Date(endsAt) <= now),
  ];
  return (
    <section aria-labelledby="past">
      <Title id="past" order={2} size="h4" mb="sm">
        {getMemberText('bookings.past')}
      </Title>
      <Stack gap="sm">
        <BookingCards label={getMemberText('bookings.pastList')} bookings={bookings} now={now} />
        {past.isSuccess && bookings.length === 0 && (
          <Text size="sm" c="dimmed">
            {getMemberText('bookings.noPast')}
          </Text>
        )}
        {past.error && <ErrorAlert error={toApiError(past.error)} retry={past.refetch} />}
        {past.hasNextPage && (
          <Button
            variant="default"
            loading={past.isFetchingNextPage}
            onClick={() => past.fetchNextPage()}
          >
            {getMemberText('bookings.showEarlier')}
          </Button>
        )}
      </Stack>
    </section>
  );
}
