import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { DAY_MS, HOUR_MS } from '../core/time/time-zone.ts';
import type { Prisma } from '../db/generated/client.ts';
import { applyDiscount } from '../features/discounts/service.ts';
import { createSeededRandom, deriveCode, type SeededRandom } from './seeded-random.ts';

type OrderRow = Prisma.OrderCreateManyInput;
type TicketRow = Prisma.TicketCreateManyInput;
type PaymentRow = Prisma.PaymentCreateManyInput;
type RefundRow = Prisma.RefundCreateManyInput;

export interface Buyer {
  id: string | null;
  name: string;
  email: string;
}

/** Buyers who are not members. */
const guestBuyers: readonly Buyer[] = [
  { id: null, name: 'Marlene Kuhn', email: 'marlene.kuhn@example.net' },
  { id: null, name: 'Paulo Teixeira', email: 'paulo.teixeira@example.net' },
  { id: null, name: 'Ingrid Solheim', email: 'ingrid.solheim@example.net' },
  { id: null, name: 'Viktor Hale', email: 'viktor.hale@example.net' },
  { id: null, name: 'Chiamaka Obi', email: 'chiamaka.obi@example.net' },
];

export interface Ledger {
  orders: OrderRow[];
  tickets: TicketRow[];
  payments: PaymentRow[];
  refunds: RefundRow[];
}

export const createLedger = (): Ledger => ({ orders: [], tickets: [], payments: [], refunds: [] });

export async function loadBuyers({ db }: Context): Promise<Buyer[]> {
  const members = await db.member.findMany({
    where: { status: 'active' },
    orderBy: { email: 'asc' },
    select: { id: true, name: true, email: true },
  });
  return [...members, ...guestBuyers];
}

/** Adds the orders, tickets and payments that the reserved counts of the events stand for, and waiting list entries. */
export async function addOrders(ctx: Context): Promise<void> {
  const buyers = await loadBuyers(ctx);
  const events = await ctx.db.event.findMany({
    include: { ticketTypes: { orderBy: { position: 'asc' } } },
    orderBy: { slug: 'asc' },
  });
  const welcome = { id: v7(), code: 'WELCOME10', percent: 10, maxUses: 50 };
  const ledger = createLedger();
  const random = createSeededRandom(4_711);
  let uses = 0;
  for (const event of events) {
    const until = Math.min(ctx.now().getTime() - HOUR_MS, event.startsAt.getTime());
    for (const type of event.ticketTypes) {
      for (let left = type.reservedCount; left > 0; ) {
        const quantity = Math.min(left, random.pick([1, 1, 1, 2, 2, 3]));
        left -= quantity;
        const isDiscounted = type.priceAmount > 0 && random.chance(0.1);
        if (isDiscounted) uses += 1;
        const at = pickDateBetween(random, event.createdAt.getTime(), until);
        addOrderRows(ledger, {
          at,
          buyer: random.pick(buyers),
          event,
          type,
          quantity,
          code: isDiscounted ? welcome : null,
        });
      }
    }
  }
  addCancelledOrderRows(ctx, ledger, events, random, buyers);
  await ctx.db.discountCode.create({ data: { ...welcome, uses, createdAt: ctx.now() } });
  await ctx.db.order.createMany({ data: ledger.orders });
  await ctx.db.ticket.createMany({ data: ledger.tickets });
  await ctx.db.payment.createMany({ data: ledger.payments });
  await ctx.db.refund.createMany({ data: ledger.refunds });
  await addWaitlistEntries(ctx, buyers);
}

type EventWithTicketTypes = Prisma.EventGetPayload<{ include: { ticketTypes: true } }>;

interface Purchase {
  at: Date;
  buyer: Buyer;
  event: EventWithTicketTypes;
  type: EventWithTicketTypes['ticketTypes'][number];
  quantity: number;
  code: { id: string; percent: number } | null;
  /** When the order was cancelled and refunded. */
  cancelledAt?: Date;
}

function addOrderRows(
  ledger: Ledger,
  { at, buyer, event, type, quantity, code, cancelledAt }: Purchase,
): void {
  const id = v7();
  const orderCode = deriveCode(`order ${event.slug} ${ledger.orders.length}`, 9);
  const prices = Array.from({ length: quantity }, () => type.priceAmount);
  const { discount, amounts } = applyDiscount(
    { percent: code?.percent ?? null, amount: null },
    prices,
  );
  const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
  const endedAt = cancelledAt ?? null;
  ledger.orders.push({
    id,
    code: orderCode,
    status: cancelledAt ? 'cancelled' : 'paid',
    eventId: event.id,
    memberId: buyer.id,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    currency: type.priceCurrency,
    totalAmount,
    discountAmount: discount,
    discountCodeId: code?.id ?? null,
    provider: totalAmount > 0 ? 'sandbox' : null,
    paidAt: at,
    cancelledAt: endedAt,
    createdAt: at,
    updatedAt: endedAt ?? at,
  });
  amounts.forEach((amount, position) => {
    ledger.tickets.push({
      id: v7(),
      code: deriveCode(`ticket ${orderCode} ${position}`, 12),
      orderId: id,
      eventId: event.id,
      ticketTypeId: type.id,
      position,
      status: cancelledAt ? 'cancelled' : 'valid',
      attendeeName: buyer.name,
      attendeeEmail: buyer.email,
      unitPrice: type.priceAmount,
      amount,
      cancelledAt: endedAt,
      createdAt: at,
      updatedAt: endedAt ?? at,
    });
  });
  if (totalAmount > 0)
    addPaymentRows(ledger, {
      orderId: id,
      currency: type.priceCurrency,
      totalAmount,
      at,
      cancelledAt,
    });
}

export function addPaymentRows(
  ledger: Ledger,
  paid: {
    orderId: string;
    currency: string;
    totalAmount: number;
    at: Date;
    cancelledAt?: Date | undefined;
  },
): void {
  const { orderId, currency, totalAmount: amount, at, cancelledAt } = paid;
  const paymentId = v7();
  const ref = `sandbox:${orderId}`;
  const refunded = cancelledAt ? amount : 0;
  ledger.payments.push({
    id: paymentId,
    orderId,
    provider: 'sandbox',
    ref,
    method: 'card_online',
    amount,
    refunded,
    currency,
    createdAt: at,
  });
  if (!cancelledAt) return;
  const refundId = v7();
  ledger.refunds.push({
    id: refundId,
    orderId,
    paymentId,
    amount,
    reason: 'Cancelled by the buyer.',
    status: 'succeeded',
    method: 'card_online',
    ref: `sandbox-refund:${refundId}`,
    nextAttemptAt: cancelledAt,
    completedAt: cancelledAt,
    createdAt: cancelledAt,
  });
}

/** Adds cancelled orders: five for a cancelled event, and one of a buyer who cancelled a concert ticket. */
function addCancelledOrderRows(
  ctx: Context,
  ledger: Ledger,
  events: EventWithTicketTypes[],
  random: SeededRandom,
  buyers: Buyer[],
): void {
  for (const event of events) {
    const type = event.ticketTypes.at(-1);
    const count = event.status === 'cancelled' ? 5 : event.slug === 'rooftop-concert' ? 1 : 0;
    for (let n = 0; type && n < count; n += 1) {
      const at = pickDateBetween(
        random,
        event.createdAt.getTime(),
        ctx.now().getTime() - 48 * HOUR_MS,
      );
      const cancelledAt = event.cancelledAt ?? new Date(ctx.now().getTime() - DAY_MS);
      addOrderRows(ledger, {
        at,
        buyer: random.pick(buyers),
        event,
        type,
        quantity: 1 + (n % 2),
        code: null,
        cancelledAt,
      });
    }
  }
}

/** Adds waiting list entries for an event that is sold out. */
async function addWaitlistEntries(ctx: Context, buyers: Buyer[]): Promise<void> {
  const type = await ctx.db.ticketType.findFirst({
    where: { event: { slug: 'type-night' } },
    orderBy: { position: 'asc' },
  });
  if (type === null) return;
  await ctx.db.waitlistEntry.createMany({
    data: buyers.slice(-4).map(({ id, name, email }, index) => {
      const at = new Date(ctx.now().getTime() - (4 - index) * 5 * HOUR_MS);
      return {
        ticketTypeId: type.id,
        hash: Uint8Array.from(createHash('sha256').update(`waiting ${email}`).digest()),
        memberId: id,
        name,
        email,
        quantity: 1 + (index % 2),
        acceptsFewer: index < 3,
        createdAt: at,
        updatedAt: at,
      };
    }),
  });
}

const pickDateBetween = (random: SeededRandom, from: number, until: number) =>
  new Date(from + Math.max(0, until - from) * random.pick([0.1, 0.25, 0.4, 0.55, 0.7, 0.85]));
