import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../clients/api.ts';
import { createAdmissionFactories, createGraphqlScanner } from '../factories/check-ins.ts';
import { createDayPassActions, THURSDAY } from '../factories/day-passes.ts';
import { buyTickets, makeBuyer, makeEvent, placeOrder } from '../factories/events.ts';
import { makeMember } from '../factories/people.ts';
import { march } from '../factories/space.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../factories/waitlist.ts';
import { transport } from '../factories/webhooks.ts';
import type { TestApp } from '../harness/app.ts';
import { createStage, EUROS } from '../recorded-commands/stage.ts';
import type { Arguments } from './documents.ts';

/** Adds one of everything to the demo space, through the service, so that a walk reaches every type and the journal mentions it. */
const BILLING = { address: 'Road 1', postcode: '10115', city: 'Berlin', country: 'DE' };

export async function fillSpace(app: TestApp) {
  const stage = await createStage(app);
  const { run, owner } = stage;
  const { db } = app.ctx;
  const { location, room } = await stage.space();
  const id = (row: { id: string }) => row.id;
  await db.location.update({ where: { id: location.id }, data: { publicAvailability: true } });

  const hook = { url: 'http://127.0.0.1:1/hook?key=private', events: ['*'], description: 'All' };
  const webhook = id((await run('createWebhook', hook, 'webhook { id } secret')).webhook);
  await run('rotateWebhookSecret', { id: webhook, overlapHours: 24 }, 'secret');

  // People, with a team, a plan, feeds and a new address.
  const member = await makeMember(app);
  await db.user.create({ data: { name: member.name, email: member.email, memberId: member.id } });
  const as: Credential = { cookie: await app.signIn(member.email) };
  const teamId = await stage.createTeam();
  await run('updateTeam', { id: teamId, ...BILLING, customerNumber: '2' }, 'team { id }');
  await run(
    'updateMember',
    { id: member.id, teamId, phone: '+49 30 1', company: 'Soup', ...BILLING, customerNumber: '1' },
    'member { id }',
  );
  const planId = await stage.createPlan();
  await run(
    'updatePlan',
    { id: planId, benefits: [{ resourceType: 'ROOM', includedHours: 2, limitHours: 9 }] },
    'plan { id }',
  );
  const membership = { planId, memberId: member.id, startsOn: '2026-03-01', endsOn: '2027-03-01' };
  await run('createMembership', membership, 'membership { id }');
  await run('createMembership', { planId, teamId, startsOn: '2026-03-01' }, 'membership { id }');
  const feed = { resourceId: room.id };
  await run('revokeCalendarFeed', { id: await stage.createCalendarFeed() }, 'calendarFeed { id }');
  await run('createCalendarFeed', feed, 'calendarFeed { id } url');
  await run('createCalendarFeed', { memberId: member.id }, 'calendarFeed { id } url', as);
  const newEmail = { id: member.id, email: 'new-address@example.org' };
  await run('updateMember', newEmail, 'member { id }', stage.token);
  const link = await stage.inviteStaff();

  // Spaces, bookings and displays.
  await run(
    'createClosure',
    { locationId: location.id, startsOn: '2026-12-24', endsOn: '2026-12-26', reason: 'Holidays' },
    'closure { id }',
  );
  await run(
    'updateLocation',
    { id: location.id, address: 'Street 1', capacity: 50, hostEmail: 'host@example.org' },
    'location { id }',
  );
  await run('updateResource', { id: room.id, noShowMinutes: 15, area: 'Attic' }, 'resource { id }');
  const booking = id(
    (
      await run(
        'createBooking',
        {
          resourceId: room.id,
          title: 'Board',
          notes: `Tea for ${member.email}`,
          memberId: member.id,
          ...march(19, '10:00', '11:00'),
        },
        'booking { id }',
      )
    ).booking,
  );
  await run(
    'createBooking',
    {
      resourceId: room.id,
      guest: { name: 'Gil', email: 'gil@example.org' },
      ...march(19, '12:00', '13:00'),
    },
    'booking { id }',
  );
  await run(
    'createBookingSeries',
    {
      resourceId: room.id,
      guest: { name: 'Gil' },
      rule: 'FREQ=DAILY;COUNT=2',
      ...march(19, '14:00', '15:00'),
    },
    'bookingSeries { id }',
  );
  await run('cancelBooking', { id: await stage.book(), reason: 'Ill' }, 'booking { id }');
  await run('markBookingPaid', { id: await stage.book(), method: 'CASH' }, 'booking { id }');
  const cash = { amount: 10_000, currency: 'EUR' };
  await run(
    'closeDay',
    {
      locationId: location.id,
      day: '2026-03-18',
      opening: cash,
      counted: cash,
      note: 'Counted twice',
    },
    'dailyClosing { id }',
  );
  await run(
    'createAnnouncement',
    { title: 'Hello', body: 'All', locationId: location.id, endsAt: '2026-12-01T00:00:00Z' },
    'announcement { id }',
  );
  const display = {
    name: 'Hall',
    kind: 'ROOM_PANEL',
    locationId: location.id,
    resourceId: room.id,
  };
  const { deviceToken } = await run('createDisplay', display, 'deviceToken display { id }');
  await app.rest(`/displays/heartbeat/${deviceToken}?battery=50&app_version=1&uptime=5`);
  await run('revokeDisplay', { id: await stage.createDisplay() }, 'display { id }');
  await stage.startPairing();
  const kiosk = await app.display({ name: 'Kiosk', kind: 'kiosk', locationId: location.id });

  // Events, orders of all kinds, payments, refunds and waiting lists.
  const event = await makeEvent(app, {
    locationId: location.id,
    summary: 'Short',
    description: 'Long',
    capacity: 50,
    tags: ['art'],
    resourceId: room.id,
  });
  const { discountCode } = await run(
    'createDiscountCode',
    {
      percent: 10,
      eventId: event.id,
      maxUses: 5,
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: '2026-12-01T00:00:00Z',
    },
    'discountCode { id code }',
  );
  await run('createDiscountCode', { amount: EUROS }, 'discountCode { id }');
  const item = { ticketTypeId: event.type, quantity: 2 };
  const order = await buyTickets(app, event.slug, [item], { discount_code: discountCode.code });
  await run(
    'cancelOrder',
    { secret: order.secret, ticketIds: [order.tickets[0].id] },
    'order { id }',
    {},
  );
  const onSite = await placeOrder(app, event.slug, [item]);
  await run('markOrderPaid', { id: onSite.id }, 'order { id }');
  const refunded = await buyTickets(app, event.slug, [item]);
  await run('refundOrder', { id: refunded.id, reason: 'Ill' }, 'order { id }');
  const refund = await db.refund.findFirstOrThrow({ where: { orderId: refunded.id } });
  await run('settleRefund', { id: refund.id }, 'refund { id }');
  await run(
    'transferTicket',
    {
      secret: onSite.secret,
      ticketId: (await db.ticket.findFirstOrThrow({ where: { orderId: onSite.id } })).id,
      attendee: makeBuyer('Ada'),
    },
    'order { id }',
    {},
  );
  const own = {
    eventId: event.id,
    buyer: { name: member.name, email: member.email },
    items: [{ ticketTypeId: event.type, quantity: 1 }],
  };
  const { order: memberOrder } = await run('placeOrder', own, 'order { id }', as);
  await run('markOrderPaid', { id: memberOrder.id }, 'order { id }');
  const payment = await db.payment.findFirstOrThrow({ where: { orderId: order.id } });
  await db.dispute.create({
    data: {
      ...{ provider: 'stripe', ref: 'dp_1', orderId: order.id, paymentId: payment.id },
      ...{
        amount: 100,
        reason: 'fraudulent',
        status: 'won',
        createdAt: app.clock.now,
        endedAt: app.clock.now,
      },
    },
  });
  // Two unpaid orders of one buyer look suspicious.
  await placeOrder(app, event.slug, [item]);
  await placeOrder(app, event.slug, [item]);
  const soldOut = await makeSoldOutEvent(app);
  const waitlist = createWaitlistActions(app);
  await waitlist.join(soldOut.type, makeBuyer());
  await waitlist.join(soldOut.type, { name: member.name, email: member.email }, 1, as);
  await run('cancelOrder', { secret: soldOut.secret }, 'order { id }', {});
  await run('cancelEvent', { id: (await makeEvent(app)).id, reason: 'Storm' }, 'event { id }');
  const passes = createDayPassActions(app);
  const passType = await passes.makeType({ locationId: location.id, description: 'A day' });
  await passes.buy(passType.id);
  await run(
    'orderDayPasses',
    {
      buyer: { name: member.name, email: member.email },
      dayPassTypeId: passType.id,
      validOn: THURSDAY,
    },
    'order { id }',
    as,
  );

  // Visits of each kind.
  const admissions = createAdmissionFactories(app);
  const scan = createGraphqlScanner(app, owner);
  const ticket = await admissions.makeTicket();
  await scan(ticket);
  await scan(ticket);
  await scan(await admissions.makePass());
  await scan({ locationId: location.id, memberId: member.id });
  await scan({ locationId: location.id, memberId: member.id, visitor: { name: 'Vera' } });
  const arrival = await admissions.makeBooking(
    { ...room, locationId: location.id },
    { memberId: member.id },
  );
  await scan({ locationId: location.id, bookingId: arrival.id });

  // Emails, records of the service, and everything that follows from the journal.
  await run('createMailing', await stage.createMailingInput(), 'mailing { id }');
  const erased = await stage.createMember();
  await run('erasePersonalData', { memberId: erased.id, reason: 'Asked' }, 'erasure { id }');
  await run('rotateApiToken', { id: await stage.createToken(), overlapMinutes: 60 }, 'secret');
  const { apiToken } = await run(
    'createApiToken',
    { name: 'Till', scopes: ['orders:read'], expiresAt: '2026-12-01T00:00:00Z' },
    'apiToken { id }',
  );
  await run('revokeApiToken', { id: apiToken.id }, 'apiToken { id }');
  await catchUp(app.ctx, mailReader);
  await publishRecordedChanges(app.ctx);
  await deliverWebhooks(app.app.systemContext, transport);

  const mails = await db.mail.findMany({ orderBy: { id: 'desc' } });
  const mail = mails.find(({ attachments }) => (attachments as unknown[]).length > 0);
  const list = { file: 'name,email\nImported Person,imported@example.org' };
  const { report } = await run('importMembers', list, 'report { importId }');
  const mailing = await db.mailing.findFirstOrThrow();
  const delivery = await db.webhookDelivery.findFirstOrThrow({ where: { attempts: { gt: 0 } } });
  const span = `startsAt: "2026-03-23T10:00:00+01:00", endsAt: "2026-03-23T11:00:00+01:00"`;
  // Overlaps a booking on its first day.
  const taken = 'startsAt: "2026-03-19T10:00:00+01:00", endsAt: "2026-03-19T11:00:00+01:00"';
  const book = `input: { resourceId: "${room.id}", guest: { name: "Gil" }, ${taken}`;
  const days = 'from: "2026-03-19T00:00:00Z", to: "2026-03-20T00:00:00Z"';
  const args: Arguments = {
    'Query.admission': `code: "${ticket.code}"`,
    'Query.bookingsOutsideOpeningHours': `locationId: "${location.id}", hours: [{ weekday: SUNDAY, opens: "09:00", closes: "10:00" }]`,
    'Query.availability': `resourceId: "${room.id}", ${days}`,
    'Query.booking': `id: "${booking}"`,
    'Query.bookingTotals': 'filter: { payment: [UNPAID] }',
    'Query.cashDay': `locationId: "${location.id}", day: "2026-03-18"`,
    'Query.emailTemplate': 'key: "booking-confirmed"',
    'Query.event': `slug: "${event.slug}"`,
    'Query.importById': `id: "${report.importId}"`,
    'Query.kiosk': `location: "${location.slug}"`,
    'Query.location': `id: "${location.id}"`,
    'Query.lookUpMember': `locationId: "${location.id}", query: "Member"`,
    'Query.mail': `id: "${mail?.id}"`,
    'Query.mailing': `id: "${mailing.id}"`,
    'Query.member': `id: "${member.id}"`,
    'Query.order': 'secret: "none"',
    'Query.waitlistEntry': 'secret: "none"',
    'Query.orderById': `id: "${order.id}"`,
    'Query.personalData': `person: { memberId: "${member.id}" }`,
    'Query.plan': `id: "${planId}"`,
    'Query.previewBooking': `${book} }`,
    'Query.previewBookingSeries': `${book}, rule: "FREQ=DAILY;COUNT=2" }`,
    'Query.previewEmailTemplate': 'key: "booking-confirmed", subject: "Hello", body: "Hello"',
    'Query.previewMailing': `input: { subject: "Hello", body: "Hello", audience: MEMBERS, planId: "${planId}" }`,
    'Query.previewReschedule': `id: "${booking}", ${span}`,
    'Query.publicAvailability': `location: "${location.slug}"`,
    'Query.resource': `id: "${room.id}"`,
    'Query.staffLink': `secret: "${link.secret}"`,
    'Query.suspiciousHolds': `eventId: "${event.id}"`,
    'Query.takings': `locationId: "${location.id}", from: "2026-03-01", to: "2026-03-31"`,
    'Query.team': `id: "${teamId}"`,
    'Query.webhook': `id: "${webhook}"`,
    'Query.webhookDelivery': `id: "${delivery.id}"`,
    'Display.statusChanges': 'last: 3',
    'Resource.availability': days,
  };
  return {
    args,
    owner,
    member: { ...member, credential: as },
    kiosk: { ...kiosk, locationId: location.id },
    /** The code that `Query.admission` presents. */
    presentedCodes: [ticket.code],
  };
}
