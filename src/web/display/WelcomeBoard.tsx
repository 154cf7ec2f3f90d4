import { formatLocalTime } from '../../core/time/format.ts';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { formatLongDate } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';
import {
  getAnnouncements,
  getExpectedGuests,
  getOpeningState,
  groupEventsByDay,
  isSnapshotValid,
} from './current-content.ts';
import type { DisplayViewProps } from './device-storage.ts';
import type {
  DisplayedAnnouncement,
  DisplayedBooking,
  DisplayedEvent,
} from './device-transport.ts';
import { AutoPager } from './display-lists.tsx';
import { formatClosedNotice, formatPlace, formatTimeSpan } from './format-display-time.ts';
import classes from './WelcomeBoard.module.css';

/** Greets guests at the entrance with the time, announcements, today's events and expected guests. */
export function WelcomeBoard({ snapshot, now }: DisplayViewProps) {
  const { name, time_zone } = snapshot.state.device.location;
  const today = toLocalDate(now, time_zone);
  const announcements = getAnnouncements(snapshot.state, now);
  const closedNotice = formatClosedNotice(getOpeningState(snapshot, now), now, time_zone);
  const events =
    groupEventsByDay(snapshot.state, now).find(({ day }) => day === today)?.events ?? [];
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <p className={classes.welcome}>{getText('display.welcomeTo')}</p>
        <h1>{name}</h1>
        <time className={classes.clock} dateTime={now.toISOString()}>
          {formatLocalTime(now, time_zone)}
        </time>
        <p className={classes.date}>{formatLongDate(today)}</p>
        {closedNotice && <p className={classes.closed}>{closedNotice}</p>}
        {announcements.length > 0 && (
          <AutoPager
            label={getText('display.announcements')}
            className={classes.announcements}
            now={now}
            entries={announcements.map((announcement) => ({
              key: announcement.id,
              content: <AnnouncementItem announcement={announcement} />,
            }))}
          />
        )}
      </header>
      <section className={classes.list} aria-label={getText('display.today')}>
        {events.length > 0 && (
          <>
            <h2>{getText('display.todaysEvents')}</h2>
            <AutoPager
              label={getText('display.todaysEvents')}
              className={classes.events}
              now={now}
              entries={events.map((event) => ({
                key: event.id,
                content: <EventItem event={event} timeZone={time_zone} />,
              }))}
            />
          </>
        )}
        <ExpectedGuests snapshot={snapshot} now={now} />
      </section>
    </div>
  );
}

function ExpectedGuests({ snapshot, now }: DisplayViewProps) {
  const { time_zone } = snapshot.state.device.location;
  const { today, tomorrow } = getExpectedGuests(snapshot.state, now);
  const guests = [...today, ...tomorrow];
  const isKnown = isSnapshotValid(snapshot, now);
  if (!isKnown || guests.length === 0) {
    return (
      <>
        <h2>{getText('display.expectedToday')}</h2>
        <p className={classes.nothing}>
          {isKnown ? getText('display.noGuests') : `${getText('display.noUpdate')}.`}
        </p>
      </>
    );
  }
  const includesToday = today.length > 0;
  return (
    <>
      <h2>{getText(includesToday ? 'display.expectedToday' : 'display.expectedTomorrow')}</h2>
      <AutoPager
        label={getText('display.guests')}
        className={classes.guests}
        now={now}
        entries={guests.map((guest, index) => ({
          key: guest.id,
          content: (
            <GuestItem
              guest={guest}
              timeZone={time_zone}
              isTomorrow={includesToday && index >= today.length}
            />
          ),
        }))}
      />
    </>
  );
}

interface AnnouncementItemProps {
  announcement: DisplayedAnnouncement;
}

const AnnouncementItem = ({ announcement: { title, body } }: AnnouncementItemProps) => (
  <div className={classes.announcement}>
    <b>{title}</b>
    {body && <span>{body}</span>}
  </div>
);

const EventItem = ({ event, timeZone }: { event: DisplayedEvent; timeZone: string }) => (
  <div className={classes.event}>
    <b>{event.title}</b>
    <span>
      {formatTimeSpan(event.starts_at, event.ends_at, timeZone)}
      {event.resource && `, ${formatPlace(event.resource)}`}
    </span>
  </div>
);

interface GuestItemProps {
  guest: DisplayedBooking;
  timeZone: string;
  /** Marks each of tomorrow's guests in today's list, since a page of the list may begin with any of them. */
  isTomorrow: boolean;
}

const GuestItem = ({ guest, timeZone, isTomorrow }: GuestItemProps) => (
  <div className={classes.guest}>
    <time dateTime={guest.starts_at}>
      {formatLocalTime(guest.starts_at, timeZone)}
      {isTomorrow && <small>{getText('display.tomorrow')}</small>}
    </time>
    <b>{guest.host}</b>
    <span>{formatPlace(guest.resource)}</span>
  </div>
);
