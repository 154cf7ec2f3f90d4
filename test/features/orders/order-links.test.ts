import { LINK_LIFETIME_DAYS } from '../../../src/features/orders/service/links.ts';
import { enforceRetention } from '../../../src/features/personal-data/service/retention.ts';
import { createDayPassActions, THURSDAY } from '../../support/factories/day-passes.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  fetchOrder,
  findEmails,
  makeBuyer,
  makeEvent,
} from '../../support/factories/events.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const DAY_MS = 24 * 3_600_000;
const getStatus = async (secret: string) => (await app.rest(`/public/orders/${secret}`)).status;
const unknown = () => app.rest(`/public/orders/foyero_${'x'.repeat(49)}`);

it('order links stop working when staff revokes them, and staff can send a new one', async () => {
  const event = await makeEvent(app);
  const buyer = makeBuyer();
  const order = await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
    buyer,
  });
  const as = { cookie: await app.signIn(STAFF.front_desk) };
  const { data } = await app.graphql(
    `mutation { revokeOrderLinks(input: { id: "${order.id}" }) { order { id status } } }`,
    {},
    as,
  );
  expect(data.revokeOrderLinks.order).toEqual({ id: order.id, status: 'PAID' });
  const { status, body } = await app.rest(`/public/orders/${order.secret}`);
  expect([status, body]).toEqual([404, (await unknown()).body]);
  expect((await cancelOrder(app, order.secret)).status).toBe(404);
  expect(await app.ctx.db.orderAccessToken.count({ where: { orderId: order.id } })).toBe(0);

  await app.graphql(
    `mutation { resendOrder(input: { id: "${order.id}" }) { order { id } } }`,
    {},
    as,
  );
  const secret =
    /orders#(\S+)/.exec((await findEmails(app, buyer.email)).at(-1)?.text ?? '')?.[1] ?? '';
  expect(await fetchOrder(app, secret)).toMatchObject({ id: order.id, status: 'paid' });
});

it('order links expire after the event or the day of the pass', async () => {
  const event = await makeEvent(app);
  const ticket = await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
  const { makeType, buy: buyPass } = createDayPassActions(app);
  const pass = await buyPass((await makeType()).id, { validOn: THURSDAY });
  const eventEnd = Date.parse('2026-03-25T21:00:00Z') + LINK_LIFETIME_DAYS * DAY_MS;
  const passEnd = Date.parse(`${THURSDAY}T00:00:00Z`) + (LINK_LIFETIME_DAYS + 1) * DAY_MS;

  await atTime(app, new Date(passEnd - 1), async () => {
    expect((await enforceRetention(app.ctx)).order_links).toBe(0);
    expect([await getStatus(ticket.secret), await getStatus(pass.secret)]).toEqual([200, 200]);
  });
  await atTime(app, new Date(passEnd), async () => {
    expect([await getStatus(ticket.secret), await getStatus(pass.secret)]).toEqual([200, 404]);
  });
  await atTime(app, new Date(eventEnd), async () => {
    const { status, body } = await app.rest(`/public/orders/${ticket.secret}`);
    expect([status, body]).toEqual([404, (await unknown()).body]);
    expect((await enforceRetention(app.ctx)).order_links).toBeGreaterThan(0);
  });
  expect(await app.ctx.db.orderAccessToken.count()).toBe(0);
});
