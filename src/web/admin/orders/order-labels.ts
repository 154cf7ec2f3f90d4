import { formatDate } from '../../components/format-local-time.ts';
import type { OrderStatus, PaymentProvider } from '../../gql/graphql.ts';

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
  ticketType: { name: string } | null;
  dayPassType: { name: string } | null;
}

/** "2 × Early bird", "1 × Day pass for Nov 20, 2026" */
export function formatOrderItem({
  quantity,
  validOn,
  ticketType,
  dayPassType,
}: OrderItemFields): string {
  const name = (ticketType ?? dayPassType)?.name ?? 'Ticket';
  return `${quantity} × ${name}${validOn === null ? '' : ` for ${formatDate(validOn)}`}`;
}
