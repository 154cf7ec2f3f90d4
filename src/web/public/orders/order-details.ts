import {
  formatLocalDate,
  formatLocalTime,
  formatLongDate,
  formatLongTime,
} from '../../../core/time/format.ts';
import { formatTimeZoneSuffix } from '../../components/browser-time.tsx';
import type { Money } from '../../components/money.ts';
import { BROWSER_TIME_ZONE } from '../../components/wall-clock.ts';
import type { PortalOrder } from './queries.ts';

const DAY_MINUTES = 24 * 60;

/** A ticket or a day pass. It admits one person. */
export interface OrderAdmission {
  id: string;
  code: string;
  qr: string;
  isValid: boolean;
  /** The name of the ticket type or day pass. */
  name: string;
  /** The date and location of a day pass. */
  details: string | null;
  holder: { name: string; email: string | null };
  price: Money;
}

/** Lists the tickets and day passes of an order. Their codes are present, since the order was loaded with its secret. */
export const toOrderAdmissions = ({ tickets, dayPasses }: PortalOrder): OrderAdmission[] => [
  ...tickets.map(({ id, code, qr, status, attendee, typeName, price }) => ({
    ...{ id, code: code ?? '', qr: qr ?? '', price },
    isValid: status === 'VALID',
    name: typeName,
    details: null,
    holder: attendee,
  })),
  ...dayPasses.map(({ id, code, qr, status, holder, typeName, validOn, locationName, price }) => ({
    ...{ id, code: code ?? '', qr: qr ?? '', price, holder },
    isValid: status === 'VALID',
    name: typeName,
    details: `${formatLongDate(validOn)}, ${locationName}`,
  })),
];

export const toValidAdmissions = (order: PortalOrder) =>
  toOrderAdmissions(order).filter(({ isValid }) => isValid);

/** "ticket", "2 day passes" */
export function formatAdmissionNoun(count: number, { event }: PortalOrder): string {
  const [singular, plural] = event ? ['ticket', 'tickets'] : ['day pass', 'day passes'];
  return count === 1 ? singular : `${count} ${plural}`;
}

/** "1 ticket", "2 day passes" */
export const formatCountedAdmissions = (count: number, order: PortalOrder) =>
  count === 1 ? `1 ${formatAdmissionNoun(1, order)}` : formatAdmissionNoun(count, order);

export const getOrderTitle = ({ event, items }: PortalOrder) =>
  event?.title ?? items[0]?.typeName ?? 'Your order';

/** Formats a time with its weekday and date, in the zone of the location. */
export const formatOrderTime = (order: PortalOrder, instant: string | Date) => {
  const timeZone = getTimeZone(order);
  return formatLongTime(instant, timeZone) + formatTimeZoneSuffix(instant, timeZone);
};

/** Like `formatOrderTime`, but without the date if it is today. */
export function formatHoldEnd(order: PortalOrder, end: Date, now: Date): string {
  const timeZone = getTimeZone(order);
  if (formatLocalDate(end, timeZone) !== formatLocalDate(now, timeZone))
    return formatOrderTime(order, end);
  return formatLocalTime(end, timeZone) + formatTimeZoneSuffix(end, timeZone);
}

const getTimeZone = ({ location }: PortalOrder) => location?.timeZone ?? BROWSER_TIME_ZONE;

/** "12 min 05 s left", "23 h 10 min left", "6 days left" */
export function formatRemainingTime(end: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((end.getTime() - now.getTime()) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 2 * DAY_MINUTES) return `${Math.floor(minutes / DAY_MINUTES)} days left`;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s left`;
}
