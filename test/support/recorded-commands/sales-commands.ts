import { buyTickets, makeEvent, placeOrder } from '../factories/events.ts';
import { march } from '../factories/space.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../factories/waitlist.ts';
import { type Command, EUROS } from './stage.ts';

/** Events, ticket types, discount codes and day pass types. */
export const SALES_COMMANDS: Record<string, Command> = {
  'Mutation.createEvent': {
    records: ['event.created'],
    prepare: async ({ space }) => ({
      title: 'Evening',
      locationId: (await space()).location.id,
      ...march(25, '18:00', '20:00'),
    }),
  },
  'Mutation.createEvent: with a slug': {
    records: ['event.created'],
    prepare: async ({ space }) => ({
      title: 'Evening',
      slug: 'evening-with-a-slug',
      locationId: (await space()).location.id,
      ...march(25, '18:00', '20:00'),
    }),
  },
  'Mutation.updateEvent': {
    records: ['event.updated'],
    prepare: async ({ createDraft }) => ({ id: await createDraft(), capacity: 30 }),
  },
  'Mutation.updateEvent: to an earlier time, with orders': {
    records: ['event.updated', 'order.hold_shortened'],
    prepare: async ({ app }) => {
      const event = await makeEvent(app, { types: [{ priceAmount: 0 }, {}] });
      const [free = '', paid = ''] = event.types;
      await placeOrder(app, event.id, [{ ticketTypeId: free, quantity: 1 }]);
      const { id } = await placeOrder(app, event.id, [{ ticketTypeId: paid, quantity: 1 }]);
      const data = { provider: 'on_site', expiresAt: new Date('2026-03-25T18:00:00Z') } as const;
      await app.ctx.db.order.update({ where: { id }, data });
      return { id: event.id, title: 'Long evening', ...march(24, '18:00', '20:00') };
    },
  },
  'Mutation.updateEvent: to more people, with a waiting list': {
    records: ['event.updated', 'order.offered', 'waitlist_entry.offered'],
    prepare: async ({ app }) => {
      const { id, type } = await makeEvent(app, { capacity: 1 });
      await buyTickets(app, id, [{ ticketTypeId: type, quantity: 1 }]);
      await createWaitlistActions(app).join(type);
      return { id, capacity: 5 };
    },
  },
  'Mutation.updateTicketType: with a waiting list': {
    records: ['ticket_type.updated', 'order.offered', 'waitlist_entry.offered'],
    prepare: async ({ app }) => {
      const { type } = await makeSoldOutEvent(app);
      await createWaitlistActions(app).join(type);
      return { id: type, quantity: 5 };
    },
  },
  'Mutation.cancelEvent: with orders and a waiting list': {
    records: [
      'event.cancelled',
      'ticket.cancelled',
      'order.cancelled',
      'refund.created',
      'waitlist_entry.expired',
    ],
    prepare: async ({ app }) => {
      const { id, type } = await makeSoldOutEvent(app);
      await createWaitlistActions(app).join(type);
      return { id, reason: 'The speaker is ill' };
    },
  },
  'Mutation.publishEvent': {
    records: ['event.published'],
    prepare: async ({ createDraft }) => ({ id: await createDraft() }),
  },
  'Mutation.cancelEvent': {
    records: ['event.cancelled'],
    prepare: async ({ createDraft }) => ({ id: await createDraft() }),
  },
  'Mutation.deleteEvent': {
    records: ['event.deleted', 'ticket_type.deleted', 'discount_code.deleted'],
    prepare: async ({ createTicketType, app, run }) => {
      const id = await createTicketType();
      const { eventId } = await app.ctx.db.ticketType.findUniqueOrThrow({ where: { id } });
      await run('createDiscountCode', { eventId, percent: 10 }, 'discountCode { id }');
      return { id: eventId };
    },
  },
  'Mutation.createTicketType': {
    records: ['ticket_type.created'],
    prepare: async ({ createDraft }) => ({
      eventId: await createDraft(),
      name: 'Standard',
      price: EUROS,
    }),
  },
  'Mutation.updateTicketType': {
    records: ['ticket_type.updated'],
    prepare: async ({ createTicketType }) => ({ id: await createTicketType(), quantity: 5 }),
  },
  'Mutation.deleteTicketType': {
    records: ['ticket_type.deleted'],
    prepare: async ({ createTicketType }) => ({ id: await createTicketType() }),
  },
  'Mutation.createDiscountCode': {
    records: ['discount_code.created'],
    prepare: () => ({ percent: 10 }),
  },
  'Mutation.updateDiscountCode': {
    records: ['discount_code.updated'],
    prepare: async ({ createDiscountCode }) => ({ id: await createDiscountCode(), active: false }),
  },
  'Mutation.deleteDiscountCode': {
    records: ['discount_code.deleted'],
    prepare: async ({ createDiscountCode }) => ({ id: await createDiscountCode() }),
  },
  'Mutation.createDayPassType': {
    records: ['day_pass_type.created'],
    prepare: async ({ space }) => ({
      locationId: (await space()).location.id,
      name: 'Day',
      price: EUROS,
    }),
  },
  'Mutation.updateDayPassType': {
    records: ['day_pass_type.updated'],
    prepare: async ({ createDayPassType }) => ({ id: await createDayPassType(), active: false }),
  },
  'Mutation.deleteDayPassType': {
    records: ['day_pass_type.deleted'],
    prepare: async ({ createDayPassType }) => ({ id: await createDayPassType() }),
  },
};
