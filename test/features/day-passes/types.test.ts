import { setImmediate } from 'node:timers/promises';
import { v7 } from 'uuid';
import { parseDateColumn, toDateColumn } from '../../../src/core/time/calendar-date.ts';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { ensureDailyStock } from '../../../src/features/day-passes/availability.ts';
import { listDayPassTypes } from '../../../src/features/day-passes/service.ts';
import { type Credential, startApp, type TestApp } from '../../support/app.ts';
import { expectFailure } from '../../support/envelope.ts';
import { NOW } from '../../support/seed.ts';
import { makeMember, makeSpace } from '../../support/space.ts';

let app: TestApp;
let writer: Credential;
let reader: Credential;
let names = 0;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('day-passes:write') };
  reader = { token: await app.token('day-passes:read') };
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

// The tests run on Wednesday the 18th.
const [TUESDAY, TODAY, THURSDAY, SATURDAY] = [
  '2026-03-17',
  '2026-03-18',
  '2026-03-19',
  '2026-03-21',
];
const price = { amount: 2_500, currency: 'EUR' };
const TYPE = `id name description price { amount currency } location { id name timeZone address }
  perDay daysAhead active date left closed reason`;

const newName = () => {
  names += 1;
  return `Pass no. ${names}`;
};
const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateDayPassTypeInput!) { createDayPassType(input: $input) { ${TYPE} } }`,
    { input: { name: newName(), price, ...input } },
    as,
  );
const update = (id: string, input: object) =>
  app.graphql(
    `mutation ($id: ID!, $input: UpdateDayPassTypeInput!) { updateDayPassType(id: $id, input: $input) { ${TYPE} } }`,
    { id, input },
    writer,
  );
const remove = (id: string) =>
  app.graphql(`mutation ($id: ID!) { deleteDayPassType(id: $id) { id name } }`, { id }, writer);
const ask = (variables: object, as: Credential = {}) =>
  app.graphql(
    `query ($locationId: ID, $date: Date, $includeInactive: Boolean) {
      dayPassTypes(locationId: $locationId, date: $date, includeInactive: $includeInactive) { ${TYPE} } }`,
    variables,
    as,
  );

/** A day pass type at a new location, open from Monday to Friday. */
async function created(input: object = {}) {
  const { location } = await makeSpace(app);
  const { data } = await create({ locationId: location.id, ...input });
  return { location, type: data.createDayPassType, id: data.createDayPassType.id as string };
}

/** The only type of a location through GraphQL and REST: [left, closed, reason, date]. */
async function result(locationId: string, date?: string) {
  const [type] = (await ask({ locationId, date })).data.dayPassTypes;
  const search = `location_id=${locationId}${date ? `&date=${date}` : ''}`;
  const { body } = await app.rest(`/public/day-passes?${search}`);
  const [same] = (body.data as { day_pass_types: (typeof type)[] }).day_pass_types;
  expect([same.left, same.closed, same.reason, same.date]).toEqual([
    type.left,
    type.closed,
    type.reason,
    type.date,
  ]);
  return [type.left, type.closed, type.reason, type.date];
}

const take = (typeId: string, date: string, taken: number, capacity: number | null) =>
  app.ctx.db.dayPassDay.create({
    data: { typeId, date: toDateColumn(date), reservedCount: taken, capacity },
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
      date: TODAY,
      left: 8,
      closed: false,
      reason: null,
    });
    expect((await ask({ locationId: location.id })).data.dayPassTypes).toEqual([type]);
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
    expect(type).toMatchObject({ perDay: null, left: null, daysAhead: 60, description: null });
  });

  it.each([
    ['a blank name', { name: ' ' }],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }],
    ['fewer than none a day', { perDay: -1 }],
    ['sale before now', { daysAhead: -1 }],
  ])('is refused with %s', async (_, input) => {
    const refusal = { code: 'VALIDATION', reason: 'INVALID_INPUT' };
    const { id, location, type } = await created();
    expect(
      (await create({ locationId: location.id, ...input })).errors[0]?.extensions,
    ).toMatchObject(refusal);
    expect((await update(id, input)).errors[0]?.extensions).toMatchObject(refusal);
    expect((await ask({ locationId: location.id })).data.dayPassTypes).toEqual([type]);
  });

  it('must have a unique name at its location', async () => {
    const { type, location } = await created();
    const taken = { code: 'CONFLICT', reason: 'TAKEN' };
    const again = await create({ locationId: location.id, name: type.name });
    expect(again.errors[0]?.extensions).toEqual(taken);
    const other = (await create({ locationId: location.id })).data.createDayPassType;
    expect((await update(other.id, { name: type.name })).errors[0]?.extensions).toEqual(taken);
    expect((await created({ name: type.name })).type.name).toBe(type.name);
  });

  it('keeps omitted fields', async () => {
    const { id, type } = await created({ description: 'x', perDay: 3 });
    const changed = await update(id, { price: { amount: 1, currency: 'CHF' }, name: null });
    expect(changed.data.updateDayPassType).toEqual({
      ...type,
      price: { amount: 1, currency: 'CHF' },
    });
    const emptied = await update(id, { description: null, perDay: null, daysAhead: 0 });
    expect(emptied.data.updateDayPassType).toMatchObject({
      description: null,
      perDay: null,
      left: null,
      daysAhead: 0,
    });
  });

  it('can be deleted without passes', async () => {
    const { id } = await created();
    await take(id, TODAY, 0, null);
    expect((await remove(id)).data.deleteDayPassType.id).toBe(id);
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

describe('the availability of a day pass type', () => {
  it('excludes sold and held passes of the date', async () => {
    const { id, location } = await created({ perDay: 5 });
    await take(id, THURSDAY, 3, 5);
    expect(await result(location.id)).toEqual([5, false, null, TODAY]);
    expect(await result(location.id, THURSDAY)).toEqual([2, false, null, THURSDAY]);
    await app.ctx.db.dayPassDay.updateMany({ where: { typeId: id }, data: { reservedCount: 5 } });
    expect(await result(location.id, THURSDAY)).toEqual([0, false, 'SOLD_OUT', THURSDAY]);
    const unlimited = await created();
    await take(unlimited.id, THURSDAY, 300, null);
    expect(await result(unlimited.location.id, THURSDAY)).toEqual([null, false, null, THURSDAY]);
  });

  it('is zero for past dates and dates too far ahead', async () => {
    const { location } = await created({ perDay: 5, daysAhead: 2 });
    expect(await result(location.id, TUESDAY)).toEqual([0, false, 'DATE_PAST', TUESDAY]);
    expect(await result(location.id, '2026-03-20')).toEqual([5, false, null, '2026-03-20']);
    const far = await result(location.id, '2026-03-23');
    expect(far).toEqual([0, false, 'TOO_FAR_AHEAD', '2026-03-23']);
  });

  it('is zero for dates on which the location is closed', async () => {
    const { location } = await created({ perDay: 5 });
    expect(await result(location.id, SATURDAY)).toEqual([0, true, 'CLOSED', SATURDAY]);
    const [startsOn, endsOn] = [toDateColumn('2026-03-23'), toDateColumn('2026-03-24')];
    await app.ctx.db.closure.create({ data: { locationId: location.id, startsOn, endsOn } });
    const closed = await Promise.all(
      ['2026-03-20', '2026-03-23', '2026-03-24', '2026-03-25'].map((day) =>
        result(location.id, day),
      ),
    );
    expect(closed.map(([left, isClosed]) => [left, isClosed])).toEqual([
      [5, false],
      [0, true],
      [0, true],
      [5, false],
    ]);
    await app.ctx.db.openingHours.deleteMany({ where: { locationId: location.id } });
    expect(await result(location.id, SATURDAY)).toEqual([5, false, null, SATURDAY]);
  });

  it('uses the time zone of the location', async () => {
    const { location } = await created({ perDay: 5, daysAhead: 0 });
    app.clock.now = new Date('2026-03-18T16:59:59.999Z');
    expect(await result(location.id)).toEqual([5, false, null, TODAY]);
    app.clock.now = new Date('2026-03-18T22:59:59.999Z');
    expect(await result(location.id)).toEqual([0, true, 'CLOSED', TODAY]);
    expect(await result(location.id, THURSDAY)).toEqual([0, false, 'TOO_FAR_AHEAD', THURSDAY]);
    app.clock.now = new Date('2026-03-18T23:00:00.000Z');
    expect(await result(location.id)).toEqual([5, false, null, THURSDAY]);
    expect(await result(location.id, TODAY)).toEqual([0, false, 'DATE_PAST', TODAY]);
    await app.ctx.db.location.update({
      where: { id: location.id },
      data: { timeZone: 'Pacific/Honolulu' },
    });
    expect(await result(location.id)).toEqual([5, false, null, TODAY]);
  });

  it('follows the daily capacity for future dates only', async () => {
    const { id, location } = await created({ perDay: 5 });
    const dates = [TUESDAY, TODAY, THURSDAY];
    for (const date of dates) await take(id, date, 3, 5);
    expect((await update(id, { perDay: 4 })).data.updateDayPassType.left).toBe(1);
    const capacities = async () =>
      (
        await app.ctx.db.dayPassDay.findMany({ where: { typeId: id }, orderBy: { date: 'asc' } })
      ).map(({ capacity }) => capacity);
    expect(await capacities()).toEqual([5, 4, 4]);
    expect(await result(location.id, THURSDAY)).toEqual([1, false, null, THURSDAY]);
    const refused = await update(id, { perDay: 2, name: 'Never' });
    expect(refused.errors[0]?.extensions).toEqual({
      code: 'CONFLICT',
      reason: 'PER_DAY_BELOW_SOLD',
      date: TODAY,
      taken: 3,
    });
    expect(await capacities()).toEqual([5, 4, 4]);
    expect((await update(id, { perDay: null })).data.updateDayPassType.left).toBeNull();
    expect(await capacities()).toEqual([5, null, null]);
  });

  it('follows the daily capacity for a date that is ordered concurrently', async () => {
    const { db } = app.ctx;
    const stocked = async (id: string) => {
      const [type] = await listDayPassTypes(app.ctx, { ids: [id] });
      const days = await db.dayPassDay.findMany({ where: { typeId: id } });
      return days.map(({ capacity }) => [capacity, type?.dailyCapacity]);
    };
    // The capacity that was read before is outdated by the time it is written.
    const unguarded = await created({ perDay: 10 });
    const perDay = unguarded.type.perDay;
    await update(unguarded.id, { perDay: 3 });
    await take(unguarded.id, THURSDAY, 0, perDay);
    expect(await stocked(unguarded.id)).toEqual([[10, 3]]);

    for (let round = 0; round < 5; round += 1) {
      const { id } = await created({ perDay: 10 });
      let isChanged = false;
      const change = update(id, { perDay: 3 }).then(() => {
        isChanged = true;
      });
      for (let n = 0; !isChanged; n += 1) {
        const date = parseDateColumn(new Date(toDateColumn(THURSDAY).getTime() + n * DAY_MS));
        await Promise.all([
          ensureDailyStock(app.ctx, id, date),
          ensureDailyStock(app.ctx, id, date),
        ]);
        await setImmediate(); // the embedded database answers without it, and the request would never arrive
      }
      await change;
      const days = await stocked(id);
      expect(days).toEqual(days.map(() => [3, 3]));
    }
  });

  it('is never negative when capacity falls during sales', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await created({ perDay: 10 });
      await take(id, TODAY, 0, 10);
      const sales = Array.from(
        { length: 6 },
        () => app.ctx.db.$executeRaw`UPDATE day_pass_days SET reserved_count = reserved_count + 1
          WHERE type_id = ${id}::uuid AND coalesce(reserved_count < capacity, true)`,
      );
      const [response] = await Promise.all([update(id, { perDay: 3 }), ...sales]);
      expect([undefined, 'PER_DAY_BELOW_SOLD']).toContain(response.errors[0]?.extensions.reason);
      expect(response.codes).not.toContain('INTERNAL');
      const [day] = await app.ctx.db.dayPassDay.findMany({ where: { typeId: id } });
      const [type] = await listDayPassTypes(app.ctx, { ids: [id] });
      expect([type?.dailyCapacity, day?.capacity, day?.reservedCount]).toEqual(
        response.codes.length === 0 ? [3, 3, 3] : [10, 10, 6],
      );
    }
  });
});

describe('the list of day pass types', () => {
  it('is sorted by name and omits inactive types', async () => {
    const { id, location } = await created({ name: 'Zed' });
    await create({ locationId: location.id, name: 'Alpha' });
    await update(id, { active: false });
    const seen = async (variables: object, as?: Credential) =>
      (await ask({ locationId: location.id, ...variables }, as)).data.dayPassTypes.map(
        ({ name, left, reason }: Record<string, unknown>) => [name, left, reason],
      );
    expect(await seen({})).toEqual([['Alpha', null, null]]);
    const all = [
      ['Alpha', null, null],
      ['Zed', 0, 'INACTIVE'],
    ];
    expect(await seen({ includeInactive: true }, reader)).toEqual(all);
    expect(await seen({}, reader)).toEqual(all.slice(0, 1));
    const { body } = await app.rest(`/public/day-passes?location_id=${location.id}`);
    expect(body.data).toMatchObject({ day_pass_types: [{ name: 'Alpha' }] });
  });

  it('shows inactive types only with day-passes:read', async () => {
    expect((await ask({ includeInactive: true })).codes).toEqual(['UNAUTHENTICATED']);
    const member = await (await makeMember(app)).signedIn();
    expect((await ask({ includeInactive: true }, member)).codes).toEqual(['FORBIDDEN']);
    expect((await ask({ includeInactive: true }, writer)).codes).toEqual(['FORBIDDEN']);
    expect((await create({ locationId: v7() }, reader)).codes).toEqual(['FORBIDDEN']);
  });

  it('returns the reason of unavailable types to orders', async () => {
    const { id } = await created();
    await update(id, { active: false });
    const [type, ...others] = await listDayPassTypes(app.ctx, { ids: [id, v7()], date: THURSDAY });
    expect([type?.reason, type?.left, others]).toEqual(['INACTIVE', 0, []]);
  });

  it.each([
    'date=2026-02-30',
    'date=tomorrow',
    'date=2026-3-1',
    'date=',
    'location_id=x',
    'limit=1',
    'date=2026-03-01&date=2026-03-02',
  ])('cannot be read as %s', async (search) => {
    expectFailure(await app.rest(`/public/day-passes?${search}`), 400);
  });

  it('is empty without day pass types', async () => {
    const { body } = await app.rest(`/public/day-passes?location_id=${v7()}`);
    expect(body.data).toEqual({ day_pass_types: [] });
  });
});
