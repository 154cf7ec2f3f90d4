import { v7 } from 'uuid';
import { randomCode } from '../../../codes.ts';
import { discountOn } from '../../discounts/discount.ts';
import type { OfferedDiscount } from './basket.ts';
import { refused, type Wanted } from './check.ts';
import { type Attendee, type Buyer, personOf } from './request.ts';

/** One admission that is wanted, with its price before and after the discount, in minor units. */
export interface Unit {
  id: string;
  code: string;
  position: number;
  name: string;
  email: string | null;
  unitPrice: number;
  amount: number;
}

export interface Bill<Extra> {
  units: (Unit & Extra)[];
  totalAmount: number;
  discountAmount: number;
  currency: string;
}

const MOST = 2_000_000_000; // a 32-bit number holds it
/** Of what lets people in. */
export const CODE_LENGTH = 12;

/** Each ticket by itself; those without an attendee of their own are the buyer's. */
export const unitsOf = (wanted: Wanted[], buyer: Buyer) =>
  wanted.flatMap(({ type, quantity, attendees }) =>
    Array.from({ length: quantity }, (_, n) => ({
      ticketTypeId: type.id,
      unitPrice: type.amount,
      person: attendees[n] ?? (buyer as Attendee),
    })),
  );

/** Throws VALIDATION where the sum is more than can be charged at once. */
export function billFor<Extra extends object>(
  wanted: (Extra & { unitPrice: number; person: Attendee })[],
  discount: OfferedDiscount | null,
  currency: string,
): Bill<Extra> {
  const list = wanted.map(({ unitPrice }) => unitPrice);
  const { discount: discountAmount, amounts } = discountOn(
    discount ?? { percent: null, amount: null },
    list,
  );
  const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
  if (totalAmount + discountAmount > MOST)
    throw refused('That is more than can be paid at once. Order fewer.', 'TOO_EXPENSIVE');
  const units = wanted.map(({ person, ...unit }, position) => ({
    ...unit,
    ...personOf(person),
    id: v7(),
    code: randomCode(CODE_LENGTH),
    position,
    amount: definitely(amounts[position]),
  })) as unknown as (Unit & Extra)[];
  return { units, totalAmount, discountAmount, currency };
}

function definitely(amount: number | undefined): number {
  if (amount === undefined) throw new Error('a discount answers for each amount');
  return amount;
}
