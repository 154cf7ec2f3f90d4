import { v7 } from 'uuid';
import { createDayPassActions, makeHolders } from '../../support/factories/day-passes.ts';
import { atTime, cancelOrder, fetchOrder } from '../../support/factories/events.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let passes: ReturnType<typeof createDayPassActions>;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  passes = createDayPassActions(app);
});
afterAll(() => app.stop());

describe('the date of a day pass order', () => {
  it.each([
    ['DATE_PAST', '2026-03-17'],
    ['TOO_FAR_AHEAD', '2026-03-30'],
    ['CLOSED', '2026-03-21'],
    ['CLOSED', '2026-03-24'],
  ])('is rejected with %s if it is %s', async (reason, validOn) => {
    const type = await passes.makeType({ daysAhead: 9 });
    await app.ctx.db.closure.create({
      data: {
        locationId: type.locationId,
        startsOn: new Date('2026-03-23'),
        endsOn: new Date('2026-03-24'),
        reason: 'Works',
      },
    });
    expect(await passes.expectRejected(type.id, { validOn })).toBe(reason);
    for (const good of ['2026-03-18', '2026-03-27'])
      expect((await passes.order(type.id, { validOn: good })).status).toBe(201);
  });

  it('is in the time zone of the location', async () => {
    const west = await passes.makeType({}, 'Pacific/Honolulu');
    await atTime(app, '2026-03-18T03:00:00Z', async () => {
      expect((await passes.order(west.id, { validOn: '2026-03-17' })).status).toBe(201);
    });
    await atTime(app, '2026-03-18T04:00:00Z', async () => {
      // 18:00 at the location: it has closed for the day.
      expect(await passes.expectRejected(west.id, { validOn: '2026-03-17' })).toBe('CLOSED');
    });
    const east = await passes.makeType({}, 'Pacific/Auckland');
    await atTime(app, '2026-03-18T11:00:00Z', async () => {
      expect(await passes.expectRejected(east.id, { validOn: '2026-03-18' })).toBe('DATE_PAST');
      expect((await passes.order(east.id, { validOn: '2026-03-19' })).status).toBe(201);
    });
  });

  it.each(['2026-02-30', '19.03.2026', '2026-03-19T00:00:00Z', ''])(
    'cannot be %j',
    async (validOn) => {
      const type = await passes.makeType();
      expect((await passes.order(type.id, { validOn })).status).toBe(422);
      expect((await passes.orderByGraphql(type.id, { validOn })).codes).not.toEqual([]);
      expect(await passes.countReserved(type.id)).toEqual([]);
    },
  );
});

describe('a day pass type in an order', () => {
  it('is rejected if it is inactive or unknown', async () => {
    const type = await passes.makeType({ active: false });
    expect(await passes.expectRejected(type.id)).toBe('INACTIVE');
    expect(await passes.expectRejected(v7())).toBe('NOT_FOUND');
    expect((await passes.order('x')).status).toBe(422);
  });

  it('accepts general discount codes and rejects those for an event', async () => {
    const type = await passes.makeType({ dailyCapacity: null });
    const { db } = app.ctx;
    const event = await db.event.create({
      data: {
        slug: 'evening',
        title: 'Evening',
        locationId: type.locationId,
        startsAt: new Date('2026-03-25T18:00:00Z'),
        endsAt: new Date('2026-03-25T21:00:00Z'),
      },
    });
    await db.discountCode.createMany({
      data: [
        { code: 'THIRD', percent: 33, maxUses: 1 },
        { code: 'EVENT', percent: 50, eventId: event.id },
      ],
    });
    expect(await passes.expectRejected(type.id, { discountCode: 'EVENT' })).toBe(
      'DISCOUNT_UNKNOWN',
    );
    expect(await passes.expectRejected(type.id, { discountCode: 'NONE' })).toBe('DISCOUNT_UNKNOWN');
    const created = await passes.buy(type.id, { discountCode: 'third', holders: makeHolders(2) });
    expect(created).toMatchObject({
      total: { amount: 2_010 },
      discount: { amount: { amount: 990 } },
    });
    expect(await passes.expectRejected(type.id, { discountCode: 'THIRD' })).toBe(
      'DISCOUNT_USED_UP',
    );
    await cancelOrder(app, created.secret, [created.day_passes[0].id]);
    expect(await fetchOrder(app, created.secret)).toMatchObject({
      refunded_amount: { amount: 1_005 },
    });
  });
});
