import { formatExactDateTime, formatExactTime } from '../../components/format-ambiguous-time.ts';
import {
  formatBrowserDate,
  formatBrowserDateTime,
  formatBrowserTime,
} from '../../components/format-browser-time.ts';
import { formatLocalDate, formatLongDate } from '../../components/format-local-time.ts';
import type { Money } from '../../components/money.ts';
import { formatTimeZoneSuffix } from '../../components/time-zone-suffix.ts';
import type { PortalOrder } from './queries.ts';

/** A ticket or a day pass: what lets one person in. */
export interface OrderAdmission {
  id: string;
  code: string;
  qr: string;
  isValid: boolean;
  /** What it is called. */
  name: string;
  /** What is to be known besides. */
  line: string | null;
  holder: { name: string; email: string | null };
  price: Money;
}

/** The holder of the secret sees the codes. */
export const toOrderAdmissions = ({ tickets, dayPasses }: PortalOrder): OrderAdmission[] => [
  ...tickets.map(({ id, code, qr, status, attendee, ticketType, price }) => ({
    ...{ id, code: code ?? '', qr: qr ?? '', price },
    isValid: status === 'VALID',
    name: ticketType.name,
    line: null,
    holder: attendee,
  })),
  ...dayPasses.map(
    ({ id, code, qr, status, holder, dayPassType, validOn, locationName, price }) => ({
      ...{ id, code: code ?? '', qr: qr ?? '', price, holder },
      isValid: status === 'VALID',
      name: dayPassType.name,
      line: `${formatLongDate(validOn)}, ${locationName}`,
    }),
  ),
];

export const toValidAdmissions = (order: PortalOrder) =>
  toOrderAdmissions(order).filter(({ isValid }) => isValid);

/** "ticket", "2 day passes" */
export function formatAdmissionNoun(count: number, { event }: PortalOrder): string {
  const [one, many] = event ? ['ticket', 'tickets'] : ['day pass', 'day passes'];
  return count === 1 ? one : `${count} ${many}`;
}

/** "1 ticket", "2 day passes" */
export const formatCountedAdmissions = (count: number, order: PortalOrder) =>
  count === 1 ? `1 ${formatAdmissionNoun(1, order)}` : formatAdmissionNoun(count, order);

/** What the order is for, in a few words. */
export const getOrderTitle = ({ event, items }: PortalOrder) =>
  event?.title ?? items[0]?.dayPassType?.name ?? 'Your order';

/** By the event's clock. Of day passes the zone is not known here: those go by the buyer's own, and say so. */
export const formatOrderTime = ({ event }: PortalOrder, at: string | Date) =>
  event
    ? formatExactDateTime(at, event.timeZone) + formatTimeZoneSuffix(at, event.timeZone)
    : formatBrowserClock(formatBrowserDateTime, at);

/** The same, with the day only where it is not today. */
export function formatHoldEnd(order: PortalOrder, end: Date, now: Date): string {
  const { event } = order;
  const day = (at: Date) => (event ? formatLocalDate(at, event.timeZone) : formatBrowserDate(at));
  if (day(end) !== day(now)) return formatOrderTime(order, end);
  if (event === null) return formatBrowserClock(formatBrowserTime, end);
  return formatExactTime(end, event.timeZone) + formatTimeZoneSuffix(end, event.timeZone);
}

const formatBrowserClock = (words: (at: Date) => string, at: string | Date) =>
  `${words(new Date(at))} (your time)`;

/** "12 min 05 s left", "23 h 10 min left" */
export function formatRemainingTime(end: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((end.getTime() - now.getTime()) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s left`;
}
