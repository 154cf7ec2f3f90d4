import {
  buyTickets,
  countStock,
  fetchOrder,
  makeBuyer,
  makeEvent,
  placeOrder,
  postOrder,
} from '../../support/factories/events.ts';
import { createWaitlistActions } from '../../support/factories/waitlist.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const HOLDS = `query ($eventId: ID!) { suspiciousHolds(eventId: $eventId) {
  key kind orders waitlistEntries seats emails firstAt lastAt } }`;
const RELEASE = `mutation ($input: ReleaseHoldsInput!) { releaseHolds(input: $input) { orderCount waitlistEntryCount } }`;

const items = (event: { type: string }, quantity: number) => [
  { ticketTypeId: event.type, quantity },
];

it('groups holds with one origin and releases a group in one action', async () => {
  const event = await makeEvent(app, { types: [{ quantity: 8 }] });
  const as = { cookie: await app.signIn(STAFF.front_desk) };
  const { join, getStatus } = createWaitlistActions(app);
  const paid = await buyTickets(app, event.id, items(event, 1), { buyer: makeBuyer() });
  const held = [
    await placeOrder(app, event.id, items(event, 4), { buyer: makeBuyer() }),
    await placeOrder(app, event.id, items(event, 3), { buyer: makeBuyer() }),
  ];
  const waiting = makeBuyer();
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
  expect(released.data.releaseHolds).toEqual({ orderCount: 2, waitlistEntryCount: 1 });
  for (const { secret } of held)
    expect(await fetchOrder(app, secret)).toMatchObject({ status: 'cancelled' });
  expect(await fetchOrder(app, paid.secret)).toMatchObject({ status: 'paid' });
  expect(await getStatus(waiting)).toBe('withdrawn');
  expect(await countStock(app, event.id)).toMatchObject({ event: 1, tickets: 1 });
  const again = await app.graphql(RELEASE, { input }, as);
  expect(again.data.releaseHolds).toEqual({ orderCount: 0, waitlistEntryCount: 0 });
  expect((await postOrder(app, event.id, items(event, 1))).status).toBe(201);
});

it('releases nothing of another event and rejects other keys', async () => {
  const [event, other] = [await makeEvent(app), await makeEvent(app)];
  const as = { cookie: await app.signIn(STAFF.front_desk) };
  for (const one of [event, other]) {
    await placeOrder(app, one.id, items(one, 1), { buyer: makeBuyer() });
    await placeOrder(app, one.id, items(one, 1), { buyer: makeBuyer() });
  }
  const { data } = await app.graphql(HOLDS, { eventId: event.id }, as);
  const [{ key }] = data.suspiciousHolds;
  const otherEvent = await app.graphql(RELEASE, { input: { eventId: other.id, key } }, as);
  expect(otherEvent.data.releaseHolds).toEqual({ orderCount: 0, waitlistEntryCount: 0 });
  const wrong = await app.graphql(RELEASE, { input: { eventId: event.id, key: 'no key' } }, as);
  expect(wrong.codes).toEqual(['VALIDATION']);
});
