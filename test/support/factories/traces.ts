import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { processProviderEvents } from '../../../src/features/payments/service/process-provider-event.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { deliverEmails as deliverMails } from '../../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { type Credential, signIn } from '../clients/api.ts';
import { createStripeEvent } from '../fakes/stripe.ts';
import type { TestApp } from '../harness/app.ts';
import { makeEvent, placeOrder, postJson } from './events.ts';
import { postStripeEvent } from './payments.ts';
import { makeMember } from './people.ts';
import type { createPersonalDataActions } from './personal-data.ts';
import { PASSWORD } from './seed.ts';
import { makeSpace, march } from './space.ts';

interface Stage {
  app: TestApp;
  manager: Credential;
  personalData: ReturnType<typeof createPersonalDataActions>;
}

/** The requested new address, not confirmed yet. */
export const NEW_EMAIL = 'neue.adresse@example.net';

/** Creates the data of a person over a year, through the API if possible. */
export async function leaveTraces(
  { app, manager, personalData }: Stage,
  { name, email }: { name: string; email: string },
) {
  const { db } = app.ctx;
  const { location, room } = await makeSpace(app);
  const { member } = await personalData.send(
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }',
    {
      input: {
        ...{ name, email, phone: '+49 30 7654321', company: 'Quark & Söhne' },
        ...{ address: 'Quarkweg 7', postcode: '10999', city: 'Quarkstadt', country: 'DE' },
        customerNumber: 'Q-7654321',
      },
    },
  );
  const memberId = member.id as string;
  await app.graphql(
    'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
    { email },
  );
  const { id: userId } = await db.user.create({
    data: {
      ...{ name, email: email.toLowerCase(), memberId },
      passwordHash: await hashPassword(PASSWORD),
    },
  });
  const self = { cookie: await signIn(app.url, email.toLowerCase(), PASSWORD) };
  const plan = await db.plan.findFirstOrThrow();
  await db.membership.create({
    data: { planId: plan.id, memberId, startsOn: new Date('2026-01-01') },
  });

  const book = (input: object, as = manager) =>
    personalData.send(
      'mutation ($input: CreateBookingInput!) { createBooking(input: $input) { booking { id } } }',
      { input: { resourceId: room.id, ...input } },
      as,
    );
  await book({ ...march(19, '09:00', '10:00'), memberId, title: `${name}: interviews` });
  await book({ ...march(20, '09:00', '10:00'), memberId }, self);
  await book({ ...march(19, '11:00', '12:00'), guest: { name, email }, notes: `Call ${name}` });
  await db.calendarFeed.create({
    data: {
      hash: Buffer.from(v7()),
      prefix: 'foyerc_abcdef',
      memberId,
      createdById: userId,
    },
  });

  const event = await makeEvent(app, { locationId: location.id, types: [{}, { quantity: 0 }] });
  const order = await placeOrder(
    app,
    event.id,
    [
      {
        ticketTypeId: event.type,
        quantity: 3,
        attendees: [{ name }, { name: 'Kim Other', email: 'kim@example.org' }],
      },
    ],
    { buyer: { name, email: email.toUpperCase() }, key: `order-${v7()}` },
  );
  await postStripeEvent(
    app,
    createStripeEvent('checkout.session.completed', {
      id: `cs_${order.id}`,
      object: 'checkout.session',
      client_reference_id: order.id,
      payment_intent: `pi_${order.id}`,
      payment_status: 'paid',
      amount_total: 3_000,
      currency: 'eur',
      customer_details: {
        email: 'other.quark@example.com',
        name: 'O. Quark',
        address: { line1: 'Quarkweg 7' },
      },
    }),
  );
  await postStripeEvent(
    app,
    createStripeEvent('charge.succeeded', {
      id: `ch_${order.id}`,
      object: 'charge',
      payment_intent: `pi_${order.id}`,
      billing_details: { name: 'O. Quark', address: { line1: 'Quarkweg 7' } },
      receipt_email: email,
    }),
  );
  await processProviderEvents(app.ctx);
  await personalData.send(
    'mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { order { id } } }',
    {
      input: { id: order.id, amount: 500, reason: `${name} wrote that she was ill` },
    },
  );
  await placeOrder(app, event.id, [
    { ticketTypeId: event.type, quantity: 1, attendees: [{ name, email }] },
  ]);
  await app.graphql(
    'mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { quantity } }',
    { input: { ticketTypeId: event.types[1], quantity: 1, name, email } },
  );
  const type = await db.dayPassType.create({
    data: { name: `Flex ${v7()}`, priceAmount: 0, locationId: location.id },
  });
  await postJson(app, '/public/day-passes/orders', {
    buyer: { name, email },
    day_pass_type_id: type.id,
    valid_on: '2026-03-18',
  });
  await postJson(app, '/public/orders/find', { email });

  const checkIn = (input: object) =>
    personalData.send(
      'mutation ($input: CheckInInput!) { checkIn(input: $input) { checkIn { result } } }',
      {
        input: { locationId: location.id, ...input },
      },
    );
  const pass = await db.dayPass.findFirstOrThrow({ where: { typeId: type.id } });
  expect(await checkIn({ memberId })).toEqual({ checkIn: { result: 'ADMITTED' } });
  expect(await checkIn({ code: pass.code })).toEqual({ checkIn: { result: 'ADMITTED' } });
  await postJson(app, '/public/member-lookup', { location_id: location.id, query: email });
  // Emails to others contain her name as well.
  const host = await makeMember(app);
  await enqueueEmail(app.ctx, {
    to: host.email,
    subject: `${name} is here to see you`,
    text: `${name} has arrived. Write to ${email}.`,
    html: `<p>${name.replaceAll("'", '&#39;')} has arrived.</p>`,
  });
  await personalData.send(
    'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id } } }',
    { input: { id: memberId, email: NEW_EMAIL } },
  );
  await deliverMails(app.ctx, { send: async () => {}, close: () => {} });
  await publishRecordedChanges(app.ctx);
  return { memberId, userId, orderId: order.id as string };
}
