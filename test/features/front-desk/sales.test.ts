import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { createDayPassActions } from '../../support/factories/day-passes.ts';
import { findEmails, getReasons, makeBuyer, makeEvent } from '../../support/factories/events.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
let staffId: string;
let makeType: ReturnType<typeof createDayPassActions>['makeType'];

beforeAll(async () => {
  // The front desk takes money also if orders are otherwise paid through a provider.
  app = await startApp({ config: { PAYMENTS: 'sandbox' } });
  desk = { cookie: await app.signIn(STAFF.front_desk) };
  staffId = (await app.ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.front_desk } })).id;
  ({ makeType } = createDayPassActions(app));
});
afterAll(() => app.stop());

const SALE = `order { id code status buyer { name email } total { amount } payment { provider status }
  tickets { code status attendee { name } } dayPasses { code status validOn holder { name } } } checkIn { result label }`;
const sell = (mutation: 'sellDayPass' | 'sellTicket', input: object, as: Credential = desk) =>
  app.graphql(
    `mutation ($input: ${mutation === 'sellTicket' ? 'SellTicketInput' : 'SellDayPassInput'}!) { ${mutation}(input: $input) { ${SALE} } }`,
    { input },
    as,
  );

describe('a sale at the front desk', () => {
  it('sells a day pass for today without an address, records the payment, and checks in', async () => {
    const type = await makeType();
    const { data } = await sell('sellDayPass', {
      ...{ dayPassTypeId: type.id, name: 'Zoe', method: 'CARD' },
    });
    const { order, checkIn } = data.sellDayPass;
    expect(order).toMatchObject({
      status: 'PAID',
      buyer: { name: 'Zoe', email: null },
      payment: { provider: 'ON_SITE', status: 'PAID' },
      dayPasses: [{ status: 'VALID', validOn: '2026-03-18', holder: { name: 'Zoe' } }],
    });
    expect(checkIn.result).toBe('ADMITTED');
    expect(await app.ctx.db.payment.findMany({ where: { orderId: order.id } })).toMatchObject([
      { amount: 1_500, method: 'card', takenById: staffId, provider: 'on_site' },
    ]);
    const before = await app.ctx.db.mail.count();
    await findEmails(app, 'nobody@example.org');
    expect(await app.ctx.db.mail.count()).toBe(before);
    const resend = await app.graphql(
      'mutation ($id: ID!) { resendOrder(input: { id: $id }) { order { id } } }',
      { id: order.id },
      desk,
    );
    expect(getReasons(resend)).toEqual(['NO_EMAIL_ADDRESS']);
  });

  it('checks in only with the scope for it', async () => {
    const type = await makeType();
    const as = { token: await app.token('orders:write') };
    const input = { dayPassTypeId: type.id, name: 'Zoe', method: 'CASH' };
    const { errors } = await sell('sellDayPass', input, as);
    expect(errors[0]?.extensions).toMatchObject({
      ...{ code: 'FORBIDDEN', reason: 'MISSING_SCOPE', scope: 'check-ins:write' },
    });
    expect(await app.ctx.db.dayPass.count({ where: { typeId: type.id } })).toBe(0);
    const { data } = await sell('sellDayPass', { ...input, checkIn: false }, as);
    expect(data.sellDayPass.checkIn).toBeNull();
    const both = { token: await app.token('orders:write', 'check-ins:write') };
    expect((await sell('sellDayPass', input, both)).data.sellDayPass.checkIn.result).toBe(
      'ADMITTED',
    );
  });

  it('sells a ticket, and emails it to the buyer', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const input = { ticketTypeId: event.type, ...buyer, checkIn: false };
    const { data } = await sell('sellTicket', input);
    expect(data.sellTicket).toMatchObject({
      order: { status: 'PAID', buyer, tickets: [{ attendee: { name: buyer.name } }] },
      checkIn: null,
    });
    expect((await findEmails(app, buyer.email)).map(({ subject }) => subject)).toEqual([
      'Your tickets: Evening',
    ]);
  });

  it('takes no money for what is free, and does not admit to an event of another day', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const { data } = await sell('sellTicket', { ticketTypeId: event.type, name: 'Zoe' });
    const { order, checkIn } = data.sellTicket;
    expect([order.status, order.payment, checkIn.result]).toEqual(['PAID', null, 'NOT_YET_VALID']);
    expect(await app.ctx.db.payment.count({ where: { orderId: order.id } })).toBe(0);
  });

  it('sells as many as are left to simultaneous buyers, and changes nothing for the others', async () => {
    const type = await makeType({ dailyCapacity: 2 });
    const sales = await Promise.all(
      ['Ann', 'Bea', 'Cem', 'Dan'].map((name) =>
        sell('sellDayPass', { dayPassTypeId: type.id, name }),
      ),
    );
    const rejected = sales.filter(({ errors }) => errors);
    expect(rejected.flatMap(getReasons)).toEqual(['SOLD_OUT', 'SOLD_OUT']);
    const sold = await app.ctx.db.dayPass.findMany({
      where: { typeId: type.id },
      include: { order: { include: { payments: true } }, checkIns: true },
    });
    expect(sold.map(({ order, checkIns }) => [order.payments.length, checkIns.length])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('is made once with an Idempotency-Key', async () => {
    const type = await makeType();
    const key = v7();
    const send = async () => {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie: desk.cookie ?? '',
          origin: 'http://foyer.test',
          'idempotency-key': key,
        },
        body: JSON.stringify({
          query: `mutation { sellDayPass(input: { dayPassTypeId: "${type.id}", name: "Zoe" }) { order { id } checkIn { id } } }`,
        }),
      });
      return ((await response.json()) as { data: unknown }).data;
    };
    const [first, ...others] = [...(await Promise.all([send(), send()])), await send()];
    expect(first).toMatchObject({ sellDayPass: { order: {}, checkIn: {} } });
    for (const other of others) expect(other).toEqual(first);
    expect(await app.ctx.db.dayPass.count({ where: { typeId: type.id } })).toBe(1);
  });

  it('rejects a method that only a provider offers, and what is not on sale', async () => {
    const type = await makeType({ active: false });
    const sale = { dayPassTypeId: type.id, name: 'Zoe' };
    expect(getReasons(await sell('sellDayPass', { ...sale, method: 'CARD_ONLINE' }))).toEqual([
      'INVALID_INPUT',
    ]);
    expect(getReasons(await sell('sellDayPass', sale))).toEqual(['INACTIVE']);
    expect(getReasons(await sell('sellTicket', { ticketTypeId: v7(), name: 'Zoe' }))).toEqual([
      'NOT_FOUND',
    ]);
  });
});
