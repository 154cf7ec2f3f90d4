import type { Context } from '../../context.ts';
import { formatLongDate, formatLongTimeRange } from '../../core/time/format.ts';
import type { EmailAttachment } from '../../integrations/email/outbox.ts';
import { toCalendarFile } from './service/portal.ts';
import type { Order } from './types.ts';

/** The event or day pass of an order, with its time and place. */
export interface OrderSubject {
  title: string;
  /** Null for a day pass, whose title contains the date. */
  time: string | null;
  place: string;
}

export function toOrderSubject({ event, locationName, items }: Order): OrderSubject {
  if (event) {
    const { title, startsAt, endsAt, timeZone, location } = event;
    return {
      title,
      time: formatLongTimeRange(Date.parse(startsAt), Date.parse(endsAt), timeZone),
      place: [location.name, location.address].filter(Boolean).join(', '),
    };
  }
  const [item] = items;
  return {
    title: [
      item?.typeName ?? 'Day pass',
      ...(item?.validOn ? [formatLongDate(item.validOn)] : []),
    ].join(', '),
    time: null,
    place: locationName ?? '',
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
