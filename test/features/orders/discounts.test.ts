import type { Prisma } from '../../../src/db/generated/client.ts';
import {
  atTime,
  buyTickets,
  cancelOrder,
  expectRejected,
  fetchOrder,
  makeEvent,
  placeOrder,
  placeOrderByGraphql,
} from '../../support/factories/events.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: SANDBOX });
});
afterAll(() => app.stop());

let codes = 0;
async function makeCode(columns: Partial<Prisma.DiscountCodeUncheckedCreateInput>) {
  codes += 1;
  const data = { code: `CODE-${codes}`, ...columns };
  return (await app.ctx.db.discountCode.create({ data })).code;
}
const countUses = async (code: string) =>
  (await app.ctx.db.discountCode.findUniqueOrThrow({ where: { code } })).uses;
const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

describe('a discount code in an order', () => {
  it.each<[Partial<Prisma.DiscountCodeUncheckedCreateInput>, number, number[]]>([
    [{ percent: 15 }, 2_974, [850, 850, 1_274]],
    [{ percent: 1 }, 3_464, []],
    [{ amount: 501, currency: 'EUR' }, 2_998, []],
    [{ amount: 3_498, currency: 'EUR' }, 1, []],
  ])('%j reduces the total and is spread over the tickets', async (columns, total, prices) => {
    const event = await makeEvent(app, { types: [{}, { priceAmount: 1_499 }] });
    const [plain = '', expensive = ''] = event.types;
    const discount_code = await makeCode(columns);
    const created = await buyTickets(app, event.id, [...one(plain, 2), ...one(expensive)], {
      discount_code,
    });
    expect(created).toMatchObject({
      total: { amount: total },
      discount: { code: discount_code, amount: { amount: 3_499 - total } },
      paid: { amount: total },
    });
    const paid = created.tickets.map(({ price }: { price: { amount: number } }) => price.amount);
    expect(paid.reduce((sum: number, amount: number) => sum + amount, 0)).toBe(total);
    if (prices.length > 0) expect(paid).toEqual(prices);
  });

  it('makes an order free and immediately confirmed if it covers the whole price', async () => {
    const event = await makeEvent(app);
    for (const columns of [{ percent: 100 }, { amount: 100_000, currency: 'EUR' }]) {
      const code = await makeCode(columns);
      const { data } = await placeOrderByGraphql(app, event.id, one(event.type, 2), {
        discountCode: ` ${code.toLowerCase()} `,
      });
      expect(data.placeOrder.order).toMatchObject({
        status: 'PAID',
        total: { amount: 0 },
        discount: { amount: 2_000 },
        discountCode: code,
        payment: null,
        tickets: [{ price: { amount: 0 } }, { price: { amount: 0 } }],
      });
      expect(await countUses(code)).toBe(1);
    }
  });

  it.each<[string, Partial<Prisma.DiscountCodeUncheckedCreateInput>]>([
    ['DISCOUNT_UNKNOWN', { percent: 10, active: false }],
    ['DISCOUNT_UNKNOWN', { amount: 100, currency: 'CHF' }],
    ['DISCOUNT_NOT_YET', { percent: 10, startsAt: new Date('2026-03-18T09:30:00.001Z') }],
    ['DISCOUNT_ENDED', { percent: 10, endsAt: new Date('2026-03-18T09:30:00Z') }],
    ['DISCOUNT_USED_UP', { percent: 10, maxUses: 1, uses: 1 }],
  ])('is rejected with %s if it is %j', async (reason, columns) => {
    const event = await makeEvent(app);
    const discountCode = await makeCode(columns);
    expect(await expectRejected(app, event.id, one(event.type), { discountCode })).toMatchObject({
      code: reason === 'DISCOUNT_USED_UP' ? 'CONFLICT' : 'VALIDATION',
      reason,
    });
  });

  it('is rejected if it is unknown or for another event', async () => {
    const [event, other] = [await makeEvent(app), await makeEvent(app)];
    for (const discountCode of ['NO-SUCH', await makeCode({ percent: 10, eventId: other.id })])
      expect(await expectRejected(app, event.id, one(event.type), { discountCode })).toMatchObject({
        reason: 'DISCOUNT_UNKNOWN',
      });
  });

  it('is valid from its start until its end', async () => {
    const event = await makeEvent(app);
    const startsAt = new Date('2026-03-18T09:30:00Z');
    const discount_code = await makeCode({ percent: 10, startsAt });
    expect(await placeOrder(app, event.id, one(event.type), { discount_code })).toMatchObject({
      total: { amount: 900 },
    });
  });

  it('counts one use for each order, and returns it with the order', async () => {
    const event = await makeEvent(app);
    const discount_code = await makeCode({ percent: 10, maxUses: 2 });
    const held = await placeOrder(app, event.id, one(event.type), { discount_code });
    const paid = await buyTickets(app, event.id, one(event.type, 2), { discount_code });
    expect(await countUses(discount_code)).toBe(2);
    await cancelOrder(app, held.secret);
    expect(await countUses(discount_code)).toBe(1);
    await cancelOrder(app, paid.secret, [paid.tickets[0].id]);
    expect(await countUses(discount_code)).toBe(1);
    await cancelOrder(app, paid.secret);
    expect(await countUses(discount_code)).toBe(0);
  });

  it('becomes available when holds of any event expire', async () => {
    const [event, other] = [await makeEvent(app), await makeEvent(app)];
    const discount_code = await makeCode({ percent: 10, maxUses: 1 });
    const held = await placeOrder(app, other.id, one(other.type), { discount_code });
    await atTime(app, '2026-03-18T09:45:00Z', () =>
      placeOrder(app, event.id, one(event.type), { discount_code }),
    );
    expect((await fetchOrder(app, held.secret)).status).toBe('expired');
    expect(await countUses(discount_code)).toBe(1);
  });
});
