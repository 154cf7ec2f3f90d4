import type { Money } from '../../../core/money.ts';
import { formatLocalDate, formatLocalTime } from '../../../core/time/format.ts';
import { formatTimeZoneSuffix } from '../../components/browser-time.tsx';
import { BROWSER_TIME_ZONE } from '../../components/wall-clock.ts';
import { formatLongDate, formatLongTime } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
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

/** "1 ticket", "2 day passes" */
export const formatCountedAdmissions = (count: number, { event }: PortalOrder) =>
  event ? getText('order.ticketCount', { count }) : getText('order.passCount', { count });

export const getOrderTitle = ({ event, items }: PortalOrder) =>
  event?.title ?? items[0]?.typeName ?? getText('order.yourOrder');

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
  if (minutes >= 2 * DAY_MINUTES)
    return getText('order.daysLeft', { count: Math.floor(minutes / DAY_MINUTES) });
  if (minutes >= 60)
    return getText('order.hoursLeft', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  return getText('order.minutesLeft', { minutes, seconds: String(seconds % 60).padStart(2, '0') });
}
