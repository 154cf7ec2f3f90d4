import type { Money } from '../../../core/money.ts';
import { formatDate } from '../../../core/time/format.ts';
import type { OrderStatus, PaymentProvider } from '../../gql/graphql.ts';
import type { OrderDetails } from './queries.ts';

export const ORDER_STATUS_OPTIONS: { value: OrderStatus; label: string; color: string }[] = [
  { value: 'PENDING', label: 'Pending', color: 'yellow' },
  { value: 'PAID', label: 'Confirmed', color: 'teal' },
  { value: 'EXPIRED', label: 'Expired', color: 'gray' },
  { value: 'CANCELLED', label: 'Cancelled', color: 'gray' },
];

export const toOrderStatusLabel = (status: OrderStatus) =>
  ORDER_STATUS_OPTIONS.find(({ value }) => value === status) ?? { label: status, color: 'gray' };

const PROVIDER_LABELS: Record<PaymentProvider, string> = {
  ON_SITE: 'At the front desk',
  STRIPE: 'Stripe',
  SANDBOX: 'Sandbox (no real money)',
};

export const formatProvider = (provider: PaymentProvider) => PROVIDER_LABELS[provider];

interface OrderItemFields {
  quantity: number;
  validOn: string | null;
  typeName: string;
}

/** "2 × Early bird", "1 × Day pass for Fri, 20 Nov 2026" */
export function formatOrderItem({ quantity, validOn, typeName }: OrderItemFields): string {
  return `${quantity} × ${typeName}${validOn === null ? '' : ` for ${formatDate(validOn)}`}`;
}

/** A ticket or a day pass. It admits one person. */
export interface Admission {
  id: string;
  /** Null if the viewer cannot see codes. */
  code: string | null;
  isValid: boolean;
  /** "Early bird", "Day pass, Fri, 20 Nov 2026, Harbour House" */
  name: string;
  person: { name: string; email: string | null };
  price: Money;
}

export const toAdmissions = ({ tickets, dayPasses }: OrderDetails): Admission[] => [
  ...tickets.map(({ status, typeName, attendee, ...ticket }) => ({
    ...ticket,
    isValid: status === 'VALID',
    name: typeName,
    person: attendee,
  })),
  ...dayPasses.map(({ status, typeName, validOn, locationName, holder, ...pass }) => ({
    ...pass,
    isValid: status === 'VALID',
    name: `${typeName}, ${formatDate(validOn)}, ${locationName}`,
    person: holder,
  })),
];

/** The paid amount that has not been refunded. */
export const toRefundableAmount = ({ paid, refundedAmount }: OrderDetails): Money => ({
  amount: paid.amount - refundedAmount.amount,
  currency: paid.currency,
});
