import type { Context } from '../../context.ts';
import { formatLongDate, formatLongTimeRange, type OpeningTime } from '../../core/time/format.ts';
import type { EmailAttachment } from '../../integrations/email/outbox.ts';
import { parseSender } from '../../integrations/email/sender.ts';
import type { EmailTexts, SpaceTexts } from '../../languages/emails/email-texts.ts';
import { type CalendarMessage, toCalendarFile } from './service/portal.ts';
import type { Order } from './types.ts';

/** The event or day pass of an order, with its time and place. */
export interface OrderSubject {
  title: string;
  /** For a day pass, whose title contains the date, the opening times of the day. Null if the location is always open. */
  time: string | null;
  place: string;
}

export function toOrderSubject(texts: EmailTexts, { event, day, items }: Order): OrderSubject {
  const { language } = texts;
  if (event) {
    const { title, startsAt, endsAt, timeZone, location, roomName } = event;
    return {
      title,
      time: formatLongTimeRange(startsAt, endsAt, timeZone, language),
      place: [location.name, roomName, location.address].filter(Boolean).join(', '),
    };
  }
  const [item] = items;
  return {
    title: [
      item?.typeName ?? texts.text('order.dayPass'),
      ...(item?.validOn ? [formatLongDate(item.validOn, language)] : []),
    ].join(', '),
    time:
      item?.validOn && day?.openingTimes
        ? formatOpenDay(texts, item.validOn, day.openingTimes)
        : null,
    place: [day?.locationName, day?.address].filter(Boolean).join(', '),
  };
}

/**
 * Formats a date with its opening times: "Friday, 20 March 2026, open 09:00 to 12:00, 13:00 to 18:00". Null times are those of a
 * location that is always open, none those of one that is closed.
 */
export function formatOpenDay(
  { language, text }: EmailTexts,
  date: string,
  times: OpeningTime[] | null,
): string {
  const day = formatLongDate(date, language);
  if (times === null) return day;
  if (times.length === 0) return text('date.closed', { day });
  const spans = times.map(({ opens, closes }) => text('date.span', { opens, closes }));
  return text('date.open', { day, times: spans.join(', ') });
}

/** Returns the time and place as lines. */
export const toSubjectLines = ({ time, place }: OrderSubject) =>
  [time, place].filter((line) => line !== null && line !== '') as string[];

/** Formats a subject on one line: "Evening, Thursday, 19 March 2026, 19:00 to 22:00 (Berlin time), Main house, 1 High Street". */
export const formatOrderSubject = (subject: OrderSubject) =>
  [subject.title, ...toSubjectLines(subject)].join(', ');

/** The values that templates of emails to all holders contain. */
export const toSubjectValues = (texts: EmailTexts, order: Order) => ({
  ...toOrderSubject(texts, order),
  admission: texts.text(`order.admission.${toAdmissionKind(order)}`),
  admissions: texts.text(`order.admissions.${toAdmissionKind(order)}`),
});

/** Chooses the texts about the tickets or day passes of an order. */
export const toAdmissionKind = ({ event }: Order) => (event ? 'ticket' : 'pass');

/** The values that templates of emails to buyers contain. */
export const toOrderValues = (texts: EmailTexts, order: Order) => ({
  ...toSubjectValues(texts, order),
  order: order.code,
});

/**
 * Returns the calendar entries of an order: `PUBLISH` to add or update them, `CANCEL` to remove those of what was cancelled. They
 * contain no names of a free order, since a stranger may have entered them.
 */
export const attachCalendar = (
  { baseUrl, mailFrom, now }: EmailContext,
  { spaceName }: SpaceTexts,
  order: Order,
  method: CalendarMessage['method'] = 'PUBLISH',
): EmailAttachment => ({
  type: 'calendar',
  method,
  content: toCalendarFile(order, {
    ...{ baseUrl, host: new URL(baseUrl).host },
    message: { method, organizer: parseSender(mailFrom, spaceName), sentAt: now() },
    showsNames: order.paid.amount > 0,
  }),
});

/** What emails of orders contain beside the order. */
export type EmailContext = Pick<Context, 'baseUrl' | 'mailFrom' | 'now'>;
