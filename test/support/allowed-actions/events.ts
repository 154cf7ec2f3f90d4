import { v7 } from 'uuid';
import type { Prisma } from '../../../src/db/generated/client.ts';
import { makeEvent } from '../factories/events.ts';
import type { TestApp } from '../harness/app.ts';
import type { ActionsCase } from './compare.ts';

type EventColumns = Partial<Prisma.EventUncheckedCreateInput>;

const OVER = {
  startsAt: new Date('2026-03-10T18:00:00Z'),
  endsAt: new Date('2026-03-10T21:00:00Z'),
};
const DRAFT = { status: 'draft', publishedAt: null } as const;
const CANCELLED = { status: 'cancelled', cancelledAt: new Date('2026-03-11T12:00:00Z') } as const;

/** An event at the location of the others, with an order if `ordered`. */
async function makeEventAt(app: TestApp, columns: EventColumns, ordered = false) {
  const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
  const event = await makeEvent(app, { ...columns, locationId });
  if (ordered) await makeTicket(app, event);
  return event;
}

async function makeTicket({ ctx: { db } }: TestApp, event: { id: string; type: string }) {
  const amounts = { currency: 'EUR', totalAmount: 1_000, discountAmount: 0 };
  const buyer = { buyerName: 'Nora Lind', buyerEmail: 'nora@example.org' };
  const order = await db.order.create({
    data: { ...amounts, ...buyer, code: v7(), status: 'expired', eventId: event.id },
  });
  await db.ticket.create({
    data: {
      ...{ code: v7(), orderId: order.id, eventId: event.id, ticketTypeId: event.type },
      ...{
        position: 0,
        status: 'cancelled',
        attendeeName: 'Nora',
        unitPrice: 1_000,
        amount: 1_000,
      },
    },
  });
}

const toEvent = (columns: EventColumns, ordered?: boolean) => async (app: TestApp) =>
  (await makeEventAt(app, columns, ordered)).id;

export const EVENTS: ActionsCase = {
  type: 'Event',
  states: {
    draft: toEvent(DRAFT),
    'draft that is over': toEvent({ ...DRAFT, ...OVER }),
    'draft with orders': toEvent(DRAFT, true),
    published: toEvent({}),
    'published with orders': toEvent({}, true),
    over: toEvent(OVER),
    cancelled: toEvent(CANCELLED),
  },
  mutations: {
    update: 'updateEvent(input: { id: $id, title: $new })',
    publish: 'publishEvent(input: { id: $id })',
    cancel: 'cancelEvent(input: { id: $id })',
    delete: 'deleteEvent(input: { id: $id })',
    createTicketType:
      'createTicketType(input: { eventId: $id, name: $new, price: { amount: 0, currency: "EUR" } })',
  },
};

const toType = (columns: EventColumns, ordered?: boolean) => async (app: TestApp) =>
  (await makeEventAt(app, columns, ordered)).type;

export const TICKET_TYPES: ActionsCase = {
  type: 'TicketType',
  read: {
    toQuery: (it) =>
      `query ($event: ID!) { node(id: $event) { ... on Event { ticketTypes { ${it} } } } }`,
    toVariables: async ({ ctx }, id) => ({
      event: (await ctx.db.ticketType.findUniqueOrThrow({ where: { id } })).eventId,
    }),
    find: ({ node }) => node?.ticketTypes[0],
  },
  states: {
    'of a draft': toType(DRAFT),
    'of a published event': toType({}),
    'of an event with orders': toType({}, true),
    'of a cancelled event': toType(CANCELLED),
  },
  mutations: {
    update: 'updateTicketType(input: { id: $id, name: $new })',
    delete: 'deleteTicketType(input: { id: $id })',
  },
};
