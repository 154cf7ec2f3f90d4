import type { Context } from '../../context.ts';
import { formatLongDate, formatLongTimeRange, formatOpenDay } from '../../core/time/format.ts';
import type { EmailAttachment } from '../../integrations/email/outbox.ts';
import { toCalendarFile } from './service/portal.ts';
import type { Order } from './types.ts';

/** The event or day pass of an order, with its time and place. */
export interface OrderSubject {
  title: string;
  /** For a day pass, whose title contains the date, the opening times of the day. Null if the location is always open. */
  time: string | null;
  place: string;
}

export function toOrderSubject({ event, day, items }: Order): OrderSubject {
  if (event) {
    const { title, startsAt, endsAt, timeZone, location, roomName } = event;
    return {
      title,
      time: formatLongTimeRange(startsAt, endsAt, timeZone),
      place: [location.name, roomName, location.address].filter(Boolean).join(', '),
    };
  }
  const [item] = items;
  return {
    title: [
      item?.typeName ?? 'Day pass',
      ...(item?.validOn ? [formatLongDate(item.validOn)] : []),
    ].join(', '),
    time: item?.validOn && day?.openingTimes ? formatOpenDay(item.validOn, day.openingTimes) : null,
    place: [day?.locationName, day?.address].filter(Boolean).join(', '),
  };
}

/** Returns the time and place as lines. */
export const toSubjectLines = ({ time, place }: OrderSubject) =>
  [time, place].filter((line) => line !== null && line !== '') as string[];

/** Formats a subject on one line: "Evening, Thursday, 19 March 2026, 19:00 to 22:00 (Berlin time), Main house, 1 High Street". */
export const formatOrderSubject = (subject: OrderSubject) =>
  [subject.title, ...toSubjectLines(subject)].join(', ');

/** The values that templates of emails to all holders contain. */
export const toSubjectValues = (order: Order) => ({
  ...toOrderSubject(order),
  admission: order.event ? 'ticket' : 'day pass',
  admissions: order.event ? 'tickets' : 'day passes',
});

/** The values that templates of emails to buyers contain. */
export const toOrderValues = (order: Order) => ({ ...toSubjectValues(order), order: order.code });

/**
 * Returns the calendar entries of an order, to be added or updated. They contain no names of a free order, since a stranger may
 * have entered them.
 */
export const attachCalendar = (
  { baseUrl, now }: Pick<Context, 'baseUrl' | 'now'>,
  order: Order,
): EmailAttachment => ({
  type: 'calendar',
  method: 'PUBLISH',
  content: toCalendarFile(order, {
    ...{ baseUrl, host: new URL(baseUrl).host },
    publishedAt: now(),
    showsNames: order.paid.amount > 0,
  }),
});
