import type { CSSProperties } from 'react';
import { hourIn } from '../../ui/place-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { BookableTrack } from './BookableTrack.tsx';
import type { Wish } from './booking-form.ts';
import classes from './DayBoard.module.css';
import { frameOf, shutSpans } from './day-frame.ts';
import type { Day, EventOfDay } from './day-queries.ts';
import type { Booking } from './queries.ts';
import { ResourceName } from './ResourceName.tsx';

export interface DayProps {
  day: string;
  data: Day;
  events: EventOfDay[];
  onRead: (booking: Booking) => void;
  /** Left out for those who may not book. */
  onBook?: (wish: Wish) => void;
}

const HOUR_WIDTH = 60;

/** One row a resource, the hours from left to right. */
export function DayBoard({ day, data, events, onRead, onBook }: DayProps) {
  const { location, resources, bookings } = data;
  const now = useNow(30).getTime();
  const frame = frameOf(day, location, [...bookings, ...events]);
  const shut = shutSpans(day, location, frame);
  const width = { '--track-width': `${frame.hours.length * HOUR_WIDTH}px` } as CSSProperties;
  const at = (moment: number) => `${((moment - frame.from) / (frame.to - frame.from)) * 100}%`;
  return (
    <section className={classes.board} style={width} aria-label="Bookings of the day">
      <div className={classes.row} aria-hidden>
        <div className={classes.name} />
        <div className={classes.hours}>
          {frame.hours.map((hour) => (
            <span key={hour} className={classes.hour} style={{ left: at(hour) }}>
              {hourIn(new Date(hour), location.timeZone)}
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
