import ical, { ICalEventStatus } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import type { Order } from '../order.ts';

const STATUSES = {
  pending: ICalEventStatus.TENTATIVE,
  paid: ICalEventStatus.CONFIRMED,
  expired: ICalEventStatus.CANCELLED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** What the order is for, as a calendar file: the event, or each day of a pass. RFC 5545. */
export function calendarFileOf(
  order: Order,
  { host, baseUrl }: { host: string; baseUrl: string },
): string {
  const calendar = ical({ prodId: '//Foyer//Orders//EN' });
  const { event } = order;
  if (event) {
    calendar.createEvent({
      id: `${event.id}@${host}`,
      start: new Date(event.startsAt),
      end: new Date(event.endsAt),
      ...versionOf(order, event.updatedAt),
      summary: plain(event.title),
      location: [event.location.name, event.location.address]
        .flatMap((text) => (text ? [plain(text)] : []))
        .join(', '),
      // Not the order's own page: calendars are shown around.
      url: `${baseUrl}/events/${event.slug}`,
      status: event.status === 'cancelled' ? ICalEventStatus.CANCELLED : STATUSES[order.status],
    });
  }
  for (const pass of order.dayPasses.filter(({ status }) => status === 'valid')) {
    const day = Temporal.PlainDate.from(pass.validOn);
    calendar.createEvent({
      id: `${pass.id}@${host}`,
      start: midnight(day),
      end: midnight(day.add({ days: 1 })),
      allDay: true,
      ...versionOf(order, order.createdAt),
      summary: plain(`${pass.dayPassType.name}, ${pass.holder.name}`),
      location: plain(pass.location.name),
    });
  }
  return calendar.toString();
}

/** What changes later has a higher number, and calendars take it over. */
function versionOf({ createdAt, cancelledAt }: Order, changedAt: string) {
  const latest = [createdAt, cancelledAt ?? createdAt, changedAt].toSorted().at(-1) ?? createdAt;
  const stamp = new Date(latest);
  return { stamp, sequence: Math.floor((stamp.getTime() - Date.parse(createdAt)) / 1_000) };
}

const midnight = (day: Temporal.PlainDate) => new Date(`${day.toString()}T00:00:00Z`);

/** On one line, without what no calendar may hold. */
const plain = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
