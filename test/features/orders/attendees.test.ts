import { v7 } from 'uuid';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { assignPositions } from '../../../src/journal/assign-positions.ts';
import { readToEnd } from '../../../src/journal/read-changes.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  ORDER_FIELDS,
  placeOrder,
  postJson,
} from '../../support/factories/events.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const rename = (secret: string, ticketId: string, name: string, email?: string) =>
  app.graphql(
    `mutation ($secret: String!, $ticketId: ID!, $name: String!, $email: String) {
      changeAttendee(input: { secret: $secret, ticketId: $ticketId, name: $name, email: $email }) { order { ${ORDER_FIELDS} } } }`,
    { secret, ticketId, name, email },
  );
const hand = (secret: string, ticketId: string, attendee: object) =>
  app.graphql(
    `mutation ($secret: String!, $ticketId: ID!, $attendee: PersonInput!) {
      transferTicket(input: { secret: $secret, ticketId: $ticketId, attendee: $attendee }) { order { ${ORDER_FIELDS} } } }`,
    { secret, ticketId, attendee },
  );

describe('transferring a ticket', () => {
  it('twice in a row emails only the last holder, since the first code no longer works', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type));
    const [first, last] = [makeBuyer(), makeBuyer()];
    await hand(secret, tickets[0].id, first);
    await assignPositions(app.ctx); // the reader sees the first one before the second one
    await hand(secret, tickets[0].id, last);
    await rename(secret, tickets[0].id, 'Ida');
    await readToEnd(app.ctx, mailReader, { waits: true, size: 10 });
    expect(await findEmails(app, first.email)).toEqual([]);
    expect(await findEmails(app, last.email)).toHaveLength(1);
  });

  it('allows twenty transfers in a row, each with an email', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type));
    const outcomes: unknown[] = [];
    const emailed: number[] = [];
    for (let count = 1; count <= 22; count += 1) {
      const friend = makeBuyer();
      outcomes.push(...getReasons(await hand(secret, tickets[0].id, friend)));
      emailed.push((await findEmails(app, friend.email)).length);
    }
    expect(outcomes).toEqual(['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS']);
    expect(emailed).toEqual([...Array(20).fill(1), 0, 0]);
  });
});

describe('changing a name', () => {
  it('changes one ticket, keeps its code and sends no email', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type, 2), { buyer });
    const { data } = await rename(secret, tickets[1].id, ' Ida ', 'IDA@example.org');
    expect(data.changeAttendee.order.tickets).toMatchObject([
      { code: tickets[0].code, attendee: buyer },
      { code: tickets[1].code, attendee: { name: 'Ida', email: 'ida@example.org' } },
    ]);
    expect(await findEmails(app, 'ida@example.org')).toEqual([]);
    expect(await findEmails(app, buyer.email)).toHaveLength(1);
  });

  it('rejects an invalid name or email address', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type));
    for (const [name, email] of [
      ['', undefined],
      ['\u0007', undefined],
      ['Ida', 'ida'],
    ] as const)
      expect(getReasons(await rename(secret, tickets[0].id, name, email))).toEqual([
        'INVALID_INPUT',
      ]);
    expect(await fetchOrder(app, secret)).toMatchObject({ tickets });
  });
});

describe('a transferred ticket', () => {
  it('gets a new code, which the new holder receives by email, and loses the old one', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type, 2));
    const friend = makeBuyer('Ida');
    const { data } = await hand(secret, tickets[0].id, friend);
    const [transferred, stored] = data.transferTicket.order.tickets;
    expect(transferred).toMatchObject({ id: tickets[0].id, status: 'VALID', attendee: friend });
    expect(transferred.code).not.toBe(tickets[0].code);
    expect(stored.code).toBe(tickets[1].code);
    expect(await app.ctx.db.ticket.count({ where: { code: tickets[0].code } })).toBe(0);
    const mails = await findEmails(app, friend.email);
    expect(mails).toMatchObject([{ subject: 'A ticket for you: Evening' }]);
    expect(mails[0]?.text).toContain(transferred.code);
    // The new holder gets only the ticket, not the link to change the order.
    expect(mails[0]?.text).not.toMatch(/orders#/);
  });

  it('must be unused; the name on a used ticket can still change', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type, 2));
    const [first, second] = tickets;
    const { locationId } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
    await atTime(app, '2026-03-25T17:30:00Z', async () => {
      const checkIn = { location_id: locationId, code: first.code };
      expect((await postJson(app, '/public/check-ins', checkIn)).status).toBe(201);
      expect(getReasons(await hand(secret, first.id, makeBuyer('Ida')))).toEqual(['ALREADY_USED']);
      expect(getReasons(await rename(secret, first.id, 'Ida'))).toEqual([]);
      expect(getReasons(await hand(secret, second.id, makeBuyer('Ida')))).toEqual([]);
    });
    expect(await app.ctx.db.ticket.count({ where: { code: first.code } })).toBe(1);
  });
});

describe.each([
  ['changing a name', (secret: string, id: string) => rename(secret, id, 'Ida')],
  ['transferring a ticket', (secret: string, id: string) => hand(secret, id, makeBuyer())],
])('%s', (_, change) => {
  it('is possible until the event ends, also after it has begun', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await buyTickets(app, event.id, one(event.type));
    const [{ id }] = tickets;
    const sendAt = (time: string) =>
      atTime(app, time, async () => [
        (await fetchOrder(app, secret)).may.change_attendees,
        getReasons(await change(secret, id)),
      ]);
    expect(await sendAt('2026-03-25T20:59:59.999Z')).toEqual([true, []]);
    expect(await sendAt('2026-03-25T21:00:00Z')).toEqual([false, ['OVER']]);
  });

  it('accepts only valid tickets of the same order', async () => {
    const event = await makeEvent(app);
    const own = await buyTickets(app, event.id, one(event.type, 2));
    const other = await buyTickets(app, event.id, one(event.type));
    await cancelOrder(app, own.secret, [own.tickets[0].id]);
    for (const id of [other.tickets[0].id, own.tickets[0].id, v7(), 'x'])
      expect(getReasons(await change(own.secret, id))).toEqual(['TICKET_UNKNOWN']);
    expect(await fetchOrder(app, other.secret)).toMatchObject({ tickets: other.tickets });
    expect((await change('x', other.tickets[0].id)).codes).toEqual(['NOT_FOUND']);
  });

  it('rejects an order that is not paid or no longer valid', async () => {
    const event = await makeEvent(app);
    const { id, secret } = await placeOrder(app, event.id, one(event.type));
    const ticket = await app.ctx.db.ticket.findFirstOrThrow({ where: { orderId: id } });
    const { errors } = await change(secret, ticket.id);
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/not confirmed yet/),
      extensions: { code: 'CONFLICT', reason: 'NOT_LIVE', status: 'pending' },
    });
    await cancelOrder(app, secret);
    expect(getReasons(await change(secret, ticket.id))).toEqual(['NOT_LIVE']);
  });
});
