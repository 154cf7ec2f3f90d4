import { createDayPassActions, THURSDAY } from '../factories/day-passes.ts';
import { BUYER, buyTickets, makeBuyer, makeEvent, placeOrder } from '../factories/events.ts';
import { makeOrder, makeRefund } from '../factories/payments.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../factories/waitlist.ts';
import type { TestApp } from '../harness/app.ts';
import type { Command, Stage } from './stage.ts';

const asGuest = () => ({});

async function bookPaid({ book, run }: Stage): Promise<string> {
  const id: string = await book();
  await run('markBookingPaid', { id, method: 'CASH' }, 'booking { id }');
  return id;
}

async function toClosing({ space }: Stage) {
  const money = { amount: 10_000, currency: 'EUR' };
  const { location } = await space();
  return { locationId: location.id, day: '2026-03-18', opening: money, counted: money };
}
const FREE = { priceAmount: 0 };

/** Orders, payments, refunds, tickets, day passes and waiting lists. */
export const ORDER_COMMANDS: Record<string, Command> = {
  'Mutation.placeOrder': {
    records: ['order.placed'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { id, type } = await makeEvent(app);
      return { eventId: id, buyer: BUYER, items: [{ ticketTypeId: type }] };
    },
  },
  'Mutation.placeOrder: of a free ticket': {
    records: ['order.confirmed', 'ticket.issued'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { id, type } = await makeEvent(app, { types: [FREE] });
      return { eventId: id, buyer: BUYER, items: [{ ticketTypeId: type }] };
    },
  },
  'POST /public/events/{id_or_slug}/orders': {
    records: ['order.placed'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { id, type } = await makeEvent(app);
      return { id, buyer: BUYER, items: [{ ticket_type_id: type, quantity: 1 }] };
    },
  },
  'Mutation.orderDayPasses': {
    records: ['order.placed'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { id } = await createDayPassActions(app).makeType();
      return { buyer: BUYER, dayPassTypeId: id, validOn: THURSDAY };
    },
  },
  'POST /public/day-passes/orders': {
    records: ['order.placed'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { id } = await createDayPassActions(app).makeType();
      return { buyer: BUYER, day_pass_type_id: id, valid_on: THURSDAY };
    },
  },
  'POST /public/day-passes/orders: of a free day pass': {
    records: ['order.confirmed', 'day_pass.issued'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { id } = await createDayPassActions(app).makeType(FREE);
      return { buyer: BUYER, day_pass_type_id: id, valid_on: THURSDAY };
    },
  },
  'Mutation.confirmOrder': {
    records: ['order.confirmed', 'ticket.issued'],
    as: asGuest,
    prepare: async ({ app, findSecret }) => ({
      secret: await findSecret(await placeUnconfirmedOrder(app)),
    }),
  },
  'Mutation.confirmOrder: of a free offer': {
    records: ['order.confirmed', 'ticket.issued', 'waitlist_entry.accepted'],
    as: asGuest,
    prepare: async ({ app, run }) => {
      const { secret, person } = await makeSoldOutWithWaitlist(app, FREE);
      await run('cancelOrder', { secret }, 'order { id }', {});
      return { secret: await createWaitlistActions(app).findOfferSecret(person) };
    },
  },
  'POST /public/orders/{secret}/confirm': {
    records: ['order.confirmed', 'ticket.issued'],
    as: asGuest,
    prepare: async ({ app, findSecret }) => ({
      id: await findSecret(await placeUnconfirmedOrder(app)),
    }),
  },
  'Mutation.cancelOrder': {
    records: ['ticket.cancelled', 'order.cancelled', 'refund.created'],
    as: asGuest,
    prepare: async ({ app }) => ({ secret: (await buyTicket(app)).secret }),
  },
  'Mutation.cancelOrder: of an unpaid order': {
    records: ['order.cancelled'],
    as: asGuest,
    prepare: async ({ app }) => ({ secret: (await placeTicketOrder(app)).secret }),
  },
  'Mutation.cancelOrder: with a waiting list': {
    records: [
      'ticket.cancelled',
      'order.cancelled',
      'order.offered',
      'waitlist_entry.offered',
      'refund.created',
    ],
    as: asGuest,
    prepare: async ({ app }) => ({ secret: (await makeSoldOutWithWaitlist(app)).secret }),
  },
  'POST /public/orders/{secret}/cancel': {
    records: ['day_pass.cancelled', 'order.cancelled', 'refund.created'],
    as: asGuest,
    prepare: async ({ app }) => ({ id: (await buyDayPass(app)).secret }),
  },
  'Mutation.changeAttendee': {
    records: ['ticket.updated'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { secret, tickets } = await buyTicket(app);
      return { secret, ticketId: tickets[0].id, name: 'Ada Lovelace' };
    },
  },
  'Mutation.changeAttendee: of a day pass': {
    records: ['day_pass.updated'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { secret, day_passes } = await buyDayPass(app);
      return { secret, ticketId: day_passes[0].id, name: 'Ada Lovelace' };
    },
  },
  'Mutation.transferTicket': {
    records: ['ticket.transferred'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { secret, tickets } = await buyTicket(app);
      return { secret, ticketId: tickets[0].id, attendee: makeBuyer('Ada Lovelace') };
    },
  },
  'Mutation.transferTicket: of a day pass': {
    records: ['day_pass.transferred'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { secret, day_passes } = await buyDayPass(app);
      return { secret, ticketId: day_passes[0].id, attendee: makeBuyer('Ada Lovelace') };
    },
  },
  'Mutation.resendConfirmation': {
    records: ['order.confirmation_sent'],
    as: asGuest,
    prepare: async ({ app }) => ({ secret: (await buyTicket(app)).secret }),
  },
  'Mutation.resendOrder': {
    records: ['order.confirmation_sent'],
    prepare: async ({ app }) => ({ id: (await buyTicket(app)).id }),
  },
  'Mutation.revokeOrderLinks': {
    records: ['order.links_revoked'],
    prepare: async ({ app }) => ({ id: (await buyTicket(app)).id }),
  },
  'Mutation.markOrderPaid': {
    records: ['payment.created', 'order.confirmed', 'ticket.issued', 'ticket.issued'],
    prepare: async ({ app }) => ({ id: (await makeOrder(app, 'on_site')).id }),
  },
  'Mutation.markBookingPaid': {
    records: ['payment.created'],
    prepare: async ({ book }) => ({ id: await book(), method: 'CARD' }),
  },
  'Mutation.markBookingUnpaid': {
    records: ['payment.voided'],
    prepare: async (stage) => ({ id: await bookPaid(stage), reason: 'Wrong booking' }),
  },
  'Mutation.returnBookingPayment': {
    records: ['refund.succeeded'],
    prepare: async (stage) => {
      const id = await bookPaid(stage);
      await stage.run('cancelBooking', { id, waiveFee: true }, 'booking { id }');
      return { id, method: 'CASH' };
    },
  },
  'Mutation.closeDay': {
    records: ['daily_closing.created'],
    prepare: toClosing,
  },
  'Mutation.correctDailyClosing': {
    records: ['daily_closing.corrected'],
    prepare: async (stage) => {
      const { dailyClosing } = await stage.run(
        'closeDay',
        await toClosing(stage),
        'dailyClosing { id }',
      );
      return { id: dailyClosing.id, note: 'Counted again' };
    },
  },
  'Mutation.sellDayPass': {
    records: [
      'order.placed',
      'payment.created',
      'order.confirmed',
      'day_pass.issued',
      'check_in.admitted',
    ],
    prepare: async ({ app }) => ({
      dayPassTypeId: (await createDayPassActions(app).makeType()).id,
      name: 'Zoe Zander',
      email: 'zoe@example.org',
    }),
  },
  'Mutation.sellTicket': {
    records: ['order.confirmed', 'ticket.issued', 'check_in.admitted'],
    prepare: async ({ app }) => ({
      ticketTypeId: (await makeEvent(app, { types: [FREE], startsAt: app.clock.now })).type,
      name: 'Zoe Zander',
      email: 'zoe@example.org',
      checkIn: true,
    }),
  },
  'Mutation.extendOrderHold': {
    records: ['order.hold_extended'],
    prepare: async ({ app }) => {
      const event = await makeEvent(app, { unpaidHold: 'days', unpaidHoldAmount: 1 });
      const { id } = await placeOrder(app, event.id, toItems(event.type), { buyer: makeBuyer() });
      await app.ctx.db.order.update({ where: { id }, data: { provider: 'on_site' } });
      return { id, until: '2026-03-25T17:00:00Z' };
    },
  },
  'Mutation.refundOrder': {
    records: [
      'ticket.cancelled',
      'order.cancelled',
      'order.offered',
      'waitlist_entry.offered',
      'refund.created',
    ],
    prepare: async ({ app }) => ({
      id: (await makeSoldOutWithWaitlist(app)).orderId,
      reason: 'We are sorry',
    }),
  },
  'Mutation.refundOrder: of an amount': {
    records: ['refund.created'],
    prepare: async ({ app }) => ({ id: (await buyTicket(app)).id, amount: 100 }),
  },
  'Mutation.settleRefund': {
    records: ['refund.succeeded'],
    prepare: async ({ app }) => ({ id: (await makeRefund(app, 'on_site')).refund.id }),
  },
  'Mutation.retryRefund': {
    records: ['refund.retried'],
    prepare: async ({ app }) => {
      const { id } = (await makeRefund(app, 'sandbox')).refund;
      await app.ctx.db.refund.update({ where: { id }, data: { status: 'failed' } });
      return { id };
    },
  },
  'Mutation.releaseHolds': {
    records: [
      'waitlist_entry.withdrawn',
      'order.cancelled',
      'order.offered',
      'waitlist_entry.offered',
    ],
    prepare: async ({ app, owner }) => {
      const event = await makeEvent(app, { types: [{ quantity: 1 }] });
      const buyer = makeBuyer();
      await placeOrder(app, event.id, toItems(event.type), { buyer });
      await joinWaitlist(app, event.type, buyer);
      await joinWaitlist(app, event.type, makeBuyer());
      const { data } = await app.graphql(
        'query ($eventId: ID) { suspiciousHolds(eventId: $eventId) { key kind } }',
        { eventId: event.id },
        owner,
      );
      const groups: { key: string; kind: string }[] = data.suspiciousHolds;
      return { eventId: event.id, key: groups.find(({ kind }) => kind === 'EMAIL')?.key };
    },
  },
  'Mutation.joinWaitlist': {
    records: ['waitlist_entry.created'],
    as: asGuest,
    prepare: async ({ app }) => ({
      ticketTypeId: (await makeSoldOutEvent(app)).type,
      ...makeBuyer(),
    }),
  },
  'Mutation.changeWaitlistEntry': {
    records: ['waitlist_entry.updated'],
    as: asGuest,
    prepare: async ({ app, findSecret }) => {
      const { person } = await makeSoldOutWithWaitlist(app);
      return { secret: await findSecret(person.email), acceptsFewer: false };
    },
  },
  'Mutation.leaveWaitlist': {
    records: ['waitlist_entry.withdrawn'],
    as: asGuest,
    prepare: async ({ app, findSecret }) => {
      const { person } = await makeSoldOutWithWaitlist(app);
      return { secret: await findSecret(person.email) };
    },
  },
  'Mutation.leaveWaitlist: with an offer, while another person waits': {
    records: [
      'waitlist_entry.withdrawn',
      'order.cancelled',
      'order.offered',
      'waitlist_entry.offered',
    ],
    as: asGuest,
    prepare: async ({ app, findSecret, run }) => {
      const { secret: bought, person, type } = await makeSoldOutWithWaitlist(app);
      const secret = await findSecret(person.email);
      await run('cancelOrder', { secret: bought }, 'order { id }', {});
      await joinWaitlist(app, type, makeBuyer());
      return { secret };
    },
  },
};

const toItems = (ticketTypeId: string) => [{ ticketTypeId, quantity: 1 }];

async function placeTicketOrder(app: TestApp) {
  const { id, type } = await makeEvent(app);
  return placeOrder(app, id, toItems(type));
}

async function buyTicket(app: TestApp) {
  const { id, type } = await makeEvent(app);
  return buyTickets(app, id, toItems(type));
}

async function buyDayPass(app: TestApp) {
  const passes = createDayPassActions(app);
  return passes.buy((await passes.makeType()).id);
}

/** Orders a free ticket that waits for the link in the email, and returns the address of that email. */
async function placeUnconfirmedOrder(app: TestApp): Promise<string> {
  const { id, type } = await makeEvent(app, { confirmFreeOrders: true, types: [FREE] });
  const buyer = makeBuyer();
  await placeOrder(app, id, toItems(type), { buyer });
  return buyer.email;
}

/** A sold-out event for which a person waits, with the secret of the order that has its ticket. */
async function makeSoldOutWithWaitlist(app: TestApp, type: object = {}) {
  const event = await makeSoldOutEvent(app, 1, type);
  const person = makeBuyer();
  await joinWaitlist(app, event.type, person);
  return { orderId: event.orders[0].id, secret: event.secret, type: event.type, person };
}

async function joinWaitlist(app: TestApp, ticketTypeId: string, person: typeof BUYER) {
  const { errors } = await createWaitlistActions(app).join(ticketTypeId, person);
  expect(errors).toEqual([]);
}
