import type { Money } from '../../../core/money.ts';
import { getMemberText } from '../../language/member-texts.ts';

// German law (§ 312j BGB) and French law (L221-14 Code de la consommation) want the button to say that it costs something.

/** Returns what the button says that books, or asks staff to approve a booking. */
export function toBookLabel({
  status,
  price,
}: {
  status: string | null;
  price: Money | null;
}): string {
  const isPriced = hasPrice(price);
  return status === 'PENDING'
    ? getMemberText(isPriced ? 'confirm.requestPriced' : 'confirm.request')
    : getMemberText(isPriced ? 'confirm.bookPriced' : 'confirm.book');
}

/** Returns what the button says that moves a booking. The new time can cost more. */
export const toRescheduleLabel = (
  { price }: { price: Money | null },
  booking: { price: Money | null },
): string =>
  getMemberText(
    (price?.amount ?? 0) > (booking.price?.amount ?? 0) ? 'move.priced' : 'booking.reschedule',
  );

const hasPrice = (price: Money | null): boolean => (price?.amount ?? 0) > 0;
