import { v7 } from 'uuid';
import { formatDisputedOrders } from '../../../src/web/admin/personal-data/disputed-orders.ts';
import { ErasePersonalDataDocument } from '../../../src/web/gql/graphql.ts';
import { makeOrder } from '../../support/factories/payments.ts';
import { makeMember } from '../../support/factories/people.ts';
import { createPersonalDataActions, SUMMARY } from '../../support/factories/personal-data.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { createCommandRunner } from '../../support/harness/commands.ts';

let app: TestApp;
let personalData: ReturnType<typeof createPersonalDataActions>;
beforeAll(async () => {
  app = await startApp();
  const manager = { cookie: await app.signIn(STAFF.manager) };
  personalData = createPersonalDataActions(app, manager);
});
afterAll(() => app.stop());

type Role = 'buyer' | 'member' | 'attendee' | 'holder';

/** A paid order of a buyer, with a ticket of an attendee and a day pass of a holder, and a dispute about its payment. */
async function makeDispute(status: 'open' | 'won' | 'lost') {
  const { db } = app.ctx;
  const { email: member } = await makeMember(app);
  const makeAddress = (role: string) => `${role}-${v7()}@example.org`;
  const emails = { buyer: makeAddress('buyer'), member, attendee: makeAddress('attendee') };
  const people = { ...emails, holder: makeAddress('holder') };
  const { id: orderId, code } = await makeOrder(app, 'on_site', {
    status: 'paid',
    paidAt: app.clock.now,
    buyerEmail: people.buyer,
  });
  const [first, second] = await db.ticket.findMany({ where: { orderId } });
  for (const [ticket, attendeeEmail] of [
    [first, people.attendee],
    [second, people.member],
  ] as const)
    await db.ticket.update({ where: { id: ticket?.id ?? '' }, data: { attendeeEmail } });
  const type = await db.dayPassType.create({
    data: {
      name: `Day ${v7()}`,
      location: { connect: await db.location.findFirstOrThrow({ select: { id: true } }) },
    },
  });
  await db.dayPass.create({
    data: {
      orderId,
      typeId: type.id,
      code: v7(),
      position: 0,
      status: 'valid',
      validOn: new Date('2026-03-20'),
      holderName: 'Zoe',
      holderEmail: people.holder,
      unitPrice: 0,
      amount: 0,
    },
  });
  const payment = await db.payment.create({
    data: {
      orderId,
      provider: 'on_site',
      ref: v7(),
      amount: 5_000,
      currency: 'EUR',
      method: 'cash',
      createdAt: app.clock.now,
    },
  });
  await db.dispute.create({
    data: {
      provider: 'stripe',
      ref: `dp_${v7()}`,
      orderId,
      paymentId: payment.id,
      amount: 5_000,
      status,
      createdAt: app.clock.now,
      endedAt: status === 'open' ? null : app.clock.now,
    },
  });
  return { code, people };
}

const summarize = async (email: string) =>
  (await personalData.send(SUMMARY, { person: { email } })).disputedOrders;

test.each<Role>(['buyer', 'member', 'attendee', 'holder'])(
  'names the order before and after the erasure of its %s while its payment is disputed',
  async (role) => {
    const { code, people } = await makeDispute('open');
    const email = people[role];
    expect(await summarize(email)).toEqual([code]);
    const { data } = await personalData.erase({ email });
    expect(data.erasePersonalData.disputedOrders).toEqual([code]);
  },
);

test('the page names the order after the erasure', async () => {
  const { code, people } = await makeDispute('open');
  const input = { email: people.buyer, reason: 'Request of 20 March', endContracts: false };
  const { disputedOrders } = await personalData.send(String(ErasePersonalDataDocument), {
    input,
  });
  expect(formatDisputedOrders(disputedOrders)).toBe(
    `The payment of order ${code} is disputed. The erased names are no longer available to answer the bank.`,
  );
  expect(formatDisputedOrders([code, 'OTHER'])).toMatch(
    `The payments of orders ${code}, OTHER are disputed.`,
  );
});

test.each(['won', 'lost'] as const)('names no order whose dispute is %s', async (status) => {
  const { people } = await makeDispute(status);
  expect(await summarize(people.buyer)).toEqual([]);
});

test('the command names the orders and asks for a confirmation', async () => {
  const { code, people } = await makeDispute('open');
  const command = await createCommandRunner(app.database);
  const run = (...args: string[]) => command(['personal-data', ...args, '--email', people.buyer]);
  const warning = `The payment of these orders is disputed with the bank: ${code}.`;
  expect((await run('show')).stdout).toContain(warning);
  expect((await run('erase')).stderr).toContain(warning);
  const erased = JSON.parse((await run('erase', '--yes', '--json')).stdout);
  expect(erased).toMatchObject({ disputed_orders: [code] });
});
