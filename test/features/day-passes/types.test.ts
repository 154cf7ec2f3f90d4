import { v7 } from 'uuid';
import { toDateColumn } from '../../../src/core/time/calendar-date.ts';
import { createDayPassTypeEditor, PRICE } from '../../support/factories/day-pass-types.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let types: Awaited<ReturnType<typeof createDayPassTypeEditor>>;

beforeAll(async () => {
  app = await startApp();
  types = await createDayPassTypeEditor(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

// The tests run on Wednesday the 18th.
const TODAY = '2026-03-18';
describe('a day pass type', () => {
  it('returns all its fields through GraphQL and REST', async () => {
    const { type, location } = await types.created({
      name: 'Day in the garden',
      description: 'With coffee',
      dailyCapacity: 8,
      daysAhead: 30,
    });
    expect(type).toEqual({
      id: type.id,
      name: 'Day in the garden',
      description: 'With coffee',
      price: PRICE,
      location: { id: location.id, name: 'House', timeZone: 'Europe/Berlin', address: null },
      dailyCapacity: 8,
      daysAhead: 30,
      active: true,
      stock: { date: TODAY, left: 8, closed: false, reason: null },
    });
    expect((await types.list({ locationId: location.id })).data.dayPassTypes).toEqual([type]);
    const { status, body } = await app.rest(`/public/day-passes?location_id=${location.id}`);
    expect([status, body.data]).toEqual([
      200,
      {
        day_pass_types: [
          {
            id: type.id,
            name: 'Day in the garden',
            description: 'With coffee',
            price: PRICE,
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
    const { type } = await types.created();
    expect(type).toMatchObject({
      dailyCapacity: null,
      stock: { left: null },
      daysAhead: 60,
      description: null,
    });
  });

  it.each([
    ['a blank name', { name: ' ' }],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }],
    ['a negative number a day', { dailyCapacity: -1 }],
    ['sale before now', { daysAhead: -1 }],
  ])('is rejected with %s', async (_, input) => {
    const expectRejected = { code: 'VALIDATION', reason: 'INVALID_INPUT' };
    const { id, location, type } = await types.created();
    expect(
      (await types.create({ locationId: location.id, ...input })).errors[0]?.extensions,
    ).toMatchObject(expectRejected);
    expect((await types.update(id, input)).errors[0]?.extensions).toMatchObject(expectRejected);
    expect((await types.list({ locationId: location.id })).data.dayPassTypes).toEqual([type]);
  });

  it('must have a unique name at its location', async () => {
    const { type, location } = await types.created();
    const reserved = {
      ...{ code: 'CONFLICT', reason: 'TAKEN' },
      fields: [{ field: 'name', message: expect.any(String) }],
    };
    const again = await types.create({ locationId: location.id, name: type.name });
    expect(again.errors[0]?.extensions).toEqual(reserved);
    const other = (await types.create({ locationId: location.id })).data.createDayPassType
      .dayPassType;
    expect((await types.update(other.id, { name: type.name })).errors[0]?.extensions).toEqual(
      reserved,
    );
    expect((await types.created({ name: type.name })).type.name).toBe(type.name);
  });

  it('keeps omitted fields', async () => {
    const { id, type } = await types.created({ description: 'x', dailyCapacity: 3 });
    const changed = await types.update(id, { price: { amount: 1, currency: 'CHF' }, name: null });
    expect(changed.data.updateDayPassType.dayPassType).toEqual({
      ...type,
      price: { amount: 1, currency: 'CHF' },
    });
    const emptied = await types.update(id, {
      description: null,
      dailyCapacity: null,
      daysAhead: 0,
    });
    expect(emptied.data.updateDayPassType.dayPassType).toMatchObject({
      description: null,
      dailyCapacity: null,
      stock: { left: null },
      daysAhead: 0,
    });
  });

  it('can be deleted without passes', async () => {
    const { id } = await types.created();
    await types.reserve(id, TODAY, 0, null);
    expect((await types.remove(id)).data.deleteDayPassType).toEqual({ deletedDayPassTypeId: id });
    const sold = await types.created();
    await pass(sold.id);
    expect((await types.remove(sold.id)).errors[0]?.extensions).toEqual({
      code: 'CONFLICT',
      reason: 'DAY_PASS_TYPE_IN_USE',
    });
    expect((await types.update(sold.id, { active: false })).codes).toEqual([]);
  });

  it('returns NOT_FOUND for an unknown id', async () => {
    for (const id of [v7(), 'x']) {
      expect((await types.update(id, { active: true })).codes).toEqual(['NOT_FOUND']);
      expect((await types.remove(id)).codes).toEqual(['NOT_FOUND']);
    }
    expect((await types.create({ locationId: v7() })).codes).toEqual(['NOT_FOUND']);
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
        totalAmount: PRICE.amount,
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
        unitPrice: PRICE.amount,
        amount: PRICE.amount,
      },
    });
  };
});
