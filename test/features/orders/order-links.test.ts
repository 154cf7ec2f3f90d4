import { LINK_LIFETIME_DAYS } from '../../../src/features/orders/links.ts';
import { enforceRetention } from '../../../src/features/personal-data/service.ts';
import { STAFF, startApp, type TestApp } from '../../support/app.ts';
import { dayPassesOf, THURSDAY } from '../../support/day-passes.ts';
import { at, bought, cancel, mailsTo, makeEvent, portal, somebody } from '../../support/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const DAY_MS = 24 * 3_600_000;
const statusOf = async (secret: string) => (await app.rest(`/public/orders/${secret}`)).status;
const unknown = () => app.rest(`/public/orders/foyero_${'x'.repeat(49)}`);

it('order links stop working when staff revokes them, and staff can send a new one', async () => {
  const event = await makeEvent(app);
  const buyer = somebody();
  const order = await bought(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], { buyer });
  const as = { cookie: await app.signIn(STAFF.front_desk) };
  const { data } = await app.graphql(
    `mutation { revokeOrderLinks(id: "${order.id}") { id status } }`,
    {},
    as,
  );
  expect(data.revokeOrderLinks).toEqual({ id: order.id, status: 'PAID' });
  const { status, body } = await app.rest(`/public/orders/${order.secret}`);
  expect([status, body]).toEqual([404, (await unknown()).body]);
  expect((await cancel(app, order.secret)).status).toBe(404);
  expect(await app.ctx.db.orderAccessToken.count({ where: { orderId: order.id } })).toBe(0);

  await app.graphql(`mutation { resendOrder(id: "${order.id}") { id } }`, {}, as);
  const secret =
    /orders#(\S+)/.exec((await mailsTo(app, buyer.email)).at(-1)?.text ?? '')?.[1] ?? '';
  expect(await portal(app, secret)).toMatchObject({ id: order.id, status: 'paid' });
});

it('order links expire after the event or the day of the pass', async () => {
  const event = await makeEvent(app);
  const ticket = await bought(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
  const { makeType, bought: buyPass } = dayPassesOf(app);
  const pass = await buyPass((await makeType()).id, { validOn: THURSDAY });
  const eventEnd = Date.parse('2026-03-25T21:00:00Z') + LINK_LIFETIME_DAYS * DAY_MS;
  const passEnd = Date.parse(`${THURSDAY}T00:00:00Z`) + (LINK_LIFETIME_DAYS + 1) * DAY_MS;

  await at(app, new Date(passEnd - 1), async () => {
    expect((await enforceRetention(app.ctx)).order_links).toBe(0);
    expect([await statusOf(ticket.secret), await statusOf(pass.secret)]).toEqual([200, 200]);
  });
  await at(app, new Date(passEnd), async () => {
    expect([await statusOf(ticket.secret), await statusOf(pass.secret)]).toEqual([200, 404]);
  });
  await at(app, new Date(eventEnd), async () => {
    const { status, body } = await app.rest(`/public/orders/${ticket.secret}`);
    expect([status, body]).toEqual([404, (await unknown()).body]);
    expect((await enforceRetention(app.ctx)).order_links).toBeGreaterThan(0);
  });
  expect(await app.ctx.db.orderAccessToken.count()).toBe(0);
});
