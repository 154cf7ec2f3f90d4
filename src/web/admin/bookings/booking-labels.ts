import { formatDuration } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import type { BookingStatus, SeriesScope } from '../../gql/graphql.ts';
import type { PricePreview, Slot } from './preview-queries.ts';
import type { Booking, BookingDetails } from './queries.ts';

export const formatHolder = ({ member, guest }: Pick<Booking, 'member' | 'guest'>) =>
  member?.name ?? (guest ? `${guest.name} (guest)` : 'nobody');

export const BOOKING_STATUS_LABELS: Record<BookingStatus, [color: string, word: string]> = {
  CONFIRMED: ['teal', 'Confirmed'],
  PENDING: ['orange', 'Waits for approval'],
  CANCELLED: ['gray', 'Cancelled'],
  NO_SHOW: ['gray', 'Nobody came'],
};

export const isActiveBooking = ({ status }: Pick<Booking, 'status'>) =>
  status === 'CONFIRMED' || status === 'PENDING';

export const SERIES_SCOPE_OPTIONS: { value: SeriesScope; label: string }[] = [
  { value: 'THIS', label: 'Only this one' },
  { value: 'FOLLOWING', label: 'This one and those after it' },
  { value: 'ALL', label: 'All that are still to come, and this one' },
];

/** To itself its present time is free, and no move. */
export const isSameSlot = (slot: Slot, { startsAt, endsAt }: Slot) =>
  slot.startsAt === startsAt && slot.endsAt === endsAt;

/** The last moment at which a cancellation costs nothing. */
export const toFreeCancellationDeadline = ({ startsAt, resource }: BookingDetails) =>
  new Date(new Date(startsAt).getTime() - resource.freeCancellationHours * 3_600_000);

/** "1 h 30 min at €38.00 less 20 %" and what it comes to. */
export function formatPriceLine(
  line: PricePreview['lines'][number],
): [step: string, amount: string] {
  const { kind, minutes, pricePerHour, discountPercent, amount } = line;
  const length = formatDuration(minutes);
  const total = formatMoney({ amount, currency: pricePerHour.currency });
  if (kind === 'ALLOWANCE') return [`${length} included in the plan`, total];
  const rate = `${length} at ${formatMoney(pricePerHour)} an hour`;
  return [discountPercent > 0 ? `${rate}, less ${discountPercent} %` : rate, total];
}
