import type { CSSProperties, MouseEvent } from 'react';
import { formatLocalHour } from '../../components/format-local-time.ts';
import { useNow } from '../../components/use-now.ts';
import { addMinutes, toLocalDate, toLocalTime } from '../../components/wall-clock.ts';
import { BookingBlock, EventBlock, ResourceName } from './BookingBlock.tsx';
import type { BookingPrefill } from './booking-form-values.ts';
import classes from './DayBoard.module.css';
import { type DayRange, findClosedRanges, toDayRange } from './day-range.ts';
import type {
  BookableResource,
  Booking,
  BookingDay,
  BookingLocation,
  DayEvent,
} from './queries.ts';

export interface DayProps {
  day: string;
  data: BookingDay;
  events: DayEvent[];
  onRead: (booking: Booking) => void;
  /** Left out for those who may not book. */
  onBook?: (wish: BookingPrefill) => void;
}

const HOUR_WIDTH = 60;

/** One row a resource, the hours from left to right. */
export function DayBoard({ day, data, events, onRead, onBook }: DayProps) {
  const { location, resources, bookings } = data;
  const now = useNow(30).getTime();
  const frame = toDayRange(day, location, [...bookings, ...events]);
  const shut = findClosedRanges(day, location, frame);
  const width = { '--track-width': `${frame.hours.length * HOUR_WIDTH}px` } as CSSProperties;
  const at = (moment: number) => `${((moment - frame.from) / (frame.to - frame.from)) * 100}%`;
  return (
    <section className={classes.board} style={width} aria-label="Bookings of the day">
      <div className={classes.row} aria-hidden>
        <div className={classes.name} />
        <div className={classes.hours}>
          {frame.hours.map((hour) => (
            <span key={hour} className={classes.hour} style={{ left: at(hour) }}>
              {formatLocalHour(new Date(hour), location.timeZone)}
            </span>
          ))}
        </div>
      </div>
      {resources
        .filter(({ id, active }) => active || bookings.some(({ resource }) => resource.id === id))
        .map((resource) => (
          <div key={resource.id} className={classes.row}>
            <div className={classes.name}>
              <ResourceName resource={resource} />
            </div>
            <div className={classes.track}>
              {frame.hours.map((hour) => (
                <span key={hour} className={classes.hour} style={{ left: at(hour) }} />
              ))}
              {shut.map(([from, to]) => (
                <span
                  key={from}
                  className={classes.shut}
                  style={{ left: at(from), right: `calc(100% - ${at(to)})` }}
                />
              ))}
              <BookableTrack
                day={day}
                resource={resource}
                location={location}
                frame={frame}
                bookings={bookings.filter((booking) => booking.resource.id === resource.id)}
                events={events.filter((event) => event.resource?.id === resource.id)}
                onRead={onRead}
                onBook={onBook}
              />
              {now > frame.from && now < frame.to && (
                <span className={classes.now} style={{ left: at(now) }} />
              )}
            </div>
          </div>
        ))}
    </section>
  );
}

interface Props {
  day: string;
  resource: BookableResource;
  location: BookingLocation;
  frame: DayRange;
  bookings: Booking[];
  events: DayEvent[];
  onRead: (booking: Booking) => void;
  onBook: ((wish: BookingPrefill) => void) | undefined;
}

const SNAP_MINUTES = 30;

/** What is taken lies over one wide button for what is free. */
function BookableTrack({ day, resource, location, frame, bookings, events, ...on }: Props) {
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
      ...(event.detail > 0 && toPrefillAtPointer(event, frame, resource, timeZone)),
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
function toPrefillAtPointer(
  { clientX, currentTarget }: MouseEvent<HTMLButtonElement>,
  frame: DayRange,
  { minMinutes }: BookableResource,
  timeZone: string,
): Partial<BookingPrefill> {
  const { left, width } = currentTarget.getBoundingClientRect();
  const moment = frame.from + ((clientX - left) / width) * (frame.to - frame.from);
  const snapped = new Date(
    Math.floor(moment / (SNAP_MINUTES * 60_000)) * SNAP_MINUTES * 60_000,
  ).toISOString();
  const end = addMinutes(snapped, Math.max(minMinutes, 60));
  return {
    day: toLocalDate(snapped, timeZone),
    from: toLocalTime(snapped, timeZone),
    to: toLocalTime(end, timeZone),
  };
}
