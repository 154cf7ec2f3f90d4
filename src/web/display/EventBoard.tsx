import { toLocalDate } from '../../core/time/time-zone.ts';
import { formatLongDate } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';
import { Clock } from './Clock.tsx';
import { getOpeningState, groupEventsByDay } from './current-content.ts';
import type { DisplayViewProps } from './device-storage.ts';
import type { DisplayedEvent } from './device-transport.ts';
import { FitList } from './display-lists.tsx';
import classes from './EventBoard.module.css';
import {
  formatClosedNotice,
  formatPlace,
  formatRelativeDay,
  formatTimeSpan,
} from './format-display-time.ts';

/** Lists the upcoming events of a location by day. */
export function EventBoard({ snapshot, now }: DisplayViewProps) {
  const { device } = snapshot.state;
  const { name, time_zone } = device.location;
  const today = toLocalDate(now, time_zone);
  const days = groupEventsByDay(snapshot.state, now);
  const closedNotice = formatClosedNotice(getOpeningState(snapshot, now), now, time_zone);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <h1>{getText('display.whatsOn')}</h1>
          <p>
            {name}, {formatLongDate(today)}
          </p>
          {closedNotice && <p>{closedNotice}</p>}
        </div>
        <Clock now={now} timeZone={time_zone} />
      </header>
      {days.length === 0 ? (
        <p className={classes.nothing}>{getText('display.noEvents')}</p>
      ) : (
        <FitList>
          {days.flatMap(({ day, events }) =>
            events.map((event, index) => (
              <EventEntry
                key={event.id}
                event={event}
                day={index === 0 ? formatRelativeDay(day, today) : ''}
                now={now}
                timeZone={time_zone}
              />
            )),
          )}
        </FitList>
      )}
    </div>
  );
}

interface EventEntryProps {
  event: DisplayedEvent;
  day: string;
  now: Date;
  timeZone: string;
}

const EventEntry = ({ event, day, now, timeZone }: EventEntryProps) => (
  <div className={classes.entry} data-first={day !== '' || undefined}>
    <span className={classes.day}>{day}</span>
    <span className={classes.times}>
      {formatTimeSpan(event.starts_at, event.ends_at, timeZone)}
      {new Date(event.starts_at) <= now && <b className={classes.now}>{getText('display.now')}</b>}
    </span>
    <span className={classes.what}>
      <b>{event.title}</b>
      {event.resource && <span className={classes.where}>{formatPlace(event.resource)}</span>}
      {event.summary && <span className={classes.summary}>{event.summary}</span>}
    </span>
  </div>
);
