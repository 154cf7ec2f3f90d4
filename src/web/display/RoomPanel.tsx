import { formatLocalTime } from '../../core/time/format.ts';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { getText } from '../language/page-texts.ts';
import { Clock } from './Clock.tsx';
import {
  getOpeningState,
  getRoomState,
  isSnapshotValid,
  type RoomItem,
} from './current-content.ts';
import type { DisplayViewProps } from './device-storage.ts';
import { FitList } from './display-lists.tsx';
import { formatOpeningTime, formatShortTime, formatTimeSpan } from './format-display-time.ts';
import classes from './RoomPanel.module.css';

/** Shows whether a room is free, by color and in text, on a display next to its door. */
export function RoomPanel({ snapshot, now }: DisplayViewProps) {
  const { device, content } = snapshot.state;
  const { time_zone } = device.location;
  const { current, busyUntil, next, today } = getRoomState(snapshot.state, now);
  const isKnown = isSnapshotValid(snapshot, now);
  const opening = getOpeningState(snapshot, now);
  const state = !isKnown ? 'unknown' : current ? 'busy' : opening.isOpen ? 'free' : 'closed';
  return (
    <div className={classes.page}>
      <section className={classes.state} data-state={state}>
        <div className={classes.head}>
          <h1>{device.resource?.name ?? content.title}</h1>
          <Clock now={now} timeZone={time_zone} />
        </div>
        <div className={classes.middle}>
          <div className={classes.status}>{getText(STATE_LABELS[state])}</div>
          <p className={classes.until}>
            {state === 'busy' &&
              busyUntil &&
              getText('display.until', { time: formatShortTime(busyUntil, now, time_zone) })}
            {state === 'free' &&
              formatFreeUntil([next?.starts_at, opening.closesAt], now, time_zone)}
            {state === 'closed' &&
              opening.opensAt &&
              formatOpeningTime(opening.opensAt, now, time_zone)}
            {state === 'unknown' && getText('display.noUpdate')}
          </p>
          {state === 'busy' && current && (
            <p className={classes.what}>
              <b>{current.title ?? getText('display.booked')}</b>
              {current.host && <span>{current.host}</span>}
            </p>
          )}
        </div>
        {isKnown && next && (
          <p className={classes.next}>
            {getText('display.next', {
              time: formatShortTime(next.starts_at, now, time_zone),
              booking: [next.title ?? getText('display.booked'), next.host]
                .filter(Boolean)
                .join(', '),
            })}
          </p>
        )}
      </section>
      <section className={classes.list} aria-label={getText('display.today')}>
        <h2>{getText('display.today')}</h2>
        {isKnown && today.length > 0 ? (
          <FitList>
            {today.map((item) => (
              <RoomPanelEntry
                key={item.id}
                item={item}
                isCurrent={item === current}
                timeZone={time_zone}
              />
            ))}
          </FitList>
        ) : (
          <p className={classes.nothing}>
            {getText(isKnown ? 'display.noMoreBookings' : 'display.unknown')}
          </p>
        )}
      </section>
    </div>
  );
}

const STATE_LABELS = {
  busy: 'display.busy',
  free: 'display.free',
  closed: 'display.closed',
  unknown: 'display.unknown',
} as const;

const RoomPanelEntry = ({
  item,
  isCurrent,
  timeZone,
}: {
  item: RoomItem;
  isCurrent: boolean;
  timeZone: string;
}) => (
  <div className={classes.entry} data-on={isCurrent || undefined}>
    <span className={classes.times}>{formatTimeSpan(item.starts_at, item.ends_at, timeZone)}</span>
    <span className={classes.title}>{item.title ?? getText('display.booked')}</span>
    <span className={classes.host}>
      {isCurrent ? [item.host, getText('display.now')].filter(Boolean).join(', ') : item.host}
    </span>
  </div>
);

/** "until 15:00" if anything ends the free time today, otherwise "today". */
function formatFreeUntil(ends: (string | null | undefined)[], now: Date, timeZone: string): string {
  const [end] = ends.filter((instant) => instant != null).sort();
  return end && toLocalDate(end, timeZone) === toLocalDate(now, timeZone)
    ? getText('display.until', { time: formatLocalTime(end, timeZone) })
    : getText('display.freeToday');
}
