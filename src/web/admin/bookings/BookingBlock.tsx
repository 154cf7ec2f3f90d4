import { Text, VisuallyHidden } from '@mantine/core';
import { formatLocalTimeRange } from '../../components/format-local-time.ts';
import { formatResourceType } from '../spaces/resource-labels.ts';
import classes from './BookingBlock.module.css';
import { formatHolder } from './booking-labels.ts';
import type { BookableResource, Booking, DayEvent } from './queries.ts';

interface Props {
  booking: Booking;
  /** Lists wrap the text; the board cuts it off. */
  inList?: boolean;
  onRead: (booking: Booking) => void;
}

const STATUS_MARKS = {
  PENDING: 'needs approval',
  NO_SHOW: 'no-show',
  CANCELLED: 'cancelled',
};

export function BookingBlock({ booking, inList, onRead }: Props) {
  const { title, status, startsAt, endsAt, location, resource, checkedInAt } = booking;
  const times = formatLocalTimeRange(startsAt, endsAt, location.timeZone);
  const holder = formatHolder(booking);
  const mark = status === 'CONFIRMED' ? (checkedInAt ? 'here' : null) : STATUS_MARKS[status];
  return (
    <button
      type="button"
      className={`${classes.block} ${inList ? classes.list : ''}`}
      data-state={status}
      title={[times, holder, title, mark].filter(Boolean).join('\n')}
      onClick={() => onRead(booking)}
    >
      <VisuallyHidden>{resource.name}: </VisuallyHidden>
      <span className={`${classes.line} ${classes.holder}`}>{title ?? holder}</span>
      <span className={classes.line}>
        {[mark, title && holder, times].filter(Boolean).join(' · ')}
      </span>
    </button>
  );
}

/** An event occupies a room like a booking, but staff edit it under Events. */
export function EventBlock({ event, timeZone }: { event: DayEvent; timeZone: string }) {
  const times = formatLocalTimeRange(event.startsAt, event.endsAt, timeZone);
  return (
    <div className={classes.block} data-state="EVENT" title={`${event.title}\nEvent, ${times}`}>
      <span className={`${classes.line} ${classes.holder}`}>{event.title}</span>
      <span className={classes.line}>Event · {times}</span>
    </div>
  );
}

export const ResourceName = ({ resource }: { resource: BookableResource }) => (
  <>
    <Text size="sm" fw={600}>
      {resource.name}
    </Text>
    <Text size="xs" c="dimmed">
      {resource.active
        ? `${formatResourceType(resource.type)}${resource.capacity > 1 ? `, ${resource.capacity} people` : ''}`
        : 'Not bookable'}
    </Text>
  </>
);
