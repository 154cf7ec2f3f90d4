import { v7 } from 'uuid';
import type { Prisma } from '../../src/db/generated/client.ts';
import type { TestApp } from './app.ts';
import { makeSpace } from './space.ts';

type TypeColumns = Partial<Prisma.TicketTypeUncheckedCreateInput>;

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
  return { event: event.taken, types: types.map(({ taken }) => taken), tickets };
}
