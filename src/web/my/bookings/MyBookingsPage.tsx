import { Button, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { isLive } from '../../features/bookings/booking-words.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconCalendar } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { useNow } from '../../ui/use-now.ts';
import { Paused } from '../Paused.tsx';
import { BookingCards } from './BookingCards.tsx';
import { CancelBooking } from './CancelBooking.tsx';
import { MoveBooking } from './MoveBooking.tsx';
import { PastBookings } from './PastBookings.tsx';
import { type MyBooking, useComing } from './queries.ts';

export function Component() {
  const [opened] = useState(() => new Date().toISOString());
  const now = useNow(30);
  const bookings = useComing(opened);
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
      <Paused />
      <Loaded query={bookings} height={240}>
        {(rows) => {
          const ahead = rows.filter(({ endsAt }) => new Date(endsAt) > now);
          const coming = ahead.filter(isLive);
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
              <PastBookings now={now} until={opened} called={rows.filter((one) => !isLive(one))} />
            </Stack>
          );
        }}
      </Loaded>
      <Dialog state={cancelling} title="Cancel this booking?">
        {(booking) => <CancelBooking booking={booking} onClose={cancelling.close} />}
      </Dialog>
      <Dialog state={moving} title="Move this booking">
        {(booking) => <MoveBooking booking={booking} onClose={moving.close} />}
      </Dialog>
    </>
  );
}
