import { setImmediate } from 'node:timers/promises';
import { v7 } from 'uuid';
import { parseDateColumn, toDateColumn } from '../../../src/core/time/calendar-date.ts';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { ensureDailyStock } from '../../../src/features/day-passes/service/availability.ts';
import { listOfferedDayPassTypes } from '../../../src/features/day-passes/service/day-pass-types.ts';
import { type Credential, expectErrorEnvelope } from '../../support/clients/api.ts';
import { createDayPassTypeEditor } from '../../support/factories/day-pass-types.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let types: Awaited<ReturnType<typeof createDayPassTypeEditor>>;
let reader: Credential;

beforeAll(async () => {
  app = await startApp();
  types = await createDayPassTypeEditor(app);
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
/** The only type of a location through GraphQL and REST: [left, closed, reason, date]. */
async function result(locationId: string, date?: string) {
  const [{ stock: type }] = (await types.list({ locationId, date })).data.dayPassTypes;
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

describe('the availability of a day pass type', () => {
  it('excludes sold and held passes of the date', async () => {
    const { id, location } = await types.created({ dailyCapacity: 5 });
    await types.reserve(id, THURSDAY, 3, 5);
    expect(await result(location.id)).toEqual([5, false, null, TODAY]);
    expect(await result(location.id, THURSDAY)).toEqual([2, false, null, THURSDAY]);
    await app.ctx.db.dayPassDay.updateMany({ where: { typeId: id }, data: { reservedCount: 5 } });
    expect(await result(location.id, THURSDAY)).toEqual([0, false, 'SOLD_OUT', THURSDAY]);
    const unlimited = await types.created();
    await types.reserve(unlimited.id, THURSDAY, 300, null);
    expect(await result(unlimited.location.id, THURSDAY)).toEqual([null, false, null, THURSDAY]);
  });

  it('is zero for past dates and dates too far ahead', async () => {
    const { location } = await types.created({ dailyCapacity: 5, daysAhead: 2 });
    expect(await result(location.id, TUESDAY)).toEqual([0, false, 'DATE_PAST', TUESDAY]);
    expect(await result(location.id, '2026-03-20')).toEqual([5, false, null, '2026-03-20']);
    const far = await result(location.id, '2026-03-23');
    expect(far).toEqual([0, false, 'TOO_FAR_AHEAD', '2026-03-23']);
  });

  it('is zero for dates on which the location is closed', async () => {
    const { location } = await types.created({ dailyCapacity: 5 });
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
    const { location } = await types.created({ dailyCapacity: 5, daysAhead: 0 });
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
    const { id, location } = await types.created({ dailyCapacity: 5 });
    const dates = [TUESDAY, TODAY, THURSDAY];
    for (const date of dates) await types.reserve(id, date, 3, 5);
    expect(
      (await types.update(id, { dailyCapacity: 4 })).data.updateDayPassType.dayPassType.stock.left,
    ).toBe(1);
    const capacities = async () =>
      (
        await app.ctx.db.dayPassDay.findMany({ where: { typeId: id }, orderBy: { date: 'asc' } })
      ).map(({ capacity }) => capacity);
    expect(await capacities()).toEqual([5, 4, 4]);
    expect(await result(location.id, THURSDAY)).toEqual([1, false, null, THURSDAY]);
    const rejected = await types.update(id, { dailyCapacity: 2, name: 'Never' });
    expect(rejected.errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'DAILY_CAPACITY_BELOW_SOLD',
      date: TODAY,
      taken: 3,
    });
    expect(await capacities()).toEqual([5, 4, 4]);
    expect(
      (await types.update(id, { dailyCapacity: null })).data.updateDayPassType.dayPassType.stock
        .left,
    ).toBeNull();
    expect(await capacities()).toEqual([5, null, null]);
  });

  it('follows the daily capacity for a date that is ordered concurrently', async () => {
    const { db } = app.ctx;
    const stocked = async (id: string) => {
      const [type] = await listOfferedDayPassTypes(app.ctx, { ids: [id] });
      const days = await db.dayPassDay.findMany({ where: { typeId: id } });
      return days.map(({ capacity }) => [capacity, type?.dailyCapacity]);
    };
    // The capacity that it has read is outdated when it writes.
    const unguarded = await types.created({ dailyCapacity: 10 });
    const dailyCapacity = unguarded.type.dailyCapacity;
    await types.update(unguarded.id, { dailyCapacity: 3 });
    await types.reserve(unguarded.id, THURSDAY, 0, dailyCapacity);
    expect(await stocked(unguarded.id)).toEqual([[10, 3]]);

    for (let round = 0; round < 5; round += 1) {
      const { id } = await types.created({ dailyCapacity: 10 });
      let isChanged = false;
      const change = types.update(id, { dailyCapacity: 3 }).then(() => {
        isChanged = true;
      });
      for (let n = 0; !isChanged; n += 1) {
        const date = parseDateColumn(new Date(toDateColumn(THURSDAY).getTime() + n * DAY_MS));
        await Promise.all([
          ensureDailyStock(app.ctx, id, date),
          ensureDailyStock(app.ctx, id, date),
        ]);
        await setImmediate(); // the embedded database blocks the event loop, so the request would never arrive
      }
      await change;
      const days = await stocked(id);
      expect(days).toEqual(days.map(() => [3, 3]));
    }
  });

  it('is never negative when capacity falls during sales', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await types.created({ dailyCapacity: 10 });
      await types.reserve(id, TODAY, 0, 10);
      const sales = Array.from(
        { length: 6 },
        () => app.ctx.db.$executeRaw`UPDATE day_pass_days SET reserved_count = reserved_count + 1
          WHERE type_id = ${id}::uuid AND coalesce(reserved_count < capacity, true)`,
      );
      const [response] = await Promise.all([types.update(id, { dailyCapacity: 3 }), ...sales]);
      expect([undefined, 'DAILY_CAPACITY_BELOW_SOLD']).toContain(
        response.errors[0]?.extensions.reason,
      );
      expect(response.codes).not.toContain('INTERNAL');
      const [day] = await app.ctx.db.dayPassDay.findMany({ where: { typeId: id } });
      const [type] = await listOfferedDayPassTypes(app.ctx, { ids: [id] });
      expect([type?.dailyCapacity, day?.capacity, day?.reservedCount]).toEqual(
        response.codes.length === 0 ? [3, 3, 3] : [10, 10, 6],
      );
    }
  });
});

describe('the list of day pass types', () => {
  it('is sorted by name and omits inactive types', async () => {
    const { id, location } = await types.created({ name: 'Zed' });
    await types.create({ locationId: location.id, name: 'Alpha' });
    await types.update(id, { active: false });
    const listTypes = async (variables: object, as?: Credential) =>
      (await types.list({ locationId: location.id, ...variables }, as)).data.dayPassTypes.map(
        ({ name, stock }: { name: string; stock: Record<string, unknown> }) => [
          name,
          stock.left,
          stock.reason,
        ],
      );
    expect(await listTypes({})).toEqual([['Alpha', null, null]]);
    const all = [
      ['Alpha', null, null],
      ['Zed', 0, 'INACTIVE'],
    ];
    expect(await listTypes({ includeInactive: true }, reader)).toEqual(all);
    expect(await listTypes({}, reader)).toEqual(all.slice(0, 1));
    const { body } = await app.rest(`/public/day-passes?location_id=${location.id}`);
    expect(body.data).toMatchObject({ day_pass_types: [{ name: 'Alpha' }] });
  });

  it('shows inactive types only with day-passes:read', async () => {
    expect((await types.list({ includeInactive: true })).codes).toEqual(['UNAUTHENTICATED']);
    const member = await (await makeMember(app)).signedIn();
    expect((await types.list({ includeInactive: true }, member)).codes).toEqual(['FORBIDDEN']);
    expect((await types.list({ includeInactive: true }, types.writer)).codes).toEqual([
      'FORBIDDEN',
    ]);
    expect((await types.create({ locationId: v7() }, reader)).codes).toEqual(['FORBIDDEN']);
  });

  it('returns the reason of unavailable types to orders', async () => {
    const { id } = await types.created();
    await types.update(id, { active: false });
    const [type, ...others] = await listOfferedDayPassTypes(app.ctx, {
      ids: [id, v7()],
      date: THURSDAY,
    });
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
    expectErrorEnvelope(await app.rest(`/public/day-passes?${search}`), 400);
  });

  it('is empty without day pass types', async () => {
    const { body } = await app.rest(`/public/day-passes?location_id=${v7()}`);
    expect(body.data).toEqual({ day_pass_types: [] });
  });
});
