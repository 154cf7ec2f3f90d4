import type { OrderStatus, PaymentProvider } from '../../gql/graphql.ts';
import { dayWords } from '../../ui/place-words.ts';

export const ORDER_STATUSES: { value: OrderStatus; label: string; color: string }[] = [
  { value: 'PENDING', label: 'Not paid or confirmed', color: 'yellow' },
  { value: 'PAID', label: 'Confirmed', color: 'teal' },
  { value: 'EXPIRED', label: 'Expired', color: 'gray' },
  { value: 'CANCELLED', label: 'Cancelled', color: 'gray' },
];

export const statusOf = (status: OrderStatus) =>
  ORDER_STATUSES.find(({ value }) => value === status) ?? { label: status, color: 'gray' };

const PROVIDERS: Record<PaymentProvider, string> = {
  ON_SITE: 'at the front desk',
  STRIPE: 'by Stripe',
  SANDBOX: 'in the sandbox: no real money',
};

export const providerWords = (provider: PaymentProvider) => PROVIDERS[provider];

interface Item {
  quantity: number;
  validOn: string | null;
  ticketType: { name: string } | null;
  dayPassType: { name: string } | null;
}

/** "2 × Early bird", "1 × Day pass for Nov 20, 2026" */
export function itemWords({ quantity, validOn, ticketType, dayPassType }: Item): string {
  const name = (ticketType ?? dayPassType)?.name ?? 'Ticket';
  return `${quantity} × ${name}${validOn === null ? '' : ` for ${dayWords(validOn)}`}`;
}
