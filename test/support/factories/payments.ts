import { v7 } from 'uuid';
import { createSecret } from '../../../src/auth/tokens.ts';
import type { Prisma } from '../../../src/db/generated/client.ts';
import type { ProviderName } from '../../../src/integrations/payments/provider.ts';
import { signPayload } from '../fakes/stripe.ts';
import type { TestApp } from '../harness/app.ts';

export const MINUTE = 60_000;

/** An event with seats for 25 euros. */
export async function makeConcert(app: TestApp, capacity = 100) {
  const { db } = app.ctx;
  const { id: locationId } = await db.location.findFirstOrThrow();
  const startsAt = new Date(app.clock.now.getTime() + 20 * 24 * 60 * MINUTE);
  return db.event.create({
    data: {
      slug: `concert-${v7()}`,
      title: 'Jazz & Soup',
      status: 'published',
      publishedAt: app.clock.now,
      locationId,
      startsAt,
      endsAt: new Date(startsAt.getTime() + 120 * MINUTE),
      capacity,
      ticketTypes: { create: { name: 'Seat', priceAmount: 2_500, quantity: capacity } },
    },
    include: { ticketTypes: true },
  });
}

/** An order that holds two seats for 15 minutes, with its secret. */
export async function makeOrder(
  app: TestApp,
  provider: ProviderName,
  more: Partial<Prisma.OrderUncheckedCreateInput> = {},
) {
  const { db } = app.ctx;
  const event = await makeConcert(app);
  const [type] = event.ticketTypes;
  const { plainText, hash } = createSecret('orderLink');
  const id = v7();
  const seat = (position: number) => ({
    code: v7(),
    eventId: event.id,
    ticketTypeId: type?.id ?? '',
    position,
    status: 'held' as const,
    attendeeName: 'Zoe',
    unitPrice: 2_500,
    amount: 2_500,
  });
  await db.event.update({ where: { id: event.id }, data: { reservedCount: 2 } });
  await db.ticketType.update({ where: { id: type?.id ?? '' }, data: { reservedCount: 2 } });
  const order = await db.order.create({
    data: {
      id,
      code: id.slice(-8).toUpperCase(),
      status: 'pending',
      eventId: event.id,
      buyerName: 'Zoe',
      buyerEmail: 'zoe@example.org',
      currency: 'EUR',
      totalAmount: 5_000,
      provider,
      expiresAt: new Date(app.clock.now.getTime() + 15 * MINUTE),
      createdAt: app.clock.now,
      accessTokens: { create: { hash } },
      tickets: { create: [seat(0), seat(1)] },
      ...more,
    },
  });
  return { ...order, secret: plainText };
}

/** A paid order with a pending refund. */
export async function makeRefund(app: TestApp, provider: ProviderName, amount = 5_000) {
  const { db } = app.ctx;
  const { secret: _, ...order } = await makeOrder(app, provider, {
    status: 'paid',
    paidAt: app.clock.now,
  });
  const payment = await db.payment.create({
    data: {
      orderId: order.id,
      provider,
      ref: `pi_${v7()}`,
      amount: 5_000,
      currency: 'EUR',
      method: provider === 'on_site' ? 'cash' : 'card_online',
      refunded: amount,
      createdAt: app.clock.now,
    },
  });
  const refund = await db.refund.create({
    data: {
      orderId: order.id,
      paymentId: payment.id,
      amount,
      createdAt: app.clock.now,
      nextAttemptAt: app.clock.now,
    },
  });
  return { order, payment, refund };
}

/** Sends an event to the Stripe webhook, signed at the current time by default. */
export async function postStripeEvent(
  app: TestApp,
  event: object,
  given: { at?: Date; secret?: string; signature?: string; body?: string } = {},
) {
  const body = JSON.stringify(event);
  const signature = given.signature ?? signPayload(body, given.at ?? app.clock.now, given.secret);
  return app.rest(
    '/webhooks/stripe',
    {},
    {
      method: 'POST',
      body: given.body ?? body,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    },
  );
}

/** Fetches a page without following redirects. */
export async function fetchPage(app: TestApp, path: string, method = 'GET') {
  const response = await fetch(app.url + path, { method, redirect: 'manual' });
  return {
    status: response.status,
    to: response.headers.get('location'),
    headers: response.headers,
    text: await response.text(),
  };
}
