import { v7 } from 'uuid';
import type { Prisma } from '../../../src/db/generated/client.ts';
import { makeSpace } from '../factories/space.ts';
import type { TestApp } from '../harness/app.ts';
import type { ActionsCase } from './compare.ts';

const PAST = new Date('2026-03-01T10:00:00.000Z');

/** A booking for 40 euros, with a payment of it if `paid` says so. */
const toBooking =
  (
    columns: Partial<Prisma.BookingUncheckedCreateInput>,
    paid?: Partial<Prisma.PaymentUncheckedCreateInput>,
  ) =>
  async (app: TestApp) => {
    const { room, location } = await makeSpace(app);
    const endsAt = new Date('2026-03-20T12:00:00Z');
    const { id } = await app.ctx.db.booking.create({
      data: {
        resourceId: room.id,
        locationId: location.id,
        guestName: 'Gil',
        startsAt: new Date('2026-03-20T10:00:00Z'),
        endsAt,
        occupiedUntil: endsAt,
        priceAmount: 4_000,
        ...columns,
      },
    });
    if (paid) {
      const payment = {
        provider: 'on_site',
        method: 'cash',
        amount: 4_000,
        currency: 'EUR',
      } as const;
      await app.ctx.db.payment.create({
        data: { ...payment, bookingId: id, ref: v7(), ...paid },
      });
    }
    return id;
  };

export const BOOKING_PAYMENTS: ActionsCase = {
  type: 'Booking',
  field: 'paymentActions',
  states: {
    unpaid: toBooking({}),
    requested: toBooking({ status: 'pending' }),
    paid: toBooking({}, {}),
    'paid in part': toBooking({}, { amount: 1_000 }),
    'paid too much': toBooking({}, { amount: 5_000 }),
    'paid too much, in part returned': toBooking({}, { amount: 5_000, refunded: 500 }),
    undone: toBooking({}, { voidedAt: PAST, voidReason: 'Mistake' }),
    'cancelled free of charge': toBooking(
      { status: 'cancelled', cancelledAt: PAST, cancelFee: 0 },
      {},
    ),
    'cancelled late': toBooking({ status: 'cancelled', cancelledAt: PAST, cancelFee: 4_000 }),
    missed: toBooking({ status: 'no_show' }),
    'ended before payments were recorded': toBooking({ tracksPayment: false }),
  },
  mutations: {
    markPaid: 'markBookingPaid(input: { id: $id, method: CASH })',
    markUnpaid: 'markBookingUnpaid(input: { id: $id, reason: "Mistake" })',
    returnSurplus: 'returnBookingPayment(input: { id: $id, method: CASH })',
  },
};

export const DAILY_CLOSINGS: ActionsCase = {
  type: 'DailyClosing',
  states: {
    closed: async (app) => {
      const { location } = await makeSpace(app);
      const amounts = { openingAmount: 0, takenAmount: 0, paidBackAmount: 0, countedAmount: 0 };
      const { id } = await app.ctx.db.dailyClosing.create({
        data: { ...amounts, locationId: location.id, day: PAST, currency: 'EUR' },
      });
      return id;
    },
  },
  mutations: { correct: 'correctDailyClosing(input: { id: $id, note: $new })' },
};
