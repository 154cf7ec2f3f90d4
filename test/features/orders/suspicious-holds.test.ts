import { STAFF, startApp, type TestApp } from '../../support/app.ts';
import {
  bought,
  makeEvent,
  order,
  placed,
  portal,
  somebody,
  stockOf,
} from '../../support/events.ts';
import { waitlistOf } from '../../support/waitlist.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const HOLDS = `query ($eventId: ID!) { suspiciousHolds(eventId: $eventId) {
  key kind orders waitlistEntries seats emails firstAt lastAt } }`;
const RELEASE = `mutation ($input: ReleaseHoldsInput!) { releaseHolds(input: $input) { orders waitlistEntries } }`;

const items = (event: { type: string }, quantity: number) => [
  { ticketTypeId: event.type, quantity },
];

it('groups holds with one origin and releases a group in one action', async () => {
  const event = await makeEvent(app, { types: [{ quantity: 8 }] });
  const as = { cookie: await app.signIn(STAFF.front_desk) };
  const { join, statusOf } = waitlistOf(app);
  const paid = await bought(app, event.id, items(event, 1), { buyer: somebody() });
  const held = [
    await placed(app, event.id, items(event, 4), { buyer: somebody() }),
    await placed(app, event.id, items(event, 3), { buyer: somebody() }),
  ];
  const waiting = somebody();
  await join(event.type, waiting, 2);

  const { data } = await app.graphql(HOLDS, { eventId: event.id }, as);
  const address = data.suspiciousHolds.find(({ kind }: { kind: string }) => kind === 'ADDRESS');
  expect(address).toMatchObject({ orders: 2, waitlistEntries: 1, seats: 9 });
  expect(address.emails).toHaveLength(3);
  expect(data.suspiciousHolds.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    'ADDRESS',
    'NETWORK',
  ]);

  const input = { eventId: event.id, key: address.key };
  const released = await app.graphql(RELEASE, { input }, as);
  expect(released.data.releaseHolds).toEqual({ orders: 2, waitlistEntries: 1 });
  for (const { secret } of held)
    expect(await portal(app, secret)).toMatchObject({ status: 'cancelled' });
  expect(await portal(app, paid.secret)).toMatchObject({ status: 'paid' });
  expect(await statusOf(waiting)).toBe('withdrawn');
  expect(await stockOf(app, event.id)).toMatchObject({ event: 1, tickets: 1 });
  const again = await app.graphql(RELEASE, { input }, as);
  expect(again.data.releaseHolds).toEqual({ orders: 0, waitlistEntries: 0 });
  expect((await order(app, event.id, items(event, 1))).status).toBe(201);
});

it('releases nothing of another event and rejects other keys', async () => {
  const [event, other] = [await makeEvent(app), await makeEvent(app)];
  const as = { cookie: await app.signIn(STAFF.front_desk) };
  for (const one of [event, other]) {
    await placed(app, one.id, items(one, 1), { buyer: somebody() });
    await placed(app, one.id, items(one, 1), { buyer: somebody() });
  }
  const { data } = await app.graphql(HOLDS, { eventId: event.id }, as);
  const [{ key }] = data.suspiciousHolds;
  const elsewhere = await app.graphql(RELEASE, { input: { eventId: other.id, key } }, as);
  expect(elsewhere.data.releaseHolds).toEqual({ orders: 0, waitlistEntries: 0 });
  const wrong = await app.graphql(RELEASE, { input: { eventId: event.id, key: 'no key' } }, as);
  expect(wrong.codes).toEqual(['VALIDATION']);
});
