import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { isActiveBooking } from '../../admin/bookings/booking-labels.ts';
import { toApiError } from '../../api/errors.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useNow } from '../../components/use-now.ts';
import { IconCalendar } from '../../ui/icons.tsx';
import { useCurrentMember } from '../membership/current-member.ts';
import { MembershipPausedNotice } from '../membership/MembershipPausedNotice.tsx';
import { BookingCards } from './BookingCards.tsx';
import { CancelBooking } from './CancelBooking.tsx';
import { type MyBooking, useMyPastBookings, useMyUpcomingBookings } from './queries.ts';
import { RescheduleBooking } from './RescheduleBooking.tsx';

export function Component() {
  const [opened] = useState(() => new Date().toISOString());
  const now = useNow(30);
  const bookings = useMyUpcomingBookings(opened);
  const cancelling = useDialog<MyBooking>();
  const moving = useDialog<MyBooking>();
  return (
    <>
      <PageHeader
        title="My bookings"
        description="Times are those of the clocks of each place."
        action={
          <Button component={Link} to="/book">
            Book something
          </Button>
        }
      />
      <MembershipPausedNotice />
      <QueryBoundary query={bookings} height={240}>
        {(rows) => {
          const ahead = rows.filter(({ endsAt }) => new Date(endsAt) > now);
          const coming = ahead.filter(isActiveBooking);
          return (
            <Stack gap="xl">
              <section aria-labelledby="coming">
                <Title id="coming" order={2} size="h4" mb="sm">
                  Coming
                </Title>
                {coming.length === 0 ? (
                  <EmptyState icon={IconCalendar} title="Nothing booked">
                    Choose a place and a time under Book, and it will stand here.
                  </EmptyState>
                ) : (
                  <BookingCards
                    label="Coming bookings"
                    bookings={coming}
                    now={now}
                    onCancel={cancelling.open}
                    onMove={moving.open}
                  />
                )}
              </section>
              <PastBookings
                now={now}
                until={opened}
                cancelledUpcoming={rows.filter((one) => !isActiveBooking(one))}
              />
            </Stack>
          );
        }}
      </QueryBoundary>
      <Dialog state={cancelling} title="Cancel this booking?">
        {(booking) => <CancelBooking booking={booking} onClose={cancelling.close} />}
      </Dialog>
      <Dialog state={moving} title="Move this booking">
        {(booking) => <RescheduleBooking booking={booking} onClose={moving.close} />}
      </Dialog>
    </>
  );
}

interface PastBookingsProps {
  now: Date;
  until: string;
  /** What is still ahead, and called off. */
  cancelledUpcoming: MyBooking[];
}

export function PastBookings({ now, until, cancelledUpcoming }: PastBookingsProps) {
  const me = useCurrentMember();
  const past = useMyPastBookings(until, me.data?.createdAt);
  const over = past.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const known = new Set(cancelledUpcoming.map(({ id }) => id));
  const bookings = [
    ...cancelledUpcoming.toReversed(),
    ...over.filter(({ id, endsAt }) => !known.has(id) && new Date(endsAt) <= now),
  ];
  return (
    <section aria-labelledby="past">
      <Title id="past" order={2} size="h4" mb="sm">
        Past and cancelled
      </Title>
      <Stack gap="sm">
        <BookingCards label="Past and cancelled bookings" bookings={bookings} now={now} />
        {past.isSuccess && bookings.length === 0 && (
          <Text size="sm" c="dimmed">
            {past.hasNextPage ? 'None in the last months.' : 'None yet.'}
          </Text>
        )}
        {past.error && <ErrorAlert error={toApiError(past.error)} retry={past.refetch} />}
        {past.hasNextPage && (
          <Button
            variant="default"
            loading={past.isFetchingNextPage}
            onClick={() => past.fetchNextPage()}
          >
            Show earlier ones
          </Button>
        )}
      </Stack>
    </section>
  );
}
