import { formatDecimal } from '../../../core/money.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { BookingExportQuery } from '../../gql/graphql.ts';

export type ExportedBooking = BookingExportQuery['bookings']['edges'][number]['node'];

export const BOOKING_CSV_HEADER = [
  ...['starts_at', 'ends_at', 'time_zone', 'hours', 'location', 'resource', 'booked_by', 'email'],
  ...['company', 'team', 'plan', 'title', 'status', 'checked_in_at', 'price', 'due', 'paid'],
  ...['open', 'surplus', 'currency', 'payment', 'id'],
];

/** Times are those of the location, as spreadsheets read them: a booking belongs to the month in which it takes place there. */
export function toBookingCsvLines(booking: ExportedBooking): string[][] {
  const { payment, price, location, member, guest } = booking;
  const toLocal = (at: string) =>
    toZonedDateTime(Date.parse(at), location.timeZone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' })
      .replace('T', ' ');
  const hours = (Date.parse(booking.endsAt) - Date.parse(booking.startsAt)) / 3_600_000;
  return [
    [
      ...[toLocal(booking.startsAt), toLocal(booking.endsAt), location.timeZone],
      String(Math.round(hours * 100) / 100),
      ...[location.name, booking.resource.name, member?.name ?? guest?.name ?? ''],
      ...[member?.email ?? guest?.email ?? '', member?.company ?? '', member?.team?.name ?? ''],
      ...[booking.membership?.plan.name ?? '', booking.title ?? '', booking.status.toLowerCase()],
      booking.checkedInAt ? toLocal(booking.checkedInAt) : '',
      ...[price, payment.due, payment.paid, payment.open, payment.surplus].map(formatDecimal),
      ...[price.currency, payment.status.toLowerCase(), booking.id],
    ],
  ];
}
