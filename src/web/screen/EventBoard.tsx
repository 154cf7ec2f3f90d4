import { longDayWords } from '../ui/place-words.ts';
import { dayAt } from '../ui/wall-clock.ts';
import { Clock } from './Clock.tsx';
import classes from './EventBoard.module.css';
import { Fitting } from './Fitting.tsx';
import { houseAt } from './opening.ts';
import type { ShowingProps } from './Showing.tsx';
import { closedWords, dayFrom, spanOf } from './screen-words.ts';
import { eventDays } from './showing.ts';
import type { CommunityEvent } from './wire.ts';

/** The coming events of a location, day by day. */
export function EventBoard({ kept, now }: ShowingProps) {
  const { device } = kept.state;
  const { name, time_zone } = device.location;
  const today = dayAt(now, time_zone);
  const days = eventDays(kept.state, now);
  const closed = closedWords(houseAt(kept, now), now, time_zone);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <h1>What is on</h1>
          <p>
            {name}, {longDayWords(today)}
          </p>
          {closed && <p>{closed}</p>}
        </div>
        <Clock now={now} timeZone={time_zone} />
      </header>
      {days.length === 0 ? (
        <p className={classes.nothing}>Nothing is planned for the next two weeks.</p>
      ) : (
        <Fitting>
          {days.flatMap(({ day, of }) =>
            of.map((event, index) => (
              <Entry
                key={event.id}
                event={event}
                day={index === 0 ? dayFrom(day, today) : ''}
                now={now}
                timeZone={time_zone}
              />
            )),
          )}
        </Fitting>
      )}
    </div>
  );
}

interface EntryProps {
  event: CommunityEvent;
  day: string;
  now: Date;
  timeZone: string;
}

const Entry = ({ event, day, now, timeZone }: EntryProps) => (
  <div className={classes.entry} data-first={day !== '' || undefined}>
    <span className={classes.day}>{day}</span>
    <span className={classes.times}>
      {spanOf(event.starts_at, event.ends_at, timeZone)}
      {new Date(event.starts_at) <= now && <b className={classes.now}>now</b>}
    </span>
    <span className={classes.what}>
      <b>{event.title}</b>
      {event.resource && <span className={classes.where}>{event.resource.name}</span>}
      {event.summary && <span className={classes.summary}>{event.summary}</span>}
    </span>
  </div>
);
