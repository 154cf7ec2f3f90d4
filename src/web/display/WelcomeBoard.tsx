import { formatLocalTime, formatLongDate } from '../components/format-local-time.ts';
import { toLocalDate } from '../components/wall-clock.ts';
import type { DisplayViewProps } from './DisplayView.tsx';
import type { DisplayedAnnouncement, DisplayedBooking, DisplayedEvent } from './device-api.ts';
import {
  getAnnouncements,
  getExpectedGuests,
  getOpeningState,
  groupEventsByDay,
  isSnapshotValid,
} from './display-content.ts';
import { AutoPager } from './display-lists.tsx';
import { formatClosedNotice, formatTimeSpan } from './format-display-time.ts';
import classes from './WelcomeBoard.module.css';

/** At the entrance: the time, what there is to know, and who is expected where. */
export function WelcomeBoard({ snapshot, now }: DisplayViewProps) {
  const { name, time_zone } = snapshot.state.device.location;
  const today = toLocalDate(now, time_zone);
  const announced = getAnnouncements(snapshot.state, now);
  const closed = formatClosedNotice(getOpeningState(snapshot, now), now, time_zone);
  const events =
    groupEventsByDay(snapshot.state, now).find(({ day }) => day === today)?.items ?? [];
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <p className={classes.hello}>Welcome to</p>
        <h1>{name}</h1>
        <time className={classes.clock} dateTime={now.toISOString()}>
          {formatLocalTime(now, time_zone)}
        </time>
        <p className={classes.date}>{formatLongDate(today)}</p>
        {closed && <p className={classes.closed}>{closed}</p>}
        {announced.length > 0 && (
          <AutoPager
            label="Announcements"
            className={classes.announcements}
            now={now}
            entries={announced.map((one) => ({
              key: one.id,
              shown: <AnnouncementItem one={one} />,
            }))}
          />
        )}
      </header>
      <section className={classes.list} aria-label="Expected">
        {events.length > 0 && (
          <>
            <h2>On today</h2>
            <AutoPager
              label="On today"
              className={classes.events}
              now={now}
              entries={events.map((event) => ({
                key: event.id,
                shown: <EventItem event={event} timeZone={time_zone} />,
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
  if (!isSnapshotValid(snapshot, now) || guests.length === 0) {
    return (
      <>
        <h2>Expected today</h2>
        <p className={classes.nothing}>
          {isSnapshotValid(snapshot, now)
            ? 'Nobody else is expected.'
            : 'No news from the service for more than a day.'}
        </p>
      </>
    );
  }
  const isMixed = today.length > 0;
  return (
    <>
      <h2>{isMixed ? 'Expected today' : 'Expected tomorrow'}</h2>
      <AutoPager
        label="Guests"
        className={classes.guests}
        now={now}
        entries={guests.map((guest, index) => ({
          key: guest.id,
          shown: (
            <GuestItem
              guest={guest}
              timeZone={time_zone}
              isTomorrow={isMixed && index >= today.length}
            />
          ),
        }))}
      />
    </>
  );
}

const AnnouncementItem = ({ one: { title, body } }: { one: DisplayedAnnouncement }) => (
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
      {event.resource && `, ${event.resource.name}`}
    </span>
  </div>
);

interface GuestItemProps {
  guest: DisplayedBooking;
  timeZone: string;
  /** Among those of today; each says so, as a page may begin with it. */
  isTomorrow: boolean;
}

const GuestItem = ({ guest, timeZone, isTomorrow }: GuestItemProps) => (
  <div className={classes.guest}>
    <time dateTime={guest.starts_at}>
      {formatLocalTime(guest.starts_at, timeZone)}
      {isTomorrow && <small>Tomorrow</small>}
    </time>
    <b>{guest.host}</b>
    <span>{guest.resource.name}</span>
  </div>
);
