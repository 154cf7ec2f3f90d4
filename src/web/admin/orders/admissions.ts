import { formatDate } from '../../components/format-local-time.ts';
import type { Money } from '../../components/money.ts';
import type { OrderDetails } from './queries.ts';

/** A ticket or day pass that admits one person. */
export interface Admission {
  id: string;
  /** Null if the viewer cannot see codes. */
  code: string | null;
  isValid: boolean;
  /** "Early bird", "Day pass, Nov 20, 2026, Harbour House" */
  what: string;
  person: { name: string; email: string | null };
  price: Money;
}

export const toAdmissions = ({ tickets, dayPasses }: OrderDetails): Admission[] => [
  ...tickets.map(({ status, ticketType, attendee, ...ticket }) => ({
    ...ticket,
    isValid: status === 'VALID',
    what: ticketType.name,
    person: attendee,
  })),
  ...dayPasses.map(({ status, dayPassType, validOn, locationName, holder, ...pass }) => ({
    ...pass,
    isValid: status === 'VALID',
    what: `${dayPassType.name}, ${formatDate(validOn)}, ${locationName}`,
    person: holder,
  })),
];

/** The refundable amount, in minor units. */
export const toRefundableAmount = ({ paid, refundedAmount }: OrderDetails): Money => ({
  amount: paid.amount - refundedAmount.amount,
  currency: paid.currency,
});
