import { v7 } from 'uuid';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  at,
  bought,
  cancel,
  mailsTo,
  makeEvent,
  ORDER,
  placed,
  portal,
  post,
  reasons,
  somebody,
} from '../../support/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const rename = (secret: string, ticketId: string, name: string, email?: string) =>
  app.graphql(
    `mutation ($secret: String!, $ticketId: ID!, $name: String!, $email: String) {
      changeAttendee(secret: $secret, ticketId: $ticketId, name: $name, email: $email) { ${ORDER} } }`,
    { secret, ticketId, name, email },
  );
const hand = (secret: string, ticketId: string, attendee: object) =>
  app.graphql(
    `mutation ($secret: String!, $ticketId: ID!, $attendee: PersonInput!) {
      transferTicket(secret: $secret, ticketId: $ticketId, attendee: $attendee) { ${ORDER} } }`,
    { secret, ticketId, attendee },
  );

describe('transferring a ticket', () => {
  it('allows twenty transfers in a row, each with an email', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await bought(app, event.id, one(event.type));
    const mailsBefore = await app.ctx.db.mail.count();
    const outcomes: unknown[] = [];
    for (let count = 1; count <= 22; count += 1)
      outcomes.push(...reasons(await hand(secret, tickets[0].id, somebody())));
    expect(outcomes).toEqual(['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS']);
    expect((await app.ctx.db.mail.count()) - mailsBefore).toBe(20);
  });
});

describe('changing a name', () => {
  it('changes one ticket, keeps its code and sends no email', async () => {
    const event = await makeEvent(app);
    const buyer = somebody();
    const { secret, tickets } = await bought(app, event.id, one(event.type, 2), { buyer });
    const { data } = await rename(secret, tickets[1].id, ' Ida ', 'IDA@example.org');
    expect(data.changeAttendee.tickets).toMatchObject([
      { code: tickets[0].code, attendee: buyer },
      { code: tickets[1].code, attendee: { name: 'Ida', email: 'ida@example.org' } },
    ]);
    expect(await mailsTo(app, 'ida@example.org')).toEqual([]);
    expect(await mailsTo(app, buyer.email)).toHaveLength(1);
  });

  it('rejects an invalid name or email address', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await bought(app, event.id, one(event.type));
    for (const [name, email] of [
      ['', undefined],
      ['\u0007', undefined],
      ['Ida', 'ida'],
    ] as const)
      expect(reasons(await rename(secret, tickets[0].id, name, email))).toEqual(['INVALID_INPUT']);
    expect(await portal(app, secret)).toMatchObject({ tickets });
  });
});

describe('a transferred ticket', () => {
  it('gets a new code, which the new holder receives by email, and loses the old one', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await bought(app, event.id, one(event.type, 2));
    const friend = somebody('Ida');
    const { data } = await hand(secret, tickets[0].id, friend);
    const [transferred, stored] = data.transferTicket.tickets;
    expect(transferred).toMatchObject({ id: tickets[0].id, status: 'VALID', attendee: friend });
    expect(transferred.code).not.toBe(tickets[0].code);
    expect(stored.code).toBe(tickets[1].code);
    expect(await app.ctx.db.ticket.count({ where: { code: tickets[0].code } })).toBe(0);
    const mails = await mailsTo(app, friend.email);
    expect(mails).toMatchObject([{ subject: 'A ticket for you: Evening' }]);
    expect(mails[0]?.text).toContain(transferred.code);
    // The new holder gets only the ticket, not the link to change the order.
    expect(mails[0]?.text).not.toMatch(/orders#/);
  });

  it('must be unused; the name on a used ticket can still change', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await bought(app, event.id, one(event.type, 2));
    const [first, second] = tickets;
    const { locationId } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
    await at(app, '2026-03-25T17:30:00Z', async () => {
      const came = { location_id: locationId, code: first.code };
      expect((await post(app, '/public/check-ins', came)).status).toBe(201);
      expect(reasons(await hand(secret, first.id, somebody('Ida')))).toEqual(['ALREADY_USED']);
      expect(reasons(await rename(secret, first.id, 'Ida'))).toEqual([]);
      expect(reasons(await hand(secret, second.id, somebody('Ida')))).toEqual([]);
    });
    expect(await app.ctx.db.ticket.count({ where: { code: first.code } })).toBe(1);
  });
});

describe.each([
  ['changing a name', (secret: string, id: string) => rename(secret, id, 'Ida')],
  ['handing a ticket over', (secret: string, id: string) => hand(secret, id, somebody())],
])('%s', (_, change) => {
  it('is possible until the event ends, also after it has begun', async () => {
    const event = await makeEvent(app);
    const { secret, tickets } = await bought(app, event.id, one(event.type));
    const [{ id }] = tickets;
    const requestAt = (time: string) =>
      at(app, time, async () => [
        (await portal(app, secret)).may.change_attendees,
        reasons(await change(secret, id)),
      ]);
    expect(await requestAt('2026-03-25T20:59:59.999Z')).toEqual([true, []]);
    expect(await requestAt('2026-03-25T21:00:00Z')).toEqual([false, ['OVER']]);
  });

  it('accepts only valid tickets of the same order', async () => {
    const event = await makeEvent(app);
    const mine = await bought(app, event.id, one(event.type, 2));
    const theirs = await bought(app, event.id, one(event.type));
    await cancel(app, mine.secret, [mine.tickets[0].id]);
    for (const id of [theirs.tickets[0].id, mine.tickets[0].id, v7(), 'x'])
      expect(reasons(await change(mine.secret, id))).toEqual(['TICKET_UNKNOWN']);
    expect(await portal(app, theirs.secret)).toMatchObject({ tickets: theirs.tickets });
    expect((await change('x', theirs.tickets[0].id)).codes).toEqual(['NOT_FOUND']);
  });

  it('rejects an order that is not paid or no longer valid', async () => {
    const event = await makeEvent(app);
    const { id, secret } = await placed(app, event.id, one(event.type));
    const ticket = await app.ctx.db.ticket.findFirstOrThrow({ where: { orderId: id } });
    const { errors } = await change(secret, ticket.id);
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/not confirmed yet/),
      extensions: { code: 'CONFLICT', reason: 'NOT_LIVE', status: 'pending' },
    });
    await cancel(app, secret);
    expect(reasons(await change(secret, ticket.id))).toEqual(['NOT_LIVE']);
  });
});
