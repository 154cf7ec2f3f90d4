import fc from 'fast-check';
import type { Credential } from '../../support/clients/api.ts';
import { makeOrder } from '../../support/factories/payments.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
let manager: Credential;
let bookings: ReturnType<typeof bookingCalls>;

beforeAll(async () => {
  app = await startApp();
  desk = await signInFrontDesk(app);
  manager = { cookie: await app.signIn(STAFF.manager) };
  bookings = bookingCalls(app, desk);
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const PAYMENT =
  'payment { status due { amount } paid { amount } open { amount } surplus { amount } }';
const ACTIONS = 'paymentActions { markPaid markUnpaid returnSurplus }';

const pay = (id: string, method = 'CASH', as = desk) =>
  app.graphql(
    `mutation ($input: MarkBookingPaidInput!) { markBookingPaid(input: $input) { outcome booking { ${PAYMENT} } } }`,
    { input: { id, method } },
    as,
  );
const undo = (id: string, reason = 'Wrong booking') =>
  app.graphql(
    `mutation ($input: MarkBookingUnpaidInput!) { markBookingUnpaid(input: $input) { booking { ${PAYMENT} } } }`,
    { input: { id, reason } },
    desk,
  );
const giveBack = (id: string, method = 'CASH') =>
  app.graphql(
    `mutation ($input: ReturnBookingPaymentInput!) { returnBookingPayment(input: $input) { booking { ${PAYMENT} } } }`,
    { input: { id, method } },
    desk,
  );
const read = async (id: string, as = desk) =>
  (await app.graphql(`query ($id: ID!) { booking(id: $id) { ${PAYMENT} ${ACTIONS} } }`, { id }, as))
    .data.booking;
const takings = async (locationId: string, from: string, to = from) => {
  const { data, errors } = await app.graphql(
    `query ($locationId: ID!, $from: Date!, $to: Date!) { takings(locationId: $locationId, from: $from, to: $to) {
      total { taken { amount currency } paidBack { amount } net { amount } paymentCount refundCount }
      byMethod { method net { amount } } bySold { sold net { amount } } } }`,
    { locationId, from, to },
    desk,
  );
  expect(errors).toEqual([]);
  return data.takings;
};

/** A booking of two hours tomorrow, for 40 euros. */
async function book(more: object = {}, rules = {}) {
  const { room, location } = await makeSpace(app, rules);
  const { data } = await bookings.create({
    resourceId: room.id,
    guest: { name: 'Gil' },
    ...march(19, '10:00', '12:00'),
    ...more,
  });
  return { id: data.createBooking.booking.id as string, location };
}

const toAmounts = ({ status, due, paid, open, surplus }: Record<string, { amount: number }>) => [
  status,
  ...[due, paid, open, surplus].map((money) => money?.amount),
];

describe('payment of a booking', () => {
  it('is recorded once, with its method and who took it, even by two staff at once', async () => {
    const { id } = await book();
    expect(toAmounts((await read(id)).payment)).toEqual(['UNPAID', 4_000, 0, 4_000, 0]);
    const marks = await Promise.all([pay(id, 'CARD'), pay(id, 'CARD'), pay(id, 'CARD', manager)]);
    expect(marks.map(({ data }) => data.markBookingPaid.outcome).sort()).toEqual([
      'ALREADY_RECORDED',
      'ALREADY_RECORDED',
      'RECORDED',
    ]);
    const payments = await app.ctx.db.payment.findMany({ where: { bookingId: id } });
    expect(payments).toMatchObject([{ amount: 4_000, method: 'card', currency: 'EUR' }]);
    expect(payments[0]?.takenById).not.toBeNull();
    expect(toAmounts((await read(id)).payment)).toEqual(['PAID', 4_000, 4_000, 0, 0]);
  });

  it('is shown to the member, who cannot record it', async () => {
    const member = await makeMember(app);
    const { id } = await book({ guest: undefined, memberId: member.id });
    const as = await member.signedIn();
    expect((await read(id, as)).payment.status).toBe('UNPAID');
    expect((await pay(id, 'CASH', as)).codes).toEqual(['FORBIDDEN']);
    await pay(id);
    expect((await read(id, as)).payment.status).toBe('PAID');
  });

  it('can be undone with a reason, and recorded again', async () => {
    const { id, location } = await book();
    expect((await undo(id)).errors[0]?.extensions.reason).toBe('NOT_PAID');
    await pay(id);
    expect(toAmounts((await undo(id)).data.markBookingUnpaid.booking.payment)).toEqual([
      'UNPAID',
      4_000,
      0,
      4_000,
      0,
    ]);
    expect(await takings(location.id, '2026-03-18')).toEqual([]);
    expect((await pay(id)).data.markBookingPaid.outcome).toBe('RECORDED');
    expect(
      await app.ctx.db.payment.findMany({ where: { bookingId: id }, orderBy: { ref: 'asc' } }),
    ).toMatchObject([{ voidReason: 'Wrong booking', voidedAt: NOW }, { voidedAt: null }]);
  });

  it('has nothing due for free, waived and requested bookings, and the fee after a late cancellation', async () => {
    const free = await book({}, { hourlyAmount: 0 });
    expect((await read(free.id)).payment.status).toBe('NOT_DUE');
    expect((await pay(free.id)).errors[0]?.extensions.reason).toBe('NOTHING_TO_PAY');
    const late = await book({}, { freeCancellationHours: 48 });
    await bookings.cancel(late.id);
    expect(toAmounts((await read(late.id)).payment)).toEqual(['UNPAID', 4_000, 0, 4_000, 0]);
    expect((await pay(late.id)).data.markBookingPaid.outcome).toBe('RECORDED');
    const waived = await book({}, { freeCancellationHours: 48 });
    await pay(waived.id);
    await bookings.cancel(waived.id, { waiveFee: true });
    expect(toAmounts((await read(waived.id)).payment)).toEqual(['OVERPAID', 0, 4_000, 0, 4_000]);
    expect(
      (await giveBack(waived.id, 'OTHER')).data.returnBookingPayment.booking.payment.status,
    ).toBe('NOT_DUE');
    expect((await giveBack(waived.id)).errors[0]?.extensions.reason).toBe('NOTHING_TO_RETURN');
    expect((await undo(waived.id)).errors[0]?.extensions.reason).toBe('PARTLY_RETURNED');
  });

  it('shows what remains or is to be returned after a move, in every order of events', async () => {
    const steps = fc.array(fc.constantFrom('longer', 'shorter', 'pay', 'undo', 'return'), {
      minLength: 3,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const { id } = await book();
        let [due, paid] = [4_000, 0];
        let isReturned = false;
        for (const step of chosen) {
          if (step === 'longer' || step === 'shorter') {
            const end = step === 'longer' ? '13:00' : '11:00';
            await bookings.reschedule(id, march(19, '10:00', end));
            due = step === 'longer' ? 6_000 : 2_000;
          } else if (step === 'pay') {
            await pay(id);
            paid = Math.max(paid, due);
          } else if (step === 'undo') {
            await undo(id);
            if (!isReturned) paid = 0;
          } else {
            await giveBack(id);
            isReturned ||= paid > due;
            paid = Math.min(paid, due);
          }
          const { payment, paymentActions } = await read(id);
          const status = due > paid ? 'UNPAID' : due < paid ? 'OVERPAID' : 'PAID';
          const [open, surplus] = [Math.max(due - paid, 0), Math.max(paid - due, 0)];
          expect(toAmounts(payment)).toEqual([status, due, paid, open, surplus]);
          expect(paymentActions).toEqual({
            markPaid: open > 0,
            markUnpaid: paid > 0 && !isReturned,
            returnSurplus: surplus > 0,
          });
        }
      }),
      { numRuns: 6 },
    );
  });

  it('stays in its currency: a paid booking does not move to a resource with prices in another', async () => {
    const { room, addRoom } = await makeSpace(app);
    const suite = await addRoom({ name: 'Suite' });
    await app.ctx.db.resource.update({
      where: { id: suite.id },
      data: { hourlyAmount: 3_000, currency: 'USD' },
    });
    const times = march(19, '10:00', '12:00');
    const { data } = await bookings.create({
      resourceId: room.id,
      guest: { name: 'Gil' },
      ...times,
    });
    const { id } = data.createBooking.booking;
    const move = { ...times, resourceId: suite.id };
    await pay(id);
    const { errors } = await bookings.reschedule(id, move);
    expect(errors[0]?.extensions.reason).toBe('CURRENCY_MIXED');
    expect(toAmounts((await read(id)).payment)).toEqual(['PAID', 4_000, 4_000, 0, 0]);
    await undo(id);
    await bookings.reschedule(id, move);
    expect(toAmounts((await read(id)).payment)).toEqual(['UNPAID', 6_000, 0, 6_000, 0]);
  });

  it('is listed and added up by status and team', async () => {
    const team = await app.ctx.db.team.create({ data: { name: 'Payers' } });
    const member = await makeMember(app);
    await app.ctx.db.member.update({ where: { id: member.id }, data: { teamId: team.id } });
    const { id, location } = await book({ guest: undefined, memberId: member.id });
    const other = await book();
    const list = async (filter: object) => {
      const { data, errors } = await app.graphql(
        `query ($filter: BookingFilter!) { bookings(filter: $filter) { nodes { id } }
          bookingTotals(filter: $filter) { count open { amount currency } } }`,
        { filter },
        desk,
      );
      expect(errors).toEqual([]);
      return [data.bookings.nodes.map((node: { id: string }) => node.id), data.bookingTotals];
    };
    const sum = [{ count: 1, open: { amount: 4_000, currency: 'EUR' } }];
    expect(await list({ payment: ['UNPAID'], teamId: team.id })).toEqual([[id], sum]);
    expect(await list({ payment: ['UNPAID'], locationId: location.id })).toEqual([[id], sum]);
    await pay(id);
    expect(await list({ payment: ['UNPAID'], teamId: team.id })).toEqual([[], []]);
    expect(await list({ payment: ['UNPAID'], locationId: other.location.id })).toEqual([
      [other.id],
      sum,
    ]);
    const { errors } = await app.graphql('{ bookingTotals(filter: {}) { count } }', {}, desk);
    expect(errors[0]?.extensions.reason).toBe('INVALID_INPUT');
  });
});

describe('takings', () => {
  it('add up payments and refunds by day at the location, method and product', async () => {
    const { id, location } = await book({}, { freeCancellationHours: 0 });
    app.clock.now = new Date('2026-03-18T22:59:00.000Z'); // 23:59 in Berlin
    await pay(id, 'CASH');
    app.clock.now = new Date('2026-03-18T23:01:00.000Z');
    await bookings.cancel(id);
    await giveBack(id, 'CARD');
    expect(await takings(location.id, '2026-03-18')).toMatchObject([
      {
        total: {
          taken: { amount: 4_000, currency: 'EUR' },
          paidBack: { amount: 0 },
          paymentCount: 1,
          refundCount: 0,
        },
        byMethod: [{ method: 'CASH', net: { amount: 4_000 } }],
        bySold: [{ sold: 'BOOKINGS', net: { amount: 4_000 } }],
      },
    ]);
    expect(await takings(location.id, '2026-03-19')).toMatchObject([
      { total: { net: { amount: -4_000 } }, byMethod: [{ method: 'CARD' }] },
    ]);
    expect(await takings(location.id, '2026-03-18', '2026-03-19')).toMatchObject([
      { total: { net: { amount: 0 }, paymentCount: 1, refundCount: 1 } },
    ]);
  });

  it('count an order at the location of its event', async () => {
    app.clock.now = new Date('2026-03-21T10:00:00.000Z');
    const order = await makeOrder(app, 'on_site');
    await app.graphql(
      'mutation ($id: ID!) { markOrderPaid(input: { id: $id, method: OTHER }) { outcome } }',
      { id: order.id },
      desk,
    );
    const event = await app.ctx.db.event.findUniqueOrThrow({ where: { id: order.eventId ?? '' } });
    expect(await takings(event.locationId, '2026-03-21')).toMatchObject([
      {
        byMethod: [{ method: 'OTHER', net: { amount: 5_000 } }],
        bySold: [{ sold: 'TICKETS', net: { amount: 5_000 } }],
      },
    ]);
  });

  it('reject a range that ends before it begins or is longer than a year', async () => {
    const { location } = await makeSpace(app);
    const reason = async (from: string, to: string) =>
      (
        await app.graphql(
          `{ takings(locationId: "${location.id}", from: "${from}", to: "${to}") { total { paymentCount } } }`,
          {},
          desk,
        )
      ).errors[0]?.extensions.reason;
    expect(await reason('2026-03-02', '2026-03-01')).toBe('ENDS_BEFORE_START');
    expect(await reason('2025-03-01', '2026-03-02')).toBe('INVALID_INPUT');
  });
});

describe('daily closing', () => {
  const CLOSING = `id day closedBy note updatedAt opening { amount } taken { amount } paidBack { amount } expected { amount }
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

  it('compares the count with the cash of the day, once a day', async () => {
    const { id, location } = await book();
    await pay(id, 'CASH');
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

  it('shows what changed afterwards, until a manager corrects it, which the journal records', async () => {
    const { id, location } = await book();
    await pay(id, 'CASH');
    await close(location.id);
    await undo(id);
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
    const { id, location } = await book();
    const timeZone = 'America/Havana';
    await app.ctx.db.location.update({ where: { id: location.id }, data: { timeZone } });
    await pay(id, 'CASH');
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
    const { id, location } = await book();
    await db.booking.update({ where: { id }, data: { priceCurrency: 'USD' } });
    const { data } = await bookings.create({
      resourceId: (await db.booking.findUniqueOrThrow({ where: { id } })).resourceId,
      guest: { name: 'Gil' },
      ...march(19, '14:00', '16:00'),
    });
    await pay(id, 'CASH');
    expect(await cashDay(location.id, '2026-03-18')).toMatchObject({
      taken: { amount: 4_000, currency: 'USD' },
    });
    // A payment that was undone is no cash of the day.
    await undo(id);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    await pay(data.createBooking.booking.id, 'CASH');
    expect(await cashDay(location.id, '2026-03-18')).toMatchObject({
      taken: { amount: 4_000, currency: 'EUR' },
    });
    await pay(id, 'CARD');
    await bookings.cancel(id);
    app.clock.now = new Date('2026-03-20T09:00:00Z');
    await giveBack(id, 'CASH');
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
