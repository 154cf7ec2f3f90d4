import type { Prisma } from '../../src/db/generated/client.ts';
import type { TestApp } from './app.ts';
import { BUYER, ORDER, pay, portal, post, reasons, UNLIMITED_ORDERS } from './events.ts';
import { makeSpace } from './space.ts';

export const THURSDAY = '2026-03-19';
export const FRIDAY = '2026-03-20';

export const holders = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Holder ${n}` }));

interface Wish {
  validOn?: string;
  holders?: { name: string; email?: string }[];
  discountCode?: string;
  buyer?: object;
}

/** What a test does with day passes. */
export function dayPassesOf(app: TestApp) {
  /** At a house in Berlin that is open on weekdays: fifteen euros, two of it each day. */
  async function makeType(
    columns: Partial<Prisma.DayPassTypeUncheckedCreateInput> = {},
    timeZone = 'Europe/Berlin',
  ) {
    const { location } = await makeSpace(app);
    await app.ctx.db.location.update({ where: { id: location.id }, data: { timeZone } });
    const type = await app.ctx.db.dayPassType.create({
      data: {
        name: 'Flex',
        priceAmount: 1_500,
        dailyCapacity: 2,
        ...UNLIMITED_ORDERS,
        ...columns,
        locationId: location.id,
      },
    });
    return { ...type, location };
  }

  const ask = (typeId: string, { validOn = THURSDAY, holders, discountCode, buyer }: Wish = {}) =>
    post(app, '/public/day-passes/orders', {
      buyer: buyer ?? BUYER,
      day_pass_type_id: typeId,
      valid_on: validOn,
      holders,
      discount_code: discountCode,
    });
  const askByGraphql = (dayPassTypeId: string, wish: Wish = {}) =>
    app.graphql(
      `mutation ($input: OrderDayPassesInput!) { orderDayPasses(input: $input) { ${ORDER} } }`,
      { input: { buyer: BUYER, validOn: THURSDAY, dayPassTypeId, ...wish } },
    );

  /** That both doors refuse, in the same words. */
  async function refusal(typeId: string, wish: Wish = {}) {
    const answer = await askByGraphql(typeId, wish);
    const { status, body } = await ask(typeId, wish);
    expect([status, body.data]).toEqual([
      answer.codes[0] === 'NOT_FOUND' ? 404 : 422,
      answer.errors[0]?.message,
    ]);
    return reasons(answer)[0];
  }

  async function placed(typeId: string, wish: Wish = {}) {
    const { status, body } = await ask(typeId, wish);
    if (status !== 201) throw new Error(`not placed: ${status} ${JSON.stringify(body)}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
    return (body.data as any).order;
  }
  async function bought(typeId: string, wish: Wish = {}) {
    const { id, secret, total } = await placed(typeId, wish);
    if (total.amount > 0) await pay(app, { id }, total.amount);
    return portal(app, secret);
  }

  const takenOf = async (typeId: string) => {
    const days = await app.ctx.db.dayPassDay.findMany({
      where: { typeId },
      orderBy: { date: 'asc' },
    });
    return days.map(({ reservedCount }) => reservedCount);
  };
  return { makeType, ask, askByGraphql, refusal, placed, bought, takenOf };
}
