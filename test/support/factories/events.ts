import { v7 } from 'uuid';
import type { Prisma } from '../../../src/db/generated/client.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { announceEventMoves } from '../../../src/features/orders/emails/service/event-moves.ts';
import { applyPayment } from '../../../src/features/orders/service/apply-payment.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { makeSpace } from './space.ts';

type TypeColumns = Partial<Prisma.TicketTypeUncheckedCreateInput>;

/** High limits for tests that order many times from one address. */
export const UNLIMITED_ORDERS = {
  maxSeatsPerEmail: 100_000,
  maxSeatsPerAddress: 100_000,
  maxSeatsPerNetwork: 100_000,
  confirmFreeOrders: false,
};

/** A published event a week after NOW, by default with one ticket type for ten euros. */
export async function makeEvent(
  app: TestApp,
  {
    types = [{}],
    ...event
  }: { types?: TypeColumns[] } & Partial<Prisma.EventUncheckedCreateInput> = {},
) {
  const { db } = app.ctx;
  const locationId = event.locationId ?? (await makeSpace(app)).location.id;
  const row = await db.event.create({
    data: {
      slug: `evening-${v7()}`,
      title: 'Evening',
      status: 'published',
      publishedAt: app.clock.now,
      startsAt: new Date('2026-03-25T18:00:00Z'),
      endsAt: new Date('2026-03-25T21:00:00Z'),
      refundHours: 24,
      ...UNLIMITED_ORDERS,
      ...event,
      locationId,
    },
  });
  const made: string[] = [];
  for (const [position, type] of types.entries()) {
    const { id } = await db.ticketType.create({
      data: {
        name: `Type ${position}`,
        priceAmount: 1_000,
        quantity: 10,
        position,
        ...type,
        eventId: row.id,
      },
    });
    made.push(id);
  }
  return { id: row.id, slug: row.slug, types: made, type: made[0] as string };
}

export const BUYER = { name: 'Nora Lind', email: 'nora@example.org' };

export interface Items {
  ticketTypeId: string;
  quantity: number;
  attendees?: { name: string; email?: string }[];
}

/** Orders tickets through REST. */
export const postOrder = (
  app: TestApp,
  event: string,
  items: Items[],
  more: { discount_code?: string; buyer?: object; key?: string } = {},
) => {
  const { key, ...body } = more;
  return app.rest(
    `/public/events/${event}/orders`,
    {},
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
      body: JSON.stringify({
        buyer: BUYER,
        items: items.map(({ ticketTypeId, ...item }) => ({
          ticket_type_id: ticketTypeId,
          ...item,
        })),
        ...body,
      }),
    },
  );
};

/** Orders tickets through REST and expects success. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
export async function placeOrder(...args: Parameters<typeof postOrder>): Promise<any> {
  const { status, body } = await postOrder(...args);
  if (status !== 201) throw new Error(`order failed: ${status} ${JSON.stringify(body)}`);
  return (body.data as { order: unknown }).order;
}

/** Reads the counters of an event and its types, and counts its tickets. */
export async function countStock(app: TestApp, eventId: string) {
  const { db } = app.ctx;
  const event = await db.event.findUniqueOrThrow({ where: { id: eventId } });
  const types = await db.ticketType.findMany({ where: { eventId }, orderBy: { position: 'asc' } });
  const tickets = await db.ticket.count({ where: { eventId, status: { in: ['held', 'valid'] } } });
  return {
    event: event.reservedCount,
    types: types.map(({ reservedCount }) => reservedCount),
    tickets,
  };
}

/** The fields of an order. */
export const ORDER_FIELDS = `id code secret status buyer { name email } memberId total { amount currency }
  discount { amount } discountCode: discountCodeText paid { amount } refundedAmount { amount } expiresAt cancelledAt
  event { id title } items { quantity unitPrice { amount } validOn }
  tickets { id code status attendee { name email } price { amount } }
  dayPasses { id code status validOn holder { name email } price { amount } }
  payment { provider status url } refunds { amount { amount } status reason }
  allowedActions { pay confirm cancel refundUntil changeAttendees }`;

/** Orders tickets through GraphQL. */
export const placeOrderByGraphql = (
  app: TestApp,
  event: string,
  items: Items[],
  { as, ...more }: { discountCode?: string; buyer?: object; as?: Credential } = {},
) =>
  app.graphql(
    `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { ${ORDER_FIELDS} } } }`,
    { input: { eventId: event, buyer: BUYER, items, ...more } },
    as,
  );

/**
 * Expects the same rejection from both APIs without any change, and returns its reason. With `as`, only GraphQL is called,
 * because REST orders are anonymous.
 */
export async function expectRejected(
  app: TestApp,
  event: string,
  items: Items[],
  { discountCode, ...more }: { discountCode?: string; as?: Credential } = {},
) {
  const before = await app.ctx.db.order.count();
  const { errors } = await placeOrderByGraphql(app, event, items, {
    ...more,
    ...(discountCode && { discountCode }),
  });
  const { code, ...details } = errors[0]?.extensions ?? {};
  if (!more.as) {
    const rest = await postOrder(
      app,
      event,
      items,
      discountCode ? { discount_code: discountCode } : {},
    );
    const status = code === 'NOT_FOUND' ? 404 : 422;
    expect([rest.status, rest.body.data]).toEqual([status, errors[0]?.message]);
  }
  expect(await app.ctx.db.order.count()).toBe(before);
  return { code, ...details } as { code: string; reason?: string };
}

/** Applies a payment to an order. */
export const payOrder = (
  app: TestApp,
  { id }: { id: string },
  amount: number,
  { ref = `ref-${id}`, currency = 'EUR' } = {},
) =>
  applyPayment(app.ctx, {
    orderId: id,
    provider: 'on_site',
    ref,
    amount: { amount, currency },
    method: 'cash',
    takenById: null,
  });

/** Orders tickets and pays for them. */
export async function buyTickets(...args: Parameters<typeof postOrder>) {
  const { id, secret, total } = await placeOrder(...args);
  if (total.amount > 0) await payOrder(args[0], { id }, total.amount);
  return fetchOrder(args[0], secret);
}

/** Fetches the order with its secret. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
export async function fetchOrder(app: TestApp, secret: string): Promise<any> {
  const { status, body } = await app.rest(`/public/orders/${secret}`);
  if (status !== 200) throw new Error(`order not found: ${status} ${JSON.stringify(body)}`);
  return (body.data as { order: unknown }).order;
}

export const postJson = (app: TestApp, path: string, body: object = {}, as: Credential = {}) =>
  app.rest(path, as, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Cancels an order or some of its tickets through REST. */
export const cancelOrder = (app: TestApp, secret: string, ticketIds?: string[]) =>
  postJson(app, `/public/orders/${secret}/cancel`, ticketIds ? { ticket_ids: ticketIds } : {});

/** Cancels an order or some of its tickets through GraphQL. */
export const cancelOrderByGraphql = (app: TestApp, secret: string, ticketIds?: string[]) =>
  app.graphql(
    `mutation ($secret: String!, $ticketIds: [ID!]) { cancelOrder(input: { secret: $secret, ticketIds: $ticketIds }) { order { ${ORDER_FIELDS} } } }`,
    { secret, ticketIds },
  );

/** Queues the emails about all changes, and finds those to an address, oldest first. */
export async function findEmails({ ctx }: TestApp, recipient: string) {
  await catchUp(ctx, mailReader);
  await announceEventMoves(ctx);
  return ctx.db.mail.findMany({
    where: { recipient },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Runs `work` at another time. */
export async function atTime<T>(
  app: TestApp,
  time: string | Date,
  work: () => Promise<T>,
): Promise<T> {
  const { now } = app.clock;
  app.clock.now = new Date(time);
  try {
    return await work();
  } finally {
    app.clock.now = now;
  }
}

/** A buyer with a unique address. */
export const makeBuyer = (name = 'Nora Lind') => ({ name, email: `${v7()}@example.org` });

/** The reason of each error, or its code if it has none. */
export const getReasons = ({ errors }: { errors: { extensions: Record<string, unknown> }[] }) =>
  errors.map(({ extensions }) => extensions.reason ?? extensions.code);
