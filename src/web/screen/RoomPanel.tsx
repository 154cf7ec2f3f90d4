import { clockIn } from '../ui/place-words.ts';
import { dayAt } from '../ui/wall-clock.ts';
import { Clock } from './Clock.tsx';
import { Fitting } from './Fitting.tsx';
import { houseAt } from './opening.ts';
import classes from './RoomPanel.module.css';
import type { ShowingProps } from './Showing.tsx';
import { momentFrom, opensWords, spanOf } from './screen-words.ts';
import { type InRoom, isCovered, roomAt } from './showing.ts';

/** At the door of one room: may I go in? In colour and in words. */
export function RoomPanel({ kept, now }: ShowingProps) {
  const { device, content } = kept.state;
  const { time_zone } = device.location;
  const { current, busyUntil, next, today } = roomAt(kept.state, now);
  const known = isCovered(kept, now);
  const house = houseAt(kept, now);
  const state = !known ? 'unknown' : current ? 'busy' : house.isOpen ? 'free' : 'closed';
  return (
    <div className={classes.page}>
      <section className={classes.state} data-state={state}>
        <div className={classes.head}>
          <h1>{device.resource?.name ?? content.title}</h1>
          <Clock now={now} timeZone={time_zone} />
        </div>
        <div className={classes.middle}>
          <p className={classes.word}>{WORDS[state]}</p>
          <p className={classes.until}>
            {state === 'busy' && busyUntil && `until ${momentFrom(busyUntil, now, time_zone)}`}
            {state === 'free' && freeUntil([next?.starts_at, house.closesAt], now, time_zone)}
            {state === 'closed' && house.opensAt && opensWords(house.opensAt, now, time_zone)}
            {state === 'unknown' && 'No news from the service for more than a day'}
          </p>
          {state === 'busy' && current && (
            <p className={classes.what}>
              <b>{current.title ?? 'Booked'}</b>
              {current.host && <span>{current.host}</span>}
            </p>
          )}
        </div>
        {known && next && (
          <p className={classes.next}>
            Next: {momentFrom(next.starts_at, now, time_zone)}
            {', '}
            {[next.title ?? 'Booked', next.host].filter(Boolean).join(', ')}
          </p>
        )}
      </section>
      <section className={classes.list} aria-label="Today">
        <h2>Today</h2>
        {known && today.length > 0 ? (
          <Fitting>
            {today.map((one) => (
              <Entry key={one.id} one={one} isOn={one === current} timeZone={time_zone} />
            ))}
          </Fitting>
        ) : (
          <p className={classes.nothing}>{known ? 'Nothing more today.' : 'Not known.'}</p>
        )}
      </section>
    </div>
  );
}

const WORDS = { busy: 'Busy', free: 'Free', closed: 'Closed', unknown: 'Not known' };

const Entry = ({ one, isOn, timeZone }: { one: InRoom; isOn: boolean; timeZone: string }) => (
  <div className={classes.entry} data-on={isOn || undefined}>
    <span className={classes.times}>{spanOf(one.starts_at, one.ends_at, timeZone)}</span>
    <span className={classes.title}>{one.title ?? 'Booked'}</span>
    <span className={classes.host}>
      {isOn ? [one.host, 'now'].filter(Boolean).join(', ') : one.host}
    </span>
  </div>
);

/** Whatever comes first today. */
function freeUntil(ends: (string | null | undefined)[], now: Date, timeZone: string): string {
  const [end] = ends.filter((at) => at != null).sort();
  return end && dayAt(end, timeZone) === dayAt(now, timeZone)
    ? `until ${clockIn(end, timeZone)}`
    : 'today';
}
