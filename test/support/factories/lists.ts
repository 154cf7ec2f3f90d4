import { v7 } from 'uuid';
import { createDiscountCode } from '../../../src/features/discounts/service.ts';
import { createAnnouncement } from '../../../src/features/displays/announcements/service.ts';
import type { TestApp } from '../harness/app.ts';
import { BUYER, makeEvent, placeOrder } from './events.ts';

/**
 * Adds rows to the demo space where it has too few for pages: an event with orders, tickets, payments, refunds, discount
 * codes and a waiting list, day passes, mailings, announcements, and displays and an event in a resource. Each call needs another name
 * and day.
 */
export async function addRowsForLists(
  app: TestApp,
  { count = 4, name = 'list', day = '2026-09-25' } = {},
) {
  const { db } = app.ctx;
  const room = await db.resource.findFirstOrThrow({ where: { type: 'room' } });
  const member = await db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  const event = await makeEvent(app, {
    locationId: room.locationId,
    resourceId: room.id,
    types: [{ quantity: 100 }],
    title: `Night of ${name}s`,
    // At a time without bookings of the room.
    startsAt: new Date(`${day}T01:00:00Z`),
    endsAt: new Date(`${day}T02:00:00Z`),
  });
  const waiting = { ticketTypeId: event.type, quantity: 1, name: 'Wanda' };
  const plan = await db.plan.findFirstOrThrow();
  const passType = await db.dayPassType.findFirstOrThrow();
  for (let index = 0; index < count; index += 1) {
    const order = await placeOrder(app, event.slug, [{ ticketTypeId: event.type, quantity: 2 }]);
    await db.order.update({
      where: { id: order.id },
      data: { memberId: member.id, status: 'paid', paidAt: app.clock.now, expiresAt: null },
    });
    await db.ticket.updateMany({ where: { orderId: order.id }, data: { status: 'valid' } });
    const payment = await db.payment.create({
      data: {
        orderId: order.id,
        provider: 'on_site',
        ref: `${name}:${index}`,
        amount: 2_000,
        refunded: 500,
        currency: 'EUR',
        method: 'cash',
      },
    });
    await db.refund.create({ data: { orderId: order.id, paymentId: payment.id, amount: 500 } });
    await createDiscountCode(app.ctx, { percent: 10, eventId: event.id });
    await db.waitlistEntry.create({
      data: {
        ...waiting,
        email: `wanda-${name}${index}@example.org`,
        hash: Buffer.from(v7()),
        memberId: member.id,
      },
    });
    await db.import.create({
      data: {
        ...{ kind: 'members', fileName: `list-${index}.csv`, createdAt: app.clock.now },
        rows: { create: { line: index + 2, outcome: 'imported', subjectId: member.id } },
      },
    });
    await db.mailing.create({
      data: {
        ...{ subject: `News ${index}`, body: 'We are closed.', recipientCount: 1 },
        ...(index % 2
          ? { audience: 'attendees', eventId: event.id }
          : { audience: 'members', planId: plan.id, locationId: room.locationId }),
        createdAt: app.clock.now,
        mails: {
          create: { recipient: member.email, subject: `News ${index}`, text: 'We are closed.' },
        },
      },
    });
    await createAnnouncement(app.ctx, {
      title: `Notice ${index}`,
      ...(index % 2 ? { locationId: room.locationId } : {}),
    });
    await app.display({
      name: `Panel ${index}`,
      kind: 'room_panel',
      locationId: room.locationId,
      resourceId: room.id,
    });
    const passes = await db.order.create({
      data: {
        id: v7(),
        code: `${name.toUpperCase()}${index}`,
        status: 'paid',
        memberId: member.id,
        buyerName: BUYER.name,
        buyerEmail: BUYER.email,
        currency: 'EUR',
        totalAmount: 0,
        paidAt: app.clock.now,
      },
    });
    await db.dayPass.create({
      data: {
        code: `PASS${name.toUpperCase()}${index}`,
        orderId: passes.id,
        typeId: passType.id,
        validOn: new Date('2026-03-20'),
        position: 0,
        status: 'valid',
        holderName: BUYER.name,
        unitPrice: 0,
        amount: 0,
      },
    });
  }
  return { event, member };
}
