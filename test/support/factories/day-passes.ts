import type { Prisma } from '../../../src/db/generated/client.ts';
import type { TestApp } from '../harness/app.ts';
import {
  BUYER,
  fetchOrder,
  getReasons,
  ORDER_FIELDS,
  payOrder,
  postJson,
  UNLIMITED_ORDERS,
} from './events.ts';
import { makeSpace } from './space.ts';

export const THURSDAY = '2026-03-19';
export const FRIDAY = '2026-03-20';

export const makeHolders = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Holder ${n}` }));

interface DayPassRequest {
  validOn?: string;
  holders?: { name: string; email?: string }[];
  discountCode?: string;
  buyer?: object;
}

/** The actions on day passes through both APIs. */
export function createDayPassActions(app: TestApp) {
  /** A day pass type in Berlin, open on weekdays, for fifteen euros and two passes a day. */
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

  const order = (
    typeId: string,
    { validOn = THURSDAY, holders, discountCode, buyer }: DayPassRequest = {},
  ) =>
    postJson(app, '/public/day-passes/orders', {
      buyer: buyer ?? BUYER,
      day_pass_type_id: typeId,
      valid_on: validOn,
      holders,
      discount_code: discountCode,
    });
  const orderByGraphql = (dayPassTypeId: string, request: DayPassRequest = {}) =>
    app.graphql(
      `mutation ($input: OrderDayPassesInput!) { orderDayPasses(input: $input) { order { ${ORDER_FIELDS} } } }`,
      { input: { buyer: BUYER, validOn: THURSDAY, dayPassTypeId, ...request } },
    );

  /** Expects the same rejection from both APIs and returns its reason. */
  async function expectRejected(typeId: string, request: DayPassRequest = {}) {
    const response = await orderByGraphql(typeId, request);
    const { status, body } = await order(typeId, request);
    expect([status, body.data]).toEqual([
      response.codes[0] === 'NOT_FOUND' ? 404 : 422,
      response.errors[0]?.message,
    ]);
    return getReasons(response)[0];
  }

  async function place(typeId: string, request: DayPassRequest = {}) {
    const { status, body } = await order(typeId, request);
    if (status !== 201) throw new Error(`order failed: ${status} ${JSON.stringify(body)}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
    return (body.data as any).order;
  }
  async function buy(typeId: string, request: DayPassRequest = {}) {
    const { id, secret, total } = await place(typeId, request);
    if (total.amount > 0) await payOrder(app, { id }, total.amount);
    return fetchOrder(app, secret);
  }

  const countReserved = async (typeId: string) => {
    const days = await app.ctx.db.dayPassDay.findMany({
      where: { typeId },
      orderBy: { date: 'asc' },
    });
    return days.map(({ reservedCount }) => reservedCount);
  };
  return { makeType, order, orderByGraphql, expectRejected, place, buy, countReserved };
}
