import { timesIn } from '../../ui/place-words.ts';
import classes from './Block.module.css';
import { holderOf } from './booking-words.ts';
import type { EventOfDay } from './day-queries.ts';
import type { Booking } from './queries.ts';

interface Props {
  booking: Booking;
  /** In a list there is room for whole words. */
  inList?: boolean;
  onRead: (booking: Booking) => void;
}

const MARKS = { PENDING: 'waits for approval', NO_SHOW: 'nobody came', CANCELLED: 'cancelled' };

export function BookingBlock({ booking, inList, onRead }: Props) {
  const { title, status, startsAt, endsAt, location, resource, checkedInAt } = booking;
  const times = timesIn(startsAt, endsAt, location.timeZone);
  const who = holderOf(booking);
  const mark = status === 'CONFIRMED' ? (checkedInAt ? 'here' : null) : MARKS[status];
  return (
    <button
      type="button"
      className={`${classes.block} ${inList ? classes.list : ''}`}
      data-state={status}
      aria-label={[resource.name, times, who, title, mark].filter(Boolean).join(', ')}
      title={[times, who, title, mark].filter(Boolean).join('\n')}
      onClick={() => onRead(booking)}
    >
      <span className={`${classes.line} ${classes.who}`}>{title ?? who}</span>
      <span className={classes.line}>
        {[mark, title && who, times].filter(Boolean).join(' · ')}
      </span>
    </button>
  );
}

/** An event occupies a room as a booking does; it is looked after elsewhere. */
export function EventBlock({ event, timeZone }: { event: EventOfDay; timeZone: string }) {
  const times = timesIn(event.startsAt, event.endsAt, timeZone);
  return (
    <div className={classes.block} data-state="EVENT" title={`${event.title}\nEvent, ${times}`}>
      <span className={`${classes.line} ${classes.who}`}>{event.title}</span>
      <span className={classes.line}>Event · {times}</span>
    </div>
  );
}
