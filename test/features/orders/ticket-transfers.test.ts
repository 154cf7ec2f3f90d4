import {
  buyTickets,
  cancelOrder,
  findEmails,
  makeBuyer,
  makeEvent,
} from '../../support/factories/events.ts';
import { createStaffUser } from '../../support/factories/people.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

// Tickets whose holder is not the buyer.

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const admission = async (code: string) => {
  const { data, codes } = await app.graphql(
    `query ($code: String!) { admission(code: $code) { status holderName typeName event { title } placeName timeZone } }`,
    { code },
  );
  return data?.admission ?? codes;
};

const hand = async (secret: string, ticketId: string, attendee: object) => {
  const { data } = await app.graphql(
    `mutation ($secret: String!, $ticketId: ID!, $attendee: PersonInput!) {
      transferTicket(input: { secret: $secret, ticketId: $ticketId, attendee: $attendee }) { order { tickets { id code } } } }`,
    { secret, ticketId, attendee },
  );
  return data.transferTicket.order.tickets.find(({ id }: { id: string }) => id === ticketId).code;
};

/** An order of two tickets, the second of which was transferred to a friend. */
async function sharedOrder() {
  const event = await makeEvent(app);
  const order = await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 2 }]);
  const [own, transferred] = order.tickets;
  const friend = makeBuyer();
  return {
    event,
    order,
    own,
    transferred,
    friend,
    code: await hand(order.secret, transferred.id, friend),
  };
}

const subjects = async (person: { email: string }) =>
  (await findEmails(app, person.email)).map(({ subject }) => subject);

describe('a ticket code', () => {
  it('shows its holder the ticket until it is transferred or cancelled', async () => {
    const { order, transferred, friend, code, own } = await sharedOrder();
    expect(await admission(code.toLowerCase())).toMatchObject({
      status: 'VALID',
      holderName: friend.name,
      event: { title: 'Evening' },
      timeZone: 'Europe/Berlin',
    });
    expect(await admission(transferred.code)).toEqual(['NOT_FOUND']);
    await cancelOrder(app, order.secret, [own.id]);
    expect(await admission(own.code)).toMatchObject({ status: 'CANCELLED' });
    expect(await admission('none')).toEqual(['NOT_FOUND']);
  });
});

describe('the holder of a transferred ticket', () => {
  it('is emailed when the event is cancelled, and about no other ticket', async () => {
    const { event, friend } = await sharedOrder();
    const { friend: stranger } = await sharedOrder();
    await subjects(friend);
    await app.graphql(
      'mutation ($id: ID!) { cancelEvent(input: { id: $id, reason: "Rain" }) { event { id } } }',
      { id: event.id },
      { token: await app.token('events:write', 'mailings:write') },
    );
    expect(await subjects(friend)).toEqual([
      'A ticket for you: Evening',
      'Your ticket was cancelled: Evening',
    ]);
    expect((await findEmails(app, friend.email)).at(-1)?.text).toContain('Reason: Rain');
    expect(await subjects(stranger)).toEqual(['A ticket for you: Evening']);
  });

  it('is emailed when the buyer cancels this ticket, and not another', async () => {
    const { order, own, transferred, friend } = await sharedOrder();
    await cancelOrder(app, order.secret, [own.id]);
    expect(await subjects(friend)).toHaveLength(1);
    await cancelOrder(app, order.secret, [transferred.id]);
    expect(await subjects(friend)).toEqual([
      'A ticket for you: Evening',
      'Your ticket was cancelled: Evening',
    ]);
  });

  it('is emailed when the event moves, without a link to the order', async () => {
    const { event, friend } = await sharedOrder();
    await app.graphql(
      `mutation ($id: ID!) { updateEvent(input: { id: $id, startsAt: "2026-03-26T18:00:00Z", endsAt: "2026-03-26T21:00:00Z" }) { event { id } } }`,
      { id: event.id },
      { token: await app.token('events:write', 'mailings:write') },
    );
    const mail = (await findEmails(app, friend.email)).at(-1);
    expect(mail?.subject).toBe('Changed: Evening');
    expect(mail?.text).not.toMatch(/foyero_/);
  });
});

test('a calendar file contains no secret, and cancelling the event raises its sequence number', async () => {
  const { event, order } = await sharedOrder();
  const created = { updatedAt: app.clock.now };
  await app.ctx.db.event.update({ where: { id: event.id }, data: created });
  const file = async () => {
    const response = await fetch(`${app.url}/public/orders/${order.secret}/calendar.ics`);
    return (await response.text()).replaceAll('\r\n ', '');
  };
  const before = await file();
  expect(before).not.toContain('foyero_');
  expect(before).toContain('/events/');
  expect(before).toMatch(/SEQUENCE:0\r/);
  const then = app.clock.now;
  app.clock.now = new Date(then.getTime() + 3_600_000);
  await app.graphql(
    'mutation ($id: ID!) { cancelEvent(input: { id: $id, reason: "Rain" }) { event { id } } }',
    { id: event.id },
    { token: await app.token('events:write', 'mailings:write') },
  );
  const after = await file();
  app.clock.now = then;
  expect(after).toContain('STATUS:CANCELLED');
  expect(Number(/SEQUENCE:(\d+)/.exec(after)?.[1])).toBeGreaterThan(0);
});

test('variants of an email address count as one mailbox', async () => {
  const find = async (email: string) =>
    (
      await app.graphql(
        'mutation ($email: String!) { findOrders(input: { email: $email }) { email } }',
        { email },
      )
    ).codes;
  const name = 'anotherbuyer';
  const variants = Array.from(
    { length: 6 },
    (_, n) => name.slice(0, n) + name.slice(n).toUpperCase(),
  );
  const responses = [];
  for (const variant of variants) responses.push(await find(`${variant}@example.org`));
  expect(responses.slice(0, 5)).toEqual([[], [], [], [], []]);
  expect(responses[5]).toEqual(['RATE_LIMITED']);
});

test('the root URL redirects browsers to the events and answers programs in JSON', async () => {
  await createStaffUser(app, 'owner'); // without one, it leads to the first setup
  const requested = (accept: string) =>
    fetch(`${app.url}/`, { headers: { accept }, redirect: 'manual' });
  const page = await requested('text/html,application/xhtml+xml');
  expect([page.status, page.headers.get('location')]).toEqual([302, '/events']);
  const other = await requested('application/json');
  expect([other.status, (await other.json()).success]).toEqual([200, true]);
});
