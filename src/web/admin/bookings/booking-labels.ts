import { formatDuration } from '../../../core/time/format.ts';
import { formatMoney } from '../../components/money.ts';
import type { BookingStatus, SeriesScope } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import type { Slot } from './booking-form-values.ts';
import type { PricePreview } from './booking-preview.ts';
import type { Booking } from './queries.ts';

export const formatHolder = ({ member, guest }: Pick<Booking, 'member' | 'guest'>) =>
  member?.name ?? (guest ? `${guest.name} (guest)` : 'Unknown');

export const getBookingStatusLabels = (): Record<
  BookingStatus,
  [color: string, label: string]
> => ({
  CONFIRMED: ['teal', getMemberText('booking.status.CONFIRMED')],
  PENDING: ['orange', getMemberText('booking.status.PENDING')],
  CANCELLED: ['gray', getMemberText('booking.status.CANCELLED')],
  NO_SHOW: ['gray', getMemberText('booking.status.NO_SHOW')],
});

export const isActiveBooking = ({ status }: Pick<Booking, 'status'>) =>
  status === 'CONFIRMED' || status === 'PENDING';

export const SERIES_SCOPES: SeriesScope[] = ['THIS', 'FOLLOWING', 'ALL'];

export const isSameSlot = (slot: Slot, { startsAt, endsAt }: Slot) =>
  slot.startsAt === startsAt && slot.endsAt === endsAt;

/** "1 h 30 min at €38.00/h, 20% off" and its amount. */
export function formatPriceLine(
  line: PricePreview['lines'][number],
): [step: string, amount: string] {
  const { kind, minutes, pricePerHour, discountPercent, amount } = line;
  const duration = formatDuration(minutes);
  const total = formatMoney({ amount, currency: pricePerHour.currency });
  if (kind === 'ALLOWANCE') return [getMemberText('price.included', { duration }), total];
  const rate = { duration, money: formatMoney(pricePerHour) };
  const step =
    discountPercent > 0
      ? getMemberText('price.discountedRate', { ...rate, percent: discountPercent })
      : getMemberText('price.rate', rate);
  return [step, total];
}
