import { z } from 'zod';
import { type RateLimits, toSecretGuess } from '../../auth/rate-limits.ts';
import type { Ctx } from '../../context.ts';
import { noQuery, route } from '../../rest/route.ts';
import { inSnakeCase, instant, money, named } from '../../rest/shapes.ts';
import { paymentUrl, portalUrl } from './addresses.ts';
import { ADMISSION_STATUSES, ORDER_STATUSES, type Order, PAYMENT_STATUSES } from './order.ts';
import * as orders from './service.ts';

const person = z.object({ name: z.string(), email: z.string().nullable() });

const order = z
  .object({
    id: z.uuid(),
    code: z.string().meta({ description: 'Short, for people' }),
    secret: z.string().meta({ description: 'Opens the order: keep it' }),
    status: z.enum(ORDER_STATUSES),
    buyer: z.object({ name: z.string(), email: z.string() }),
    total: money,
    discount: z.object({ code: z.string().nullable(), amount: money }),
    paid: money,
    refunded_amount: money,
    expires_at: instant
      .nullable()
      .meta({ description: 'Until when a pending order holds its stock' }),
    paid_at: instant.nullable(),
    cancelled_at: instant.nullable(),
    created_at: instant,
    event: z
      .object({
        id: z.uuid(),
        slug: z.string(),
        title: z.string(),
        starts_at: instant,
        ends_at: instant,
      })
      .loose()
      .nullable(),
    items: z.array(
      z.object({
        ticket_type: named.nullable(),
        day_pass_type: named.nullable(),
        valid_on: z.string().nullable(),
        quantity: z.int(),
        unit_price: money,
      }),
    ),
    tickets: z.array(
      z.object({
        id: z.uuid(),
        code: z.string(),
        status: z.enum(ADMISSION_STATUSES),
        attendee: person,
        ticket_type: named,
        event: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }).loose(),
        price: money,
      }),
    ),
    day_passes: z.array(
      z.object({
        id: z.uuid(),
        code: z.string(),
        status: z.enum(ADMISSION_STATUSES),
        valid_on: z.string(),
        holder: person,
        day_pass_type: named,
        location: named.loose(),
        price: money,
      }),
    ),
    payment: z
      .object({
        status: z.enum(PAYMENT_STATUSES),
        provider: z.string().nullable(),
        url: z.string(),
      })
      .nullable(),
    confirmation_required: z.boolean().meta({
      description:
        'A free order that holds its places until expires_at: the link in the mail to the buyer confirms it',
    }),
    may: z
      .object({
        pay: z.boolean(),
        confirm: z.boolean(),
        cancel: z.boolean(),
        refund_until: instant.nullable(),
        change_attendees: z.boolean(),
      })
      .meta({ description: 'What may still be done' }),
    portal_url: z.string(),
  })
  .meta({ id: 'Order' });

export const data = z.object({ order });

/** Of every route that an order's secret opens. */
export const bySecret = (input: {
  params: Record<string, string>;
  rateLimits: RateLimits;
  address: string;
}) => toSecretGuess(input.rateLimits, input.address, 'orderLink', input.params.secret ?? '');

export const routes = [
  route({
    method: 'GET',
    path: '/public/orders/{secret}',
    access: 'public',
    summary: 'An order for whoever holds its secret',
    query: noQuery,
    data,
    guess: bySecret,
    answer: async (ctx, { params: { secret = '' } }) =>
      one(ctx, await orders.bySecret(ctx, secret)),
  }),
];

/** An order with its secret, in the wire's words. */
export const one = (
  ctx: Ctx,
  { memberId: _, placeName: __, refunded, items, tickets, dayPasses, payment, ...order }: Order,
) => ({
  data: {
    order: {
      ...inSnakeCase({ ...order, refundedAmount: refunded }),
      items: items.map(inSnakeCase),
      tickets: tickets.map(inSnakeCase),
      day_passes: dayPasses.map(inSnakeCase),
      payment: payment && { ...payment, url: paymentUrl(ctx, order.secret ?? '') },
      portal_url: portalUrl(ctx, order.secret ?? ''),
    },
  },
});
