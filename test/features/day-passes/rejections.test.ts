import { v7 } from 'uuid';
import { startApp, type TestApp } from '../../support/app.ts';
import { dayPassesOf, holders } from '../../support/day-passes.ts';
import { at, cancel, portal } from '../../support/events.ts';

let app: TestApp;
let passes: ReturnType<typeof dayPassesOf>;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  passes = dayPassesOf(app);
});
afterAll(() => app.stop());

describe('the date of a day pass order', () => {
  it.each([
    ['DATE_PAST', '2026-03-17'],
    ['TOO_FAR_AHEAD', '2026-03-30'],
    ['CLOSED', '2026-03-21'],
    ['CLOSED', '2026-03-24'],
  ])('is refused with %s when it is %s', async (reason, validOn) => {
    const type = await passes.makeType({ maxAdvanceDays: 9 });
    await app.ctx.db.closure.create({
      data: {
        locationId: type.locationId,
        startsOn: new Date('2026-03-23'),
        endsOn: new Date('2026-03-24'),
        reason: 'Works',
      },
    });
    expect(await passes.refusal(type.id, { validOn })).toBe(reason);
    for (const good of ['2026-03-18', '2026-03-27'])
      expect((await passes.ask(type.id, { validOn: good })).status).toBe(201);
  });

  it('is in the time zone of the location', async () => {
    const west = await passes.makeType({}, 'Pacific/Honolulu');
    await at(app, '2026-03-18T03:00:00Z', async () => {
      expect((await passes.ask(west.id, { validOn: '2026-03-17' })).status).toBe(201);
    });
    await at(app, '2026-03-18T04:00:00Z', async () => {
      // 18:00 at the location: it has closed for the day.
      expect(await passes.refusal(west.id, { validOn: '2026-03-17' })).toBe('CLOSED');
    });
    const east = await passes.makeType({}, 'Pacific/Auckland');
    await at(app, '2026-03-18T11:00:00Z', async () => {
      expect(await passes.refusal(east.id, { validOn: '2026-03-18' })).toBe('DATE_PAST');
      expect((await passes.ask(east.id, { validOn: '2026-03-19' })).status).toBe(201);
    });
  });

  it.each(['2026-02-30', '19.03.2026', '2026-03-19T00:00:00Z', ''])(
    'is not %j',
    async (validOn) => {
      const type = await passes.makeType();
      expect((await passes.ask(type.id, { validOn })).status).toBe(422);
      expect((await passes.askByGraphql(type.id, { validOn })).codes).not.toEqual([]);
      expect(await passes.takenOf(type.id)).toEqual([]);
    },
  );
});

describe('a day pass type in an order', () => {
  it('is rejected if it is inactive or unknown', async () => {
    const type = await passes.makeType({ active: false });
    expect(await passes.refusal(type.id)).toBe('INACTIVE');
    expect(await passes.refusal(v7())).toBe('NOT_FOUND');
    expect((await passes.ask('x')).status).toBe(422);
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
    expect(await passes.refusal(type.id, { discountCode: 'EVENT' })).toBe('DISCOUNT_UNKNOWN');
    expect(await passes.refusal(type.id, { discountCode: 'NONE' })).toBe('DISCOUNT_UNKNOWN');
    const created = await passes.bought(type.id, { discountCode: 'third', holders: holders(2) });
    expect(created).toMatchObject({
      total: { amount: 2_010 },
      discount: { amount: { amount: 990 } },
    });
    expect(await passes.refusal(type.id, { discountCode: 'THIRD' })).toBe('DISCOUNT_USED_UP');
    await cancel(app, created.secret, [created.day_passes[0].id]);
    expect(await portal(app, created.secret)).toMatchObject({ refunded_amount: { amount: 1_005 } });
  });
});
