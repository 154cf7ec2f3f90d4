import { Text, VisuallyHidden } from '@mantine/core';
import { formatLocalTimeRange } from '../../../core/time/format.ts';
import { formatResourceType } from '../spaces/resource-labels.ts';
import classes from './BookingBlock.module.css';
import { formatHolder } from './booking-labels.ts';
import { formatTimesOnDay } from './booking-times.ts';
import type { BookableResource, DayEvent } from './day-queries.ts';
import type { Booking } from './queries.ts';

interface Props {
  booking: Booking;
  /** The day that is shown, which can be one of several of the booking. */
  day: string;
  /** Lists wrap the text, the board truncates it. */
  inList?: boolean;
  onOpen: (booking: Booking) => void;
}

const STATUS_NOTES = {
  PENDING: 'needs approval',
  NO_SHOW: 'no-show',
  CANCELLED: 'cancelled',
};

export function BookingBlock({ booking, day, inList, onOpen }: Props) {
  const { title, status, startsAt, endsAt, location, resource, checkedInAt } = booking;
  const allTimes = formatLocalTimeRange(startsAt, endsAt, location.timeZone);
  const times = formatTimesOnDay(booking, day, location.timeZone);
  const holder = formatHolder(booking);
  const note = status === 'CONFIRMED' ? (checkedInAt ? 'checked in' : null) : STATUS_NOTES[status];
  return (
    <button
      type="button"
      className={`${classes.block} ${inList ? classes.list : ''}`}
      data-state={status}
      title={[allTimes, holder, title, note].filter(Boolean).join('\n')}
      onClick={() => onOpen(booking)}
    >
      <VisuallyHidden>{resource.name}: </VisuallyHidden>
      <span className={`${classes.line} ${classes.holder}`}>{title ?? holder}</span>
      <span className={classes.line}>
        {[note, title && holder, times].filter(Boolean).join(' · ')}
      </span>
    </button>
  );
}

interface EventBlockProps {
  event: DayEvent;
  day: string;
  timeZone: string;
}

/** An event reserves a room like a booking, but staff edit it under Events. */
export function EventBlock({ event, day, timeZone }: EventBlockProps) {
  const allTimes = formatLocalTimeRange(event.startsAt, event.endsAt, timeZone);
  const times = formatTimesOnDay(event, day, timeZone);
  return (
    <div className={classes.block} data-state="EVENT" title={`${event.title}\nEvent, ${allTimes}`}>
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
