import { Text } from '@mantine/core';
import type { CSSProperties, MouseEvent } from 'react';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { useNow } from '../../components/browser-time.tsx';
import { addMinutes, toLocalTime } from '../../components/wall-clock.ts';
import { BookingBlock, EventBlock, ResourceName } from './BookingBlock.tsx';
import type { BookingPrefill } from './booking-form-values.ts';
import classes from './DayBoard.module.css';
import type { BookableResource, BookingDay, BookingLocation, DayEvent } from './day-queries.ts';
import { type DayRange, findClosedRanges, listResourcesOfDay, toDayRange } from './day-view.ts';
import type { Booking } from './queries.ts';
import { groupResources, type ResourceFilter } from './resource-groups.ts';

export interface DayProps {
  day: string;
  data: BookingDay;
  /** Which resources to show. */
  filter: ResourceFilter;
  onOpen: (booking: Booking) => void;
  /** Omitted for staff who cannot book. */
  onBook?: (prefill: BookingPrefill) => void;
}

const HOUR_WIDTH = 60;

/** A timeline with one row per resource. */
export function DayBoard({ day, data, filter, onOpen, onBook }: DayProps) {
  const { location, bookings, events } = data;
  const now = useNow(30).getTime();
  const range = toDayRange(day, location, [...bookings, ...events]);
  const closed = findClosedRanges(location, range);
  const width = { '--track-width': `${range.hours.length * HOUR_WIDTH}px` } as CSSProperties;
  const toPercent = (moment: number) =>
    `${((moment - range.from) / (range.to - range.from)) * 100}%`;
  return (
    <section className={classes.board} style={width} aria-label="Bookings of the day">
      <div className={`${classes.row} ${classes.header}`} aria-hidden>
        <div className={classes.name} />
        <div className={classes.hours}>
          {range.hours.map((hour) => (
            <span key={hour} className={classes.hour} style={{ left: toPercent(hour) }}>
              {toLocalTime(new Date(hour), location.timeZone)}
            </span>
          ))}
        </div>
      </div>
      {groupResources(listResourcesOfDay(data), filter).map((group) => (
        <section key={group.name} aria-label={group.name}>
          <div className={classes.group}>
            <Text component="h2" size="sm" fw={600} className={classes.groupName}>
              {group.name}
            </Text>
          </div>
          {group.resources.map((resource) => (
            <div key={resource.id} className={classes.row}>
              <div className={classes.name}>
                <ResourceName resource={resource} />
              </div>
              <div className={classes.track}>
                {range.hours.map((hour) => (
                  <span key={hour} className={classes.hour} style={{ left: toPercent(hour) }} />
                ))}
                {closed.map(({ start, end }) => (
                  <span
                    key={start}
                    className={classes.closed}
                    style={{ left: toPercent(start), right: `calc(100% - ${toPercent(end)})` }}
                  />
                ))}
                <BookableTrack
                  day={day}
                  resource={resource}
                  location={location}
                  range={range}
                  bookings={bookings.filter((booking) => booking.resource.id === resource.id)}
                  events={events.filter((event) => event.resource?.id === resource.id)}
                  onOpen={onOpen}
                  onBook={onBook}
                />
                {now > range.from && now < range.to && (
                  <span className={classes.now} style={{ left: toPercent(now) }} />
                )}
              </div>
            </div>
          ))}
        </section>
      ))}
    </section>
  );
}

interface BookableTrackProps {
  day: string;
  resource: BookableResource;
  location: BookingLocation;
  range: DayRange;
  bookings: Booking[];
  events: DayEvent[];
  onOpen: (booking: Booking) => void;
  onBook: ((prefill: BookingPrefill) => void) | undefined;
}

const SNAP_MINUTES = 30;

/** Bookings lie on top of a wide button that books free time. */
function BookableTrack({
  day,
  resource,
  location,
  range,
  bookings,
  events,
  ...on
}: BookableTrackProps) {
  const { timeZone } = location;
  const length = range.to - range.from;
  const toPosition = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => {
    const start = Math.max(range.from, new Date(startsAt).getTime());
    const end = Math.min(range.to, new Date(endsAt).getTime());
    return {
      left: `${((start - range.from) / length) * 100}%`,
      width: `${((end - start) / length) * 100}%`,
    };
  };
  const book = (event: MouseEvent<HTMLButtonElement>) =>
    on.onBook?.({
      day,
      resourceId: resource.id,
      ...(event.detail > 0 && toPrefillAtPointer(event, range, resource, timeZone)),
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
        <div key={event.id} className={classes.slot} style={toPosition(event)}>
          <EventBlock event={event} day={day} timeZone={timeZone} />
        </div>
      ))}
      {bookings.map((booking) => (
        <div key={booking.id} className={classes.slot} style={toPosition(booking)}>
          <BookingBlock booking={booking} day={day} onOpen={on.onOpen} />
        </div>
      ))}
    </>
  );
}

/** The half hour at the pointer. A click by keyboard has no position. */
function toPrefillAtPointer(
  { clientX, currentTarget }: MouseEvent<HTMLButtonElement>,
  range: DayRange,
  { minMinutes }: BookableResource,
  timeZone: string,
): Partial<BookingPrefill> {
  const { left, width } = currentTarget.getBoundingClientRect();
  const moment = range.from + ((clientX - left) / width) * (range.to - range.from);
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
