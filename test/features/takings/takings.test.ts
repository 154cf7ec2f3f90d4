import fc from 'fast-check';
import type { Credential } from '../../support/clients/api.ts';
import {
  type bookingPaymentCalls,
  PAYMENT,
  startTakings,
} from '../../support/clients/booking-payments.ts';
import { makeOrder } from '../../support/factories/payments.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { STAFF, type TestApp } from '../../support/harness/app.ts';
import { checkProperty } from '../../support/harness/property-runs.ts';
import { type Entry, toCalendar } from '../../support/imports/second-imports.ts';

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

const ACTIONS = 'paymentActions { markPaid markUnpaid returnSurplus }';

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

const toAmounts = ({ status, due, paid, open, surplus }: Record<string, { amount: number }>) => [
  status,
  ...[due, paid, open, surplus].map((money) => money?.amount),
];

const sumLeft = (payments: { left: number }[]) => payments.reduce((sum, { left }) => sum + left, 0);

describe('payment of a booking', () => {
  it('is recorded once, with its method and who took it, even by two staff at once', async () => {
    const { id } = await payments.book();
    expect(toAmounts((await read(id)).payment)).toEqual(['UNPAID', 4_000, 0, 4_000, 0]);
    const marks = await Promise.all([
      payments.pay(id, 'CARD'),
      payments.pay(id, 'CARD'),
      payments.pay(id, 'CARD', manager),
    ]);
    expect(marks.map(({ data }) => data.markBookingPaid.outcome).sort()).toEqual([
      'ALREADY_RECORDED',
      'ALREADY_RECORDED',
      'RECORDED',
    ]);
    const rows = await app.ctx.db.payment.findMany({ where: { bookingId: id } });
    expect(rows).toMatchObject([{ amount: 4_000, method: 'card', currency: 'EUR' }]);
    expect(rows[0]?.takenById).not.toBeNull();
    expect(toAmounts((await read(id)).payment)).toEqual(['PAID', 4_000, 4_000, 0, 0]);
  });

  it('is shown to the member, who cannot record it', async () => {
    const member = await makeMember(app);
    const { id } = await payments.book({ guest: undefined, memberId: member.id });
    const as = await member.signedIn();
    expect((await read(id, as)).payment.status).toBe('UNPAID');
    expect((await payments.pay(id, 'CASH', as)).codes).toEqual(['FORBIDDEN']);
    await payments.pay(id);
    expect((await read(id, as)).payment.status).toBe('PAID');
  });

  it('can be undone with a reason, and recorded again', async () => {
    const { id, location } = await payments.book();
    expect((await payments.undo(id)).errors[0]?.extensions.reason).toBe('NOT_PAID');
    await payments.pay(id);
    expect(toAmounts((await payments.undo(id)).data.markBookingUnpaid.booking.payment)).toEqual([
      'UNPAID',
      4_000,
      0,
      4_000,
      0,
    ]);
    expect(await takings(location.id, '2026-03-18')).toEqual([]);
    expect((await payments.pay(id)).data.markBookingPaid.outcome).toBe('RECORDED');
    expect(
      await app.ctx.db.payment.findMany({ where: { bookingId: id }, orderBy: { ref: 'asc' } }),
    ).toMatchObject([{ voidReason: 'Wrong booking', voidedAt: NOW }, { voidedAt: null }]);
  });

  it('has nothing due for free, waived and requested bookings, and the fee after a late cancellation', async () => {
    const free = await payments.book({}, { hourlyAmount: 0 });
    expect((await read(free.id)).payment.status).toBe('NOT_DUE');
    expect((await payments.pay(free.id)).errors[0]?.extensions.reason).toBe('NOTHING_TO_PAY');
    const late = await payments.book({}, { freeCancellationHours: 48 });
    await payments.bookings.cancel(late.id);
    expect(toAmounts((await read(late.id)).payment)).toEqual(['UNPAID', 4_000, 0, 4_000, 0]);
    expect((await payments.pay(late.id)).data.markBookingPaid.outcome).toBe('RECORDED');
    const waived = await payments.book({}, { freeCancellationHours: 48 });
    await payments.pay(waived.id);
    await payments.bookings.cancel(waived.id, { waiveFee: true });
    expect(toAmounts((await read(waived.id)).payment)).toEqual(['OVERPAID', 0, 4_000, 0, 4_000]);
    expect(
      (await payments.giveBack(waived.id, 'OTHER')).data.returnBookingPayment.booking.payment
        .status,
    ).toBe('NOT_DUE');
    expect((await payments.giveBack(waived.id)).errors[0]?.extensions.reason).toBe(
      'NOTHING_TO_RETURN',
    );
    expect((await payments.undo(waived.id)).errors[0]?.extensions.reason).toBe('PARTLY_RETURNED');
  });

  it('keeps what was paid while a moved booking waits for approval again', async () => {
    const member = await makeMember(app);
    const as = await member.signedIn();
    const { id } = await payments.book(
      { guest: undefined, memberId: member.id },
      { requiresApproval: true },
    );
    await payments.pay(id);
    const moveByMember = async (end: string) => {
      await bookingCalls(app, as).reschedule(id, march(20, '10:00', end));
      const { payment, paymentActions } = await read(id);
      return [...toAmounts(payment), paymentActions.markPaid, paymentActions.returnSurplus];
    };
    expect(await moveByMember('12:00')).toEqual(['PAID', 4_000, 4_000, 0, 0, false, false]);
    expect(await moveByMember('13:00')).toEqual(['PAID', 4_000, 4_000, 0, 0, false, false]);
    // Whether it is approved or declined, this is to be returned.
    expect(await moveByMember('11:00')).toEqual(['OVERPAID', 2_000, 4_000, 0, 2_000, false, true]);
    await payments.bookings.cancel(id);
    expect(toAmounts((await read(id)).payment)).toEqual(['OVERPAID', 0, 4_000, 0, 4_000]);
  });

  it('shows what remains or is to be returned after a move, in every order of events', async () => {
    const steps = fc.array(fc.constantFrom('longer', 'shorter', 'pay', 'undo', 'return'), {
      minLength: 3,
      maxLength: 6,
    });
    await checkProperty(
      fc.asyncProperty(steps, async (chosen) => {
        const { id } = await payments.book();
        let due = 4_000;
        // What counts, latest first. A payment of which money was returned cannot be undone.
        let counted: { left: number; isReturned: boolean }[] = [];
        for (const step of chosen) {
          if (step === 'longer' || step === 'shorter') {
            const end = step === 'longer' ? '13:00' : '11:00';
            await payments.bookings.reschedule(id, march(19, '10:00', end));
            due = step === 'longer' ? 6_000 : 2_000;
          } else if (step === 'pay') {
            await payments.pay(id);
            const left = due - sumLeft(counted);
            if (left > 0) counted = [{ left, isReturned: false }, ...counted];
          } else if (step === 'undo') {
            await payments.undo(id);
            counted = counted.filter(({ isReturned }) => isReturned);
          } else {
            await payments.giveBack(id);
            for (const one of counted) {
              const returned = Math.min(one.left, Math.max(0, sumLeft(counted) - due));
              one.isReturned ||= returned > 0;
              one.left -= returned;
            }
          }
          const paid = sumLeft(counted);
          const { payment, paymentActions } = await read(id);
          const status = due > paid ? 'UNPAID' : due < paid ? 'OVERPAID' : 'PAID';
          const [open, surplus] = [Math.max(due - paid, 0), Math.max(paid - due, 0)];
          expect(toAmounts(payment)).toEqual([status, due, paid, open, surplus]);
          expect(paymentActions).toEqual({
            markPaid: open > 0,
            markUnpaid: counted.some(({ isReturned }) => !isReturned),
            returnSurplus: surplus > 0,
          });
        }
      }),
      {
        numRuns: 6,
        examples: [[['pay', 'longer', 'pay', 'shorter', 'return', 'longer', 'pay', 'undo']]],
      },
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
    const { data } = await payments.bookings.create({
      resourceId: room.id,
      guest: { name: 'Gil' },
      ...times,
    });
    const { id } = data.createBooking.booking;
    const move = { ...times, resourceId: suite.id };
    await payments.pay(id);
    const { errors } = await payments.bookings.reschedule(id, move);
    expect(errors[0]?.extensions.reason).toBe('CURRENCY_MIXED');
    expect(toAmounts((await read(id)).payment)).toEqual(['PAID', 4_000, 4_000, 0, 0]);
    await payments.undo(id);
    await payments.bookings.reschedule(id, move);
    expect(toAmounts((await read(id)).payment)).toEqual(['UNPAID', 6_000, 0, 6_000, 0]);
  });

  it('is listed and added up by status and team', async () => {
    const team = await app.ctx.db.team.create({ data: { name: 'Payers' } });
    const member = await makeMember(app);
    await app.ctx.db.member.update({ where: { id: member.id }, data: { teamId: team.id } });
    const { id, location } = await payments.book({ guest: undefined, memberId: member.id });
    const other = await payments.book();
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
    await payments.pay(id);
    expect(await list({ payment: ['UNPAID'], teamId: team.id })).toEqual([[], []]);
    expect(await list({ payment: ['UNPAID'], locationId: other.location.id })).toEqual([
      [other.id],
      sum,
    ]);
    const { errors } = await app.graphql('{ bookingTotals(filter: {}) { count } }', {}, desk);
    expect(errors[0]?.extensions.reason).toBe('INVALID_INPUT');
  });
});

test('sums can be above the largest price', async () => {
  const { room, location } = await makeSpace(app, { hourlyAmount: 1_800_000_000, currency: 'IDR' });
  const entries = ['20260319T0800', '20260320T0800'].map((start, n): Entry => [`${n}`, start]);
  const { data, errors } = await app.graphql(
    `mutation ($input: ImportBookingsInput!) { importBookings(input: $input) {
      report { prices { total { amount currency } } } } }`,
    { input: { file: `${toCalendar(...entries)}`, resourceId: room.id, pricing: 'BY_RULES' } },
    { cookie: await app.signIn(STAFF.owner) },
  );
  const sum = { amount: 3_600_000_000, currency: 'IDR' };
  expect(errors).toEqual([]);
  expect(data.importBookings.report.prices.total).toEqual(sum);
  for (const { id } of await app.ctx.db.booking.findMany({ where: { resourceId: room.id } }))
    await payments.pay(id);
  const { data: found } = await app.graphql(
    `query ($filter: BookingFilter!) { bookingTotals(filter: $filter) { due { amount currency } paid { amount currency } } }`,
    {
      filter: { locationId: location.id, from: '2026-03-19T00:00:00Z', to: '2026-03-21T00:00:00Z' },
    },
    desk,
  );
  expect(found?.bookingTotals).toEqual([{ due: sum, paid: sum }]);
  expect(await takings(location.id, '2026-03-01', '2026-03-31')).toMatchObject([
    { total: { taken: sum }, byMethod: [{ net: { amount: sum.amount } }] },
  ]);
});

describe('takings', () => {
  it('add up payments and refunds by day at the location, method and product', async () => {
    const { id, location } = await payments.book({}, { freeCancellationHours: 0 });
    app.clock.now = new Date('2026-03-18T22:59:00.000Z'); // 23:59 in Berlin
    await payments.pay(id, 'CASH');
    app.clock.now = new Date('2026-03-18T23:01:00.000Z');
    await payments.bookings.cancel(id);
    await payments.giveBack(id, 'CARD');
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
