import { v7 } from 'uuid';
import type { Prisma } from '../../src/db/generated/client.ts';
import { applyPayment } from '../../src/features/orders/commands/apply-payment.ts';
import type { Credential, TestApp } from './app.ts';
import { makeSpace } from './space.ts';

type TypeColumns = Partial<Prisma.TicketTypeUncheckedCreateInput>;

/** For tests that order again and again from one address: their events set the limits so high. */
export const UNLIMITED_ORDERS = {
  maxSeatsPerEmail: 100_000,
  maxSeatsPerAddress: 100_000,
  maxSeatsPerNetwork: 100_000,
  confirmFreeOrders: false,
};

/** A published event, the week after the tests' present, with ticket types: one for ten euros, if none is named. */
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

/** Asks for tickets through REST. */
export const order = (
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

/** The order that must have been placed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
export async function placed(...args: Parameters<typeof order>): Promise<any> {
  const { status, body } = await order(...args);
  if (status !== 201) throw new Error(`not placed: ${status} ${JSON.stringify(body)}`);
  return (body.data as { order: unknown }).order;
}

/** What the database counts: sold and held, and what its tickets say. */
export async function stockOf(app: TestApp, eventId: string) {
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

/** All that GraphQL tells of an order. */
export const ORDER = `id code secret status buyer { name email } memberId total { amount currency }
  discount { amount } discountCode paid { amount } refundedAmount { amount } expiresAt cancelledAt
  event { id title } items { quantity unitPrice { amount } validOn }
  tickets { id code status attendee { name email } price { amount } }
  dayPasses { id code status validOn holder { name email } price { amount } }
  payment { provider status url } refunds { amount { amount } status reason }
  allowedActions { pay confirm cancel refundUntil changeAttendees }`;

/** Asks for tickets through GraphQL. */
export const orderByGraphql = (
  app: TestApp,
  event: string,
  items: Items[],
  { as, ...more }: { discountCode?: string; buyer?: object; as?: Credential } = {},
) =>
  app.graphql(
    `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { ${ORDER} } }`,
    { input: { eventId: event, buyer: BUYER, items, ...more } },
    as,
  );

/**
 * That both doors refuse in the same words, and change nothing; somebody in particular is known to GraphQL only.
 * Answers with why.
 */
export async function refusal(
  app: TestApp,
  event: string,
  items: Items[],
  { discountCode, ...more }: { discountCode?: string; as?: Credential } = {},
) {
  const before = await app.ctx.db.order.count();
  const { errors } = await orderByGraphql(app, event, items, {
    ...more,
    ...(discountCode && { discountCode }),
  });
  const { code, ...details } = errors[0]?.extensions ?? {};
  if (!more.as) {
    const rest = await order(
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

/** Money arrives for an order. */
export const pay = (
  app: TestApp,
  { id }: { id: string },
  amount: number,
  { ref = `ref-${id}`, currency = 'EUR' } = {},
) => applyPayment(app.ctx, { orderId: id, provider: 'on_site', ref, amount: { amount, currency } });

/** An order that has been paid. */
export async function bought(...args: Parameters<typeof order>) {
  const { id, secret, total } = await placed(...args);
  if (total.amount > 0) await pay(args[0], { id }, total.amount);
  return portal(args[0], secret);
}

/** The order as its holder sees it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
export async function portal(app: TestApp, secret: string): Promise<any> {
  const { status, body } = await app.rest(`/public/orders/${secret}`);
  if (status !== 200) throw new Error(`no order: ${status} ${JSON.stringify(body)}`);
  return (body.data as { order: unknown }).order;
}

export const post = (app: TestApp, path: string, body: object = {}, as: Credential = {}) =>
  app.rest(path, as, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Gives up an order, or tickets of it, through REST. */
export const cancel = (app: TestApp, secret: string, ticketIds?: string[]) =>
  post(app, `/public/orders/${secret}/cancel`, ticketIds ? { ticket_ids: ticketIds } : {});

/** The same through GraphQL. */
export const cancelByGraphql = (app: TestApp, secret: string, ticketIds?: string[]) =>
  app.graphql(
    `mutation ($secret: String!, $ticketIds: [ID!]) { cancelOrder(secret: $secret, ticketIds: $ticketIds) { ${ORDER} } }`,
    { secret, ticketIds },
  );

/** What was written to an address, oldest first. */
export const mailsTo = ({ ctx }: TestApp, recipient: string) =>
  ctx.db.mail.findMany({ where: { recipient }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

/** The work at another time. */
export async function at<T>(app: TestApp, time: string | Date, work: () => Promise<T>): Promise<T> {
  const { now } = app.clock;
  app.clock.now = new Date(time);
  try {
    return await work();
  } finally {
    app.clock.now = now;
  }
}

/** An address that nobody has used yet. */
export const somebody = (name = 'Nora Lind') => ({ name, email: `${v7()}@example.org` });

/** The reason of each error, or its code where it has none. */
export const reasons = ({ errors }: { errors: { extensions: Record<string, unknown> }[] }) =>
  errors.map(({ extensions }) => extensions.reason ?? extensions.code);
