import { v7 } from 'uuid';
import { toDateColumn } from '../../../src/core/time/calendar-date.ts';
import type { Credential } from '../../support/clients/api.ts';
import { NOW } from '../../support/factories/seed.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let writer: Credential;
let names = 0;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('day-passes:write') };
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

// The tests run on Wednesday the 18th.
const TODAY = '2026-03-18';
const price = { amount: 2_500, currency: 'EUR' };
const TYPE = `id name description price { amount currency } location { id name timeZone address }
  perDay daysAhead active stock { date left closed reason }`;

const newName = () => {
  names += 1;
  return `Pass no. ${names}`;
};
const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateDayPassTypeInput!) { createDayPassType(input: $input) { dayPassType { ${TYPE} } } }`,
    { input: { name: newName(), price, ...input } },
    as,
  );
const update = (id: string, input: object) =>
  app.graphql(
    `mutation ($input: UpdateDayPassTypeInput!) { updateDayPassType(input: $input) { dayPassType { ${TYPE} } } }`,
    { input: { id, ...input } },
    writer,
  );
const remove = (id: string) =>
  app.graphql(
    `mutation ($id: ID!) { deleteDayPassType(input: { id: $id }) { deletedDayPassTypeId } }`,
    { id },
    writer,
  );
const order = (variables: object, as: Credential = {}) =>
  app.graphql(
    `query ($locationId: ID, $date: Date, $includeInactive: Boolean) {
      dayPassTypes(locationId: $locationId, includeInactive: $includeInactive) { ${TYPE.replace('stock', 'stock(date: $date)')} } }`,
    variables,
    as,
  );

/** A day pass type at a new location, open from Monday to Friday. */
async function created(input: object = {}) {
  const { location } = await makeSpace(app);
  const { data } = await create({ locationId: location.id, ...input });
  return {
    location,
    type: data.createDayPassType.dayPassType,
    id: data.createDayPassType.dayPassType.id as string,
  };
}

const take = (typeId: string, date: string, reserved: number, capacity: number | null) =>
  app.ctx.db.dayPassDay.create({
    data: { typeId, date: toDateColumn(date), reservedCount: reserved, capacity },
  });

describe('a day pass type', () => {
  it('returns all its fields through GraphQL and REST', async () => {
    const { type, location } = await created({
      name: 'Day in the garden',
      description: 'With coffee',
      perDay: 8,
      daysAhead: 30,
    });
    expect(type).toEqual({
      id: type.id,
      name: 'Day in the garden',
      description: 'With coffee',
      price,
      location: { id: location.id, name: 'House', timeZone: 'Europe/Berlin', address: null },
      perDay: 8,
      daysAhead: 30,
      active: true,
      stock: { date: TODAY, left: 8, closed: false, reason: null },
    });
    expect((await order({ locationId: location.id })).data.dayPassTypes).toEqual([type]);
    const { status, body } = await app.rest(`/public/day-passes?location_id=${location.id}`);
    expect([status, body.data]).toEqual([
      200,
      {
        day_pass_types: [
          {
            id: type.id,
            name: 'Day in the garden',
            description: 'With coffee',
            price,
            location: { id: location.id, name: 'House', time_zone: 'Europe/Berlin' },
            per_day: 8,
            date: TODAY,
            left: 8,
            closed: false,
            reason: null,
          },
        ],
      },
    ]);
  });

  it('is unlimited and sold 60 days in advance by default', async () => {
    const { type } = await created();
    expect(type).toMatchObject({
      perDay: null,
      stock: { left: null },
      daysAhead: 60,
      description: null,
    });
  });

  it.each([
    ['a blank name', { name: ' ' }],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }],
    ['a negative number a day', { perDay: -1 }],
    ['sale before now', { daysAhead: -1 }],
  ])('is rejected with %s', async (_, input) => {
    const expectRejected = { code: 'VALIDATION', reason: 'INVALID_INPUT' };
    const { id, location, type } = await created();
    expect(
      (await create({ locationId: location.id, ...input })).errors[0]?.extensions,
    ).toMatchObject(expectRejected);
    expect((await update(id, input)).errors[0]?.extensions).toMatchObject(expectRejected);
    expect((await order({ locationId: location.id })).data.dayPassTypes).toEqual([type]);
  });

  it('must have a unique name at its location', async () => {
    const { type, location } = await created();
    const reserved = { code: 'CONFLICT', reason: 'TAKEN' };
    const again = await create({ locationId: location.id, name: type.name });
    expect(again.errors[0]?.extensions).toEqual(reserved);
    const other = (await create({ locationId: location.id })).data.createDayPassType.dayPassType;
    expect((await update(other.id, { name: type.name })).errors[0]?.extensions).toEqual(reserved);
    expect((await created({ name: type.name })).type.name).toBe(type.name);
  });

  it('keeps omitted fields', async () => {
    const { id, type } = await created({ description: 'x', perDay: 3 });
    const changed = await update(id, { price: { amount: 1, currency: 'CHF' }, name: null });
    expect(changed.data.updateDayPassType.dayPassType).toEqual({
      ...type,
      price: { amount: 1, currency: 'CHF' },
    });
    const emptied = await update(id, { description: null, perDay: null, daysAhead: 0 });
    expect(emptied.data.updateDayPassType.dayPassType).toMatchObject({
      description: null,
      perDay: null,
      stock: { left: null },
      daysAhead: 0,
    });
  });

  it('can be deleted without passes', async () => {
    const { id } = await created();
    await take(id, TODAY, 0, null);
    expect((await remove(id)).data.deleteDayPassType).toEqual({ deletedDayPassTypeId: id });
    const sold = await created();
    await pass(sold.id);
    expect((await remove(sold.id)).errors[0]?.extensions).toEqual({
      code: 'CONFLICT',
      reason: 'DAY_PASS_TYPE_IN_USE',
    });
    expect((await update(sold.id, { active: false })).codes).toEqual([]);
  });

  it('returns NOT_FOUND for an unknown id', async () => {
    for (const id of [v7(), 'x']) {
      expect((await update(id, { active: true })).codes).toEqual(['NOT_FOUND']);
      expect((await remove(id)).codes).toEqual(['NOT_FOUND']);
    }
    expect((await create({ locationId: v7() })).codes).toEqual(['NOT_FOUND']);
  });

  const pass = async (typeId: string) => {
    const { db } = app.ctx;
    const order = await db.order.create({
      data: {
        code: v7(),
        status: 'expired',
        buyerName: 'Bo',
        buyerEmail: 'bo@example.org',
        currency: 'EUR',
        totalAmount: price.amount,
      },
    });
    await db.dayPass.create({
      data: {
        code: v7(),
        orderId: order.id,
        typeId,
        validOn: toDateColumn(TODAY),
        position: 0,
        status: 'expired',
        holderName: 'Bo',
        unitPrice: price.amount,
        amount: price.amount,
      },
    });
  };
});
