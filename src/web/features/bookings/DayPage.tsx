import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { may, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconPlus } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { longDayWords, zoneWords } from '../../ui/place-words.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { nextDay, startOf } from '../../ui/wall-clock.ts';
import type { Location } from '../spaces/queries.ts';
import { BookingDialog } from './BookingDialog.tsx';
import type { Wish } from './booking-form.ts';
import { DayBoard } from './DayBoard.tsx';
import { DayLists } from './DayLists.tsx';
import { DayToolbar } from './DayToolbar.tsx';
import { useDay, useEventsOfDay } from './day-queries.ts';
import { NewBooking } from './NewBooking.tsx';
import { NothingBookable } from './NothingBookable.tsx';
import { OpenWords } from './OpenWords.tsx';
import type { Booking } from './queries.ts';

interface Props {
  locations: Location[];
  location: Location;
  day: string;
  today: string;
  onLocation: (id: string) => void;
  onDay: (day: string) => void;
}

/** The front desk's day at one location, by its clocks. */
export function DayPage({ locations, location, day, today, onLocation, onDay }: Props) {
  const viewer = useStaff();
  const mayBook = may(viewer, 'bookings:write');
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const { timeZone } = location;
  const from = startOf(day, timeZone).toISOString();
  const to = startOf(nextDay(day, 1), timeZone).toISOString();
  const data = useDay(location.id, day, from, to);
  const events = useEventsOfDay(location.id, from, to, may(viewer, 'events:read'));
  const booking = useDialog<Wish>();
  const reading = useDialog<Booking>();
  const isAsking = booking.opened || reading.opened;
  const View = wide ? DayBoard : DayLists;
  return (
    <>
      <PageHeader
        title="Bookings"
        description={`${longDayWords(day)}, by ${zoneWords(timeZone)}, the clocks of ${location.name}.`}
        action={
          mayBook &&
          data.data?.resources.length !== 0 && (
            <Button leftSection={<IconPlus />} onClick={() => booking.open({ day })}>
              New booking
            </Button>
          )
        }
      />
      <DayToolbar
        locations={locations}
        location={location}
        day={day}
        today={today}
        keysRest={isAsking}
        onLocation={onLocation}
        onDay={onDay}
      />
      <Loaded query={data} height={360}>
        {(data) =>
          data.resources.length === 0 ? (
            <NothingBookable location={location} />
          ) : (
            <>
              <OpenWords day={day} place={data.location} />
              <View
                day={day}
                data={data}
                events={events.data ?? []}
                onRead={reading.open}
                {...(mayBook && { onBook: booking.open })}
              />
              {wide && (
                <Text size="xs" c="dimmed" mt="xs">
                  {mayBook && 'Click on a free stretch to book it. '}← and → turn the day, T leads
                  to today.
                </Text>
              )}
            </>
          )
        }
      </Loaded>
      <Dialog state={booking} title={`New booking at ${location.name}`} size="lg">
        {(wish) => (
          <NewBooking
            location={location}
            resources={data.data?.resources ?? []}
            wish={wish}
            onBooked={onDay}
            onClose={booking.close}
          />
        )}
      </Dialog>
      <BookingDialog state={reading} onMoved={onDay} />
    </>
  );
}
