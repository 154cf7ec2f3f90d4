import { formatDuration } from '../../../core/time/format.ts';
import { formatMoney } from '../../components/money.ts';
import type { BookingStatus, SeriesScope } from '../../gql/graphql.ts';
import type { Slot } from './booking-form-values.ts';
import type { PricePreview } from './booking-preview.ts';
import type { Booking } from './queries.ts';

export const formatHolder = ({ member, guest }: Pick<Booking, 'member' | 'guest'>) =>
  member?.name ?? (guest ? `${guest.name} (guest)` : 'Unknown');

export const BOOKING_STATUS_LABELS: Record<BookingStatus, [color: string, label: string]> = {
  CONFIRMED: ['teal', 'Confirmed'],
  PENDING: ['orange', 'Needs approval'],
  CANCELLED: ['gray', 'Cancelled'],
  NO_SHOW: ['gray', 'No-show'],
};

export const isActiveBooking = ({ status }: Pick<Booking, 'status'>) =>
  status === 'CONFIRMED' || status === 'PENDING';

export const SERIES_SCOPE_OPTIONS: { value: SeriesScope; label: string }[] = [
  { value: 'THIS', label: 'This booking' },
  { value: 'FOLLOWING', label: 'This and later bookings' },
  { value: 'ALL', label: 'This and all upcoming bookings' },
];

export const isSameSlot = (slot: Slot, { startsAt, endsAt }: Slot) =>
  slot.startsAt === startsAt && slot.endsAt === endsAt;

/** "1 h 30 min at €38.00/h, 20% off" and its amount. */
export function formatPriceLine(
  line: PricePreview['lines'][number],
): [step: string, amount: string] {
  const { kind, minutes, pricePerHour, discountPercent, amount } = line;
  const length = formatDuration(minutes);
  const total = formatMoney({ amount, currency: pricePerHour.currency });
  if (kind === 'ALLOWANCE') return [`${length} included in the plan`, total];
  const rate = `${length} at ${formatMoney(pricePerHour)}/h`;
  return [discountPercent > 0 ? `${rate}, ${discountPercent}% off` : rate, total];
}
