import { v7 } from 'uuid';
import { createSecret } from '../../../src/auth/tokens.ts';
import type { Prisma } from '../../../src/db/generated/client.ts';
import type { ProviderName } from '../../../src/integrations/payments/provider.ts';
import { MINUTE, makeConcert } from '../factories/payments.ts';
import type { TestApp } from '../harness/app.ts';
import type { ActionsCase } from './compare.ts';

type OrderColumns = Partial<Prisma.OrderUncheckedCreateInput>;
type TicketStatus = 'held' | 'valid' | 'expired' | 'cancelled';

/** An order of two tickets of one event, which all orders share, with a link. */
export async function insertOrder(
  app: TestApp,
  ticketStatus: TicketStatus,
  columns: OrderColumns,
): Promise<string> {
  const { db } = app.ctx;
  const type =
    (await db.ticketType.findFirst({ where: { name: 'Seat' } })) ?? (await makeSeats(app));
  const { eventId, id: ticketTypeId } = type;
  const holder = { attendeeName: 'Zoe', unitPrice: 2_500, amount: 2_500 };
  const toTicket = (position: number) => ({
    ...holder,
    ...{ code: v7(), eventId, ticketTypeId, position, status: ticketStatus },
  });
  const { id } = await db.order.create({
    data: {
      ...{ code: v7().slice(-8).toUpperCase(), status: 'pending', eventId, currency: 'EUR' },
      ...{ buyerName: 'Zoe', buyerEmail: 'zoe@example.org', totalAmount: 5_000 },
      ...{ provider: 'on_site', expiresAt: new Date(app.clock.now.getTime() + 15 * MINUTE) },
      accessTokens: { create: { hash: createSecret('orderLink').hash } },
      tickets: { create: [toTicket(0), toTicket(1)] },
      ...columns,
    },
  });
  return id;
}

/** Makes the event of the orders, with as many reserved seats as they can release. */
async function makeSeats(app: TestApp) {
  const event = await makeConcert(app, 10_000);
  const { db } = app.ctx;
  await db.event.update({ where: { id: event.id }, data: { reservedCount: 5_000 } });
  return db.ticketType.update({
    where: { id: event.ticketTypes[0]?.id ?? '' },
    data: { reservedCount: 5_000 },
  });
}

/** Inserts a payment of 50 euros. */
async function insertPayment(
  { ctx: { db } }: TestApp,
  { orderId, provider, refunded }: { orderId: string; provider: ProviderName; refunded: number },
): Promise<string> {
  const ref = provider === 'on_site' ? `on-site:${orderId}` : v7();
  const method = provider === 'on_site' ? 'cash' : 'card_online';
  const data = {
    amount: 5_000,
    currency: 'EUR',
    refunded,
    orderId,
    provider,
    ref,
    method,
  } as const;
  return (await db.payment.create({ data })).id;
}

interface OrderState extends OrderColumns {
  /** The status of its two tickets. */
  ticketStatus?: TicketStatus;
  /** What was returned of its payment. Without it, there is no payment. */
  refunded?: number;
  hasLinks?: boolean;
}

const toOrder =
  ({ ticketStatus = 'held', refunded, hasLinks = true, ...columns }: OrderState) =>
  async (app: TestApp) => {
    const orderId = await insertOrder(app, ticketStatus, columns);
    const provider = columns.provider ?? 'on_site';
    if (refunded !== undefined) await insertPayment(app, { orderId, provider, refunded });
    if (!hasLinks) await app.ctx.db.orderAccessToken.deleteMany({ where: { orderId } });
    return orderId;
  };

const PAST = new Date('2026-03-17T12:00:00Z');
const FREE = { provider: null, totalAmount: 0 } as const;
const PAID = {
  status: 'paid',
  ticketStatus: 'valid',
  paidAt: PAST,
} as const;
const EXPIRED = { status: 'expired', ticketStatus: 'expired' } as const;
const CANCELLED = {
  status: 'cancelled',
  ticketStatus: 'cancelled',
  cancelledAt: PAST,
} as const;

async function toTicketsMutation({ ctx: { db } }: TestApp, orderId: string): Promise<string> {
  const ticket = await db.ticket.findFirstOrThrow({ where: { orderId } });
  return `refundOrder(input: { id: $id, ticketIds: ["${ticket.id}"] })`;
}

export const ORDERS: ActionsCase = {
  type: 'Order',
  field: 'staffActions',
  states: {
    'pending on site': toOrder({}),
    'pending at a provider': toOrder({ provider: 'sandbox' }),
    'pending and free': toOrder(FREE),
    'paid on site': toOrder({ ...PAID, refunded: 0 }),
    'paid at a provider, in part returned': toOrder({
      ...PAID,
      provider: 'sandbox',
      refunded: 1_000,
    }),
    'paid and returned': toOrder({ ...PAID, refunded: 5_000 }),
    'paid and free, without links': toOrder({ ...PAID, ...FREE, hasLinks: false }),
    'expired on site': toOrder(EXPIRED),
    'expired and paid later': toOrder({ ...EXPIRED, refunded: 5_000 }),
    'expired at a provider': toOrder({ ...EXPIRED, provider: 'sandbox' }),
    cancelled: toOrder(CANCELLED),
    'cancelled, in part returned': toOrder({ ...CANCELLED, refunded: 1_000 }),
  },
  mutations: {
    cancel: 'refundOrder(input: { id: $id })',
    cancelTickets: toTicketsMutation,
    refundAmount: 'refundOrder(input: { id: $id, amount: 1 })',
    markPaid: 'markOrderPaid(input: { id: $id })',
    extendHold: 'extendOrderHold(input: { id: $id, until: "2026-03-25T17:00:00Z" })',
    resend: 'resendOrder(input: { id: $id })',
    revokeLinks: 'revokeOrderLinks(input: { id: $id })',
  },
  withoutButton: { 'cancelled markPaid': 'The money would have to be returned.' },
};

const toRefund =
  (provider: ProviderName, columns: Partial<Prisma.RefundUncheckedCreateInput>) =>
  async (app: TestApp) => {
    const orderId = await insertOrder(app, 'valid', { status: 'paid', paidAt: PAST, provider });
    const paymentId = await insertPayment(app, { orderId, provider, refunded: 5_000 });
    const times = { createdAt: app.clock.now, nextAttemptAt: app.clock.now };
    const { id } = await app.ctx.db.refund.create({
      data: { orderId, paymentId, amount: 5_000, ...times, ...columns },
    });
    return id;
  };

const SUCCEEDED = { status: 'succeeded', completedAt: PAST, method: 'cash' } as const;
const FAILED = { status: 'failed', lastError: 'declined' } as const;

/** The payment provider of the service is the sandbox. */
export const REFUNDS: ActionsCase = {
  type: 'Refund',
  states: {
    'pending on site': toRefund('on_site', {}),
    'failed on site': toRefund('on_site', FAILED),
    'pending at the provider': toRefund('sandbox', {}),
    'failed at the provider': toRefund('sandbox', FAILED),
    'pending at a provider that is not configured': toRefund('stripe', {}),
    'failed at a provider that is not configured': toRefund('stripe', FAILED),
    succeeded: toRefund('sandbox', SUCCEEDED),
  },
  mutations: {
    settle: 'settleRefund(input: { id: $id })',
    retry: 'retryRefund(input: { id: $id })',
  },
};
