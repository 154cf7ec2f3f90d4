import { clockIn, longDayWords } from '../ui/place-words.ts';
import { dayAt } from '../ui/wall-clock.ts';
import { houseAt } from './opening.ts';
import { Paged } from './Paged.tsx';
import type { ShowingProps } from './Showing.tsx';
import { closedWords, spanOf } from './screen-words.ts';
import { announcedAt, eventDays, expectedAt, isCovered } from './showing.ts';
import classes from './Welcome.module.css';
import type { Announcement, Booking, CommunityEvent } from './wire.ts';

/** At the entrance: the time, what there is to know, and who is expected where. */
export function Welcome({ kept, now }: ShowingProps) {
  const { name, time_zone } = kept.state.device.location;
  const today = dayAt(now, time_zone);
  const announced = announcedAt(kept.state, now);
  const closed = closedWords(houseAt(kept, now), now, time_zone);
  const events = eventDays(kept.state, now).find(({ day }) => day === today)?.of ?? [];
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <p className={classes.hello}>Welcome to</p>
        <h1>{name}</h1>
        <time className={classes.clock} dateTime={now.toISOString()}>
          {clockIn(now, time_zone)}
        </time>
        <p className={classes.date}>{longDayWords(today)}</p>
        {closed && <p className={classes.closed}>{closed}</p>}
        {announced.length > 0 && (
          <Paged
            label="Announcements"
            className={classes.announcements}
            now={now}
            entries={announced.map((one) => ({ key: one.id, shown: <Announced one={one} /> }))}
          />
        )}
      </header>
      <section className={classes.list} aria-label="Expected">
        {events.length > 0 && (
          <>
            <h2>On today</h2>
            <Paged
              label="On today"
              className={classes.events}
              now={now}
              entries={events.map((event) => ({
                key: event.id,
                shown: <Event event={event} timeZone={time_zone} />,
              }))}
            />
          </>
        )}
        <Expected kept={kept} now={now} />
      </section>
    </div>
  );
}

function Expected({ kept, now }: ShowingProps) {
  const { time_zone } = kept.state.device.location;
  const { today, tomorrow } = expectedAt(kept.state, now);
  const guests = [...today, ...tomorrow];
  if (!isCovered(kept, now) || guests.length === 0) {
    return (
      <>
        <h2>Expected today</h2>
        <p className={classes.nothing}>
          {isCovered(kept, now)
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
      <Paged
        label="Guests"
        className={classes.guests}
        now={now}
        entries={guests.map((guest, index) => ({
          key: guest.id,
          shown: (
            <Guest
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

const Announced = ({ one: { title, body } }: { one: Announcement }) => (
  <div className={classes.announcement}>
    <b>{title}</b>
    {body && <span>{body}</span>}
  </div>
);

const Event = ({ event, timeZone }: { event: CommunityEvent; timeZone: string }) => (
  <div className={classes.event}>
    <b>{event.title}</b>
    <span>
      {spanOf(event.starts_at, event.ends_at, timeZone)}
      {event.resource && `, ${event.resource.name}`}
    </span>
  </div>
);

interface GuestProps {
  guest: Booking;
  timeZone: string;
  /** Among those of today; each says so, as a page may begin with it. */
  isTomorrow: boolean;
}

const Guest = ({ guest, timeZone, isTomorrow }: GuestProps) => (
  <div className={classes.guest}>
    <time dateTime={guest.starts_at}>
      {clockIn(guest.starts_at, timeZone)}
      {isTomorrow && <small>Tomorrow</small>}
    </time>
    <b>{guest.host}</b>
    <span>{guest.resource.name}</span>
  </div>
);
