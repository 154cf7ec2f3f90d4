import { signInFrontDesk } from '../factories/people.ts';
import { bookingCalls, makeSpace, march } from '../factories/space.ts';
import { STAFF, startApp, type TestApp } from '../harness/app.ts';
import type { Credential } from './api.ts';

export const PAYMENT =
  'payment { status due { amount } paid { amount } open { amount } surplus { amount } }';

/** Bookings with a price, and what staff record about their payment. */
export function bookingPaymentCalls(app: TestApp, staff: Credential) {
  const bookings = bookingCalls(app, staff);
  const pay = (id: string, method = 'CASH', as = staff) =>
    app.graphql(
      `mutation ($input: MarkBookingPaidInput!) { markBookingPaid(input: $input) { outcome booking { ${PAYMENT} } } }`,
      { input: { id, method } },
      as,
    );
  const undo = (id: string, reason = 'Wrong booking') =>
    app.graphql(
      `mutation ($input: MarkBookingUnpaidInput!) { markBookingUnpaid(input: $input) { booking { ${PAYMENT} } } }`,
      { input: { id, reason } },
      staff,
    );
  const giveBack = (id: string, method = 'CASH') =>
    app.graphql(
      `mutation ($input: ReturnBookingPaymentInput!) { returnBookingPayment(input: $input) { booking { ${PAYMENT} } } }`,
      { input: { id, method } },
      staff,
    );

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
  return { bookings, pay, undo, giveBack, book };
}

/** Starts a service with a front desk that takes payments, and a manager. */
export async function startTakings() {
  const app = await startApp();
  const desk = await signInFrontDesk(app);
  const manager: Credential = { cookie: await app.signIn(STAFF.manager) };
  return { app, desk, manager, payments: bookingPaymentCalls(app, desk) };
}
