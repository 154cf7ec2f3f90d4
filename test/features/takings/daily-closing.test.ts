import type { Credential } from '../../support/clients/api.ts';
import { type bookingPaymentCalls, startTakings } from '../../support/clients/booking-payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { makeSpace, march } from '../../support/factories/space.ts';
import type { TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
let manager: Credential;
let payments: ReturnType<typeof bookingPaymentCalls>;

beforeAll(async () => {
  ({ app, desk, manager, payments } = await startTakings());
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

describe('daily closing', () => {
  const CLOSING = `id day closedBy note updatedAt opening { amount } openingDifference { amount } taken { amount } paidBack { amount } expected { amount }
    counted { amount } difference { amount } changedSince { amount } allowedActions { correct }`;
  const close = (locationId: string, input: object = {}, as = desk) =>
    app.graphql(
      `mutation ($input: CloseDayInput!) { closeDay(input: $input) { dailyClosing { ${CLOSING} } } }`,
      {
        input: {
          locationId,
          day: '2026-03-18',
          opening: { amount: 10_000, currency: 'EUR' },
          counted: { amount: 13_900, currency: 'EUR' },
          ...input,
        },
      },
      as,
    );
  const cashDay = async (locationId: string, day: string) =>
    (
      await app.graphql(
        `query ($locationId: ID!, $day: Date!) { cashDay(locationId: $locationId, day: $day) {
          proposedOpening { amount } taken { amount currency } paidBack { amount currency } canClose closing { ${CLOSING} } } }`,
        { locationId, day },
        desk,
      )
    ).data.cashDay;
  const correct = (input: object, as = manager) =>
    app.graphql(
      `mutation ($input: CorrectDailyClosingInput!) { correctDailyClosing(input: $input) { dailyClosing { ${CLOSING} } } }`,
      { input },
      as,
    );

  it('is rejected if the cash is beyond the largest amount, and other days stay readable', async () => {
    const { location } = await payments.book();
    expect((await close(location.id)).errors).toEqual([]);
    for (const n of [0, 1])
      await app.ctx.db.payment.create({
        data: {
          ...{
            bookingId: (await payments.book()).id,
            locationId: location.id,
            provider: 'on_site',
          },
          ...{ ref: `large:${location.id}:${n}`, amount: 2_000_000_000, currency: 'EUR' },
          ...{ method: 'cash', createdAt: NOW },
        },
      });
    const { data, errors } = await app.graphql(
      `query ($id: ID!) { dailyClosings(filter: { locationId: $id }) { nodes { changedSince { amount } } } }`,
      { id: location.id },
      manager,
    );
    expect(errors).toEqual([]);
    expect(data.dailyClosings.nodes).toEqual([{ changedSince: { amount: 2_147_483_647 } }]);
    await app.ctx.db.dailyClosing.deleteMany({ where: { locationId: location.id } });
    const again = await close(location.id);
    expect(again.errors[0]?.extensions.reason).toBe('AMOUNT_TOO_LARGE');
  });

  it('is rejected in a currency that the location does not use', async () => {
    const { location } = await payments.book();
    const money = { amount: 100, currency: 'USD' };
    const { errors } = await close(location.id, { opening: money, counted: money });
    const message = 'this location does not use USD. Count its cash in EUR.';
    expect(errors[0]).toMatchObject({
      message: `currency: ${message}`,
      extensions: {
        ...{ code: 'VALIDATION', reason: 'INVALID_INPUT' },
        fields: [{ field: 'counted.currency', message }],
      },
    });
    await app.ctx.db.resource.updateMany({
      where: { locationId: location.id },
      data: { currency: 'USD' },
    });
    expect((await close(location.id, { opening: money, counted: money })).errors).toEqual([]);
  });

  it('can be read by its id as over REST', async () => {
    const { location } = await payments.book();
    const { id } = (await close(location.id)).data.closeDay.dailyClosing;
    const read = async (as: Credential) => {
      const { data } = await app.graphql(
        'query ($id: ID!) { node(id: $id) { ... on DailyClosing { day counted { amount } } } }',
        { id },
        as,
      );
      return data.node;
    };
    const everything = await app.token('*');
    const closing = { day: '2026-03-18', counted: { amount: 13_900 } };
    for (const as of [manager, { token: everything }]) expect(await read(as)).toEqual(closing);
    const { body } = await app.rest(`/daily-closings/${id}`, { token: everything });
    expect(body.data).toMatchObject({ daily_closing: closing });
    for (const as of [desk, { token: await app.token('orders:read') }])
      expect(await read(as)).toBeNull();
  });

  it('compares the count with the cash of the day, once a day', async () => {
    const { id, location } = await payments.book();
    await payments.pay(id, 'CASH');
    const closes = await Promise.all([close(location.id), close(location.id)]);
    const [reason] = closes.flatMap(({ errors }) =>
      errors.map(({ extensions }) => extensions.reason),
    );
    expect(reason).toBe('DAY_CLOSED');
    const { closing, ...day } = await cashDay(location.id, '2026-03-18');
    expect(day).toEqual({
      proposedOpening: null,
      taken: { amount: 4_000, currency: 'EUR' },
      paidBack: { amount: 0, currency: 'EUR' },
      canClose: false,
    });
    expect(closing).toMatchObject({
      day: '2026-03-18',
      closedBy: 'Staff',
      taken: { amount: 4_000 },
      expected: { amount: 14_000 },
      difference: { amount: -100 },
      changedSince: { amount: 0 },
      allowedActions: { correct: false },
    });
    expect(await cashDay(location.id, '2026-03-19')).toMatchObject({
      proposedOpening: { amount: 13_900 },
      canClose: false,
    });
  });

  it('needs a note if the day starts with other cash than was counted last', async () => {
    const { location } = await payments.book();
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const count = { opening: euros(10_000), counted: euros(71_150) };
    const first = await close(location.id, { ...count, day: '2026-03-17' });
    expect(first.data.closeDay.dailyClosing.openingDifference).toBeNull();

    const hidden = { opening: euros(5_000), counted: euros(5_000) };
    const message = 'say why the cash at the start of the day differs from the last count.';
    const rejected = await close(location.id, hidden);
    expect(rejected.errors[0]?.extensions).toMatchObject({
      ...{ code: 'VALIDATION', reason: 'NOTE_NEEDED', fields: [{ field: 'note', message }] },
    });
    expect((await cashDay(location.id, '2026-03-18')).closing).toBeNull();

    const { data } = await close(location.id, { ...hidden, note: 'Taken to the bank' });
    const { id, ...closing } = data.closeDay.dailyClosing;
    expect(closing).toMatchObject({
      difference: { amount: 0 },
      openingDifference: { amount: -66_150 },
    });
    for (const changes of [{ note: null }, { opening: euros(6_000), note: null }])
      expect((await correct({ id, ...changes })).errors[0]?.extensions.reason).toBe('NOTE_NEEDED');

    // Without a difference, no note is needed. It follows the earlier count.
    const { id: firstId } = first.data.closeDay.dailyClosing;
    expect((await correct({ id: firstId, counted: euros(5_000) })).errors).toEqual([]);
    const { closing: later } = await cashDay(location.id, '2026-03-18');
    expect(later.openingDifference).toEqual({ amount: 0 });
    expect((await correct({ id, note: null })).errors).toEqual([]);
  });

  it('shows what changed afterwards, until a manager corrects it, which the journal records', async () => {
    const { id, location } = await payments.book();
    await payments.pay(id, 'CASH');
    await close(location.id);
    await payments.undo(id);
    const { closing } = await cashDay(location.id, '2026-03-18');
    expect(closing.changedSince).toEqual({ amount: -4_000 });
    const input = { id: closing.id, note: 'Paid by mistake', ifUpdatedAt: closing.updatedAt };
    expect((await correct(input, desk)).codes).toEqual(['FORBIDDEN']);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect((await correct(input)).data.correctDailyClosing.dailyClosing).toMatchObject({
      taken: { amount: 0 },
      expected: { amount: 10_000 },
      changedSince: { amount: 0 },
      note: 'Paid by mistake',
    });
    expect((await correct(input)).errors[0]?.extensions.reason).toBe('CHANGED_MEANWHILE');
    expect(
      await app.ctx.db.change.findMany({
        where: { subjectId: closing.id },
        orderBy: { sequence: 'asc' },
        select: { type: true, before: true },
      }),
    ).toMatchObject([
      { type: 'daily_closing.created' },
      { type: 'daily_closing.corrected', before: { taken_amount: 4_000, note: null } },
    ]);
  });

  it('counts the hour between the two midnights of a day on which clocks go back to midnight', async () => {
    const { id, location } = await payments.book();
    const timeZone = 'America/Havana';
    await app.ctx.db.location.update({ where: { id: location.id }, data: { timeZone } });
    await payments.pay(id, 'CASH');
    const createdAt = new Date('2025-11-02T04:30:00.000Z'); // 00:30, half an hour before the second midnight
    await app.ctx.db.payment.updateMany({ where: { bookingId: id }, data: { createdAt } });
    const { data } = await close(location.id, { day: '2025-11-02' });
    expect(data.closeDay.dailyClosing).toMatchObject({
      taken: { amount: 4_000 },
      changedSince: { amount: 0 },
    });
  });

  it('proposes the currency of the first cash of the day that counts, also if it was only returned', async () => {
    const { db } = app.ctx;
    const { id, location } = await payments.book();
    await db.booking.update({ where: { id }, data: { priceCurrency: 'USD' } });
    const { data } = await payments.bookings.create({
      resourceId: (await db.booking.findUniqueOrThrow({ where: { id } })).resourceId,
      guest: { name: 'Gil' },
      ...march(19, '14:00', '16:00'),
    });
    await payments.pay(id, 'CASH');
    expect(await cashDay(location.id, '2026-03-18')).toMatchObject({
      taken: { amount: 4_000, currency: 'USD' },
    });
    // A payment that was undone is no cash of the day.
    await payments.undo(id);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    await payments.pay(data.createBooking.booking.id, 'CASH');
    expect(await cashDay(location.id, '2026-03-18')).toMatchObject({
      taken: { amount: 4_000, currency: 'EUR' },
    });
    await payments.pay(id, 'CARD');
    await payments.bookings.cancel(id);
    app.clock.now = new Date('2026-03-20T09:00:00Z');
    await payments.giveBack(id, 'CASH');
    expect(await cashDay(location.id, '2026-03-20')).toMatchObject({
      taken: { amount: 0, currency: 'USD' },
      paidBack: { amount: 4_000, currency: 'USD' },
    });
  });

  it('rejects a day that has not begun, and two currencies', async () => {
    const { location } = await makeSpace(app);
    const tomorrow = await close(location.id, { day: '2026-03-19' });
    expect(tomorrow.errors[0]?.extensions.reason).toBe('IN_THE_FUTURE');
    const mixed = await close(location.id, { counted: { amount: 1, currency: 'USD' } });
    expect(mixed.errors[0]?.extensions.reason).toBe('CURRENCY_MIXED');
    expect(await app.ctx.db.dailyClosing.count({ where: { locationId: location.id } })).toBe(0);
  });
});
