import type { MouseEvent } from 'react';
import { dayAt, later, timeAt } from '../../ui/wall-clock.ts';
import { BookingBlock, EventBlock } from './BookingBlock.tsx';
import type { Wish } from './booking-form.ts';
import classes from './DayBoard.module.css';
import type { Frame } from './day-frame.ts';
import type { BookableResource, EventOfDay, Place } from './day-queries.ts';
import type { Booking } from './queries.ts';

interface Props {
  day: string;
  resource: BookableResource;
  location: Place;
  frame: Frame;
  bookings: Booking[];
  events: EventOfDay[];
  onRead: (booking: Booking) => void;
  onBook: ((wish: Wish) => void) | undefined;
}

const SNAP = 30;

/** What is taken lies over one wide button for what is free. */
export function BookableTrack({ day, resource, location, frame, bookings, events, ...on }: Props) {
  const { timeZone } = location;
  const length = frame.to - frame.from;
  const placeOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => {
    const start = Math.max(frame.from, new Date(startsAt).getTime());
    const end = Math.min(frame.to, new Date(endsAt).getTime());
    return {
      left: `${((start - frame.from) / length) * 100}%`,
      width: `${((end - start) / length) * 100}%`,
    };
  };
  const book = (event: MouseEvent<HTMLButtonElement>) =>
    on.onBook?.({
      day,
      resourceId: resource.id,
      ...(event.detail > 0 && wishAt(event, frame, resource, timeZone)),
    });
  return (
    <>
      {on.onBook && resource.active && (
        <button
          type="button"
          className={classes.free}
          aria-label={`Book ${resource.name}`}
          onClick={book}
        />
      )}
      {events.map((event) => (
        <div key={event.id} className={classes.place} style={placeOf(event)}>
          <EventBlock event={event} timeZone={timeZone} />
        </div>
      ))}
      {bookings.map((booking) => (
        <div key={booking.id} className={classes.place} style={placeOf(booking)}>
          <BookingBlock booking={booking} onRead={on.onRead} />
        </div>
      ))}
    </>
  );
}

/** Where the pointer was, on the half hour; the keyboard points nowhere. */
function wishAt(
  { clientX, currentTarget }: MouseEvent<HTMLButtonElement>,
  frame: Frame,
  { minMinutes }: BookableResource,
  timeZone: string,
): Partial<Wish> {
  const { left, width } = currentTarget.getBoundingClientRect();
  const moment = frame.from + ((clientX - left) / width) * (frame.to - frame.from);
  const snapped = new Date(Math.floor(moment / (SNAP * 60_000)) * SNAP * 60_000).toISOString();
  const end = later(snapped, Math.max(minMinutes, 60));
  return {
    day: dayAt(snapped, timeZone),
    from: timeAt(snapped, timeZone),
    to: timeAt(end, timeZone),
  };
}
