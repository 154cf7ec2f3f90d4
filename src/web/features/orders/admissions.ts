import type { Money } from '../../ui/money.ts';
import { dayWords } from '../../ui/place-words.ts';
import type { OrderDetails } from './order-queries.ts';

/** What lets one person in: a ticket or a day pass. */
export interface Admission {
  id: string;
  /** Null for those who cannot see codes. */
  code: string | null;
  isValid: boolean;
  /** "Early bird", "Day pass, Nov 20, 2026, Harbour House" */
  what: string;
  person: { name: string; email: string | null };
  price: Money;
}

export const admissionsOf = ({ tickets, dayPasses }: OrderDetails): Admission[] => [
  ...tickets.map(({ status, ticketType, attendee, ...ticket }) => ({
    ...ticket,
    isValid: status === 'VALID',
    what: ticketType.name,
    person: attendee,
  })),
  ...dayPasses.map(({ status, dayPassType, validOn, locationName, holder, ...pass }) => ({
    ...pass,
    isValid: status === 'VALID',
    what: `${dayPassType.name}, ${dayWords(validOn)}, ${locationName}`,
    person: holder,
  })),
];

/** What may still go back, in minor units. */
export const leftOf = ({ paid, refundedAmount }: OrderDetails): Money => ({
  amount: paid.amount - refundedAmount.amount,
  currency: paid.currency,
});
