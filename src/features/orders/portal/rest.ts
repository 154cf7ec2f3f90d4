import { createHash } from 'node:crypto';
import { z } from 'zod';
import { notFound } from '../../../errors.ts';
import { noQuery, route } from '../../../rest/route.ts';
import { bySecret } from '../rest.ts';
import * as orders from '../service.ts';
import { calendarFileOf } from './calendar.ts';
import { qrOf } from './qr.ts';
import { receiptOf } from './receipt.ts';

export const routes = [
  route({
    method: 'GET',
    path: '/public/orders/{secret}/calendar.ics',
    access: 'public',
    summary: 'What the order is for, for a calendar program',
    query: noQuery,
    data: z.string(),
    guess: bySecret,
    mediaType: 'text/calendar',
    answer: async (ctx, { params: { secret = '' }, baseUrl }) => {
      const found = await orders.bySecret(ctx, secret);
      const { host } = new URL(baseUrl);
      return versioned(calendarFileOf(found, { host, baseUrl }));
    },
  }),
  route({
    method: 'GET',
    path: '/public/orders/{secret}/receipt',
    access: 'public',
    summary: 'What was bought, paid and given back, as a page to print',
    query: noQuery,
    data: z.string(),
    guess: bySecret,
    mediaType: 'text/html',
    answer: async (ctx, { params: { secret = '' } }) =>
      versioned(receiptOf(await orders.bySecret(ctx, secret))),
  }),
  route({
    method: 'GET',
    path: '/public/orders/{secret}/codes/{id}',
    access: 'public',
    summary: 'The QR code of a ticket or a day pass of the order, as SVG',
    query: noQuery,
    data: z.string(),
    guess: bySecret,
    mediaType: 'image/svg+xml',
    answer: async (ctx, { params: { secret = '', id } }) => {
      const { tickets, dayPasses } = await orders.bySecret(ctx, secret);
      const found = [...tickets, ...dayPasses].find((one) => one.id === id);
      if (!found) throw notFound('ticket');
      return versioned(await qrOf(found.code));
    },
  }),
];

/** Whoever has it already, such as a calendar program, is told that it is still the same. */
const versioned = (data: string) => ({
  data,
  etag: createHash('sha256').update(data).digest('base64url'),
});
