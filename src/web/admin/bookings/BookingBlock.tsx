import { Text } from '@mantine/core';
import { formatLocalTimeRange } from '../../components/format-local-time.ts';
import { formatResourceType } from '../spaces/resource-labels.ts';
import classes from './BookingBlock.module.css';
import { formatHolder } from './booking-labels.ts';
import type { BookableResource, Booking, DayEvent } from './queries.ts';

interface Props {
  booking: Booking;
  /** In a list there is room for whole words. */
  inList?: boolean;
  onRead: (booking: Booking) => void;
}

const STATUS_MARKS = {
  PENDING: 'waits for approval',
  NO_SHOW: 'nobody came',
  CANCELLED: 'cancelled',
};

export function BookingBlock({ booking, inList, onRead }: Props) {
  const { title, status, startsAt, endsAt, location, resource, checkedInAt } = booking;
  const times = formatLocalTimeRange(startsAt, endsAt, location.timeZone);
  const who = formatHolder(booking);
  const mark = status === 'CONFIRMED' ? (checkedInAt ? 'here' : null) : STATUS_MARKS[status];
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
export function EventBlock({ event, timeZone }: { event: DayEvent; timeZone: string }) {
  const times = formatLocalTimeRange(event.startsAt, event.endsAt, timeZone);
  return (
    <div className={classes.block} data-state="EVENT" title={`${event.title}\nEvent, ${times}`}>
      <span className={`${classes.line} ${classes.who}`}>{event.title}</span>
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
