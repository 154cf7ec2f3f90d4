import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { DomainError } from '../../src/errors.ts';
import { markBookingPaid } from '../../src/features/payments/service/booking-payments.ts';
import { closeDay } from '../../src/features/takings/service/closings.ts';
import { makeSpace, march } from '../support/factories/space.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { runDuringTransaction } from '../support/harness/lock-waits.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ content: 'empty' });
});
afterEach(() => app.stop());

/** A booking of an hour that costs twenty euros. */
async function makeBooking() {
  const { room, location } = await makeSpace(app);
  const { startsAt, endsAt } = march(19, '10:00', '11:00');
  const { id } = await app.ctx.db.booking.create({
    data: {
      ...{ resourceId: room.id, locationId: location.id, guestName: 'Greta' },
      ...{ startsAt, endsAt, occupiedUntil: endsAt, status: 'confirmed', priceAmount: 2_000 },
    },
  });
  return { id, locationId: location.id };
}

const INSERT_PAYMENT = `
  WITH locked AS MATERIALIZED (SELECT id, location_id FROM bookings WHERE id = $1::uuid FOR NO KEY UPDATE)
  INSERT INTO payments (id, booking_id, location_id, provider, ref, amount, currency, method, created_at)
  SELECT gen_random_uuid(), id, location_id, 'on_site', 'booking:' || id || ':1', 2000, 'EUR', 'cash', $2::timestamptz FROM locked`;

/** Runs the work while another transaction has recorded the payment of a booking and not committed yet. */
const duringPayment = <T>(id: string, work: () => Promise<T>) =>
  runDuringTransaction(app.database.pool, [INSERT_PAYMENT, [id, app.clock.now]], work);

const pay = (ctx: Context, id: string) => markBookingPaid(ctx, { id, method: 'cash' });

const readPaid = async (id: string) => {
  const { paidAmount } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
  return { paidAmount, payments: await app.ctx.db.payment.count({ where: { bookingId: id } }) };
};

/** A context of transactions that do not lock bookings. */
function withoutLock(): Context {
  const isLock = /SELECT 1 FROM bookings .* FOR NO KEY UPDATE/;
  const { prisma } = rewriteTransactions({ prisma: app.ctx.db } as Database, (text) =>
    isLock.test(text) ? text.replace('FOR NO KEY UPDATE', '') : text,
  );
  return { ...app.ctx, db: prisma };
}

describe('two staff who mark one booking as paid at once', () => {
  it('record one payment', async () => {
    const { id } = await makeBooking();
    const outcome = await duringPayment(id, () => pay(app.ctx, id));
    expect(outcome).toBe('known');
    expect(await readPaid(id)).toEqual({ paidAmount: 2_000, payments: 1 });
  });

  it('record one payment without the lock too, since its reference is unique', async () => {
    const { id } = await makeBooking();
    await expect(duringPayment(id, () => pay(withoutLock(), id))).rejects.toThrow();
    expect(await readPaid(id)).toEqual({ paidAmount: 2_000, payments: 1 });
  });

  it('record it twice without both (negative control)', async () => {
    const { id } = await makeBooking();
    await app.database.pool.query('DROP INDEX payments_provider_ref_key');
    expect(await duringPayment(id, () => pay(withoutLock(), id))).toBe('recorded');
    expect((await readPaid(id)).payments).toBe(2);
  });
});

const DAY = '2026-03-18';
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const close = (locationId: string) =>
  closeDay(app.ctx, { locationId, day: DAY, opening: euros(5_000), counted: euros(5_000) });

describe('two staff who close one day at once', () => {
  const closeTwice = async () => {
    const { locationId } = await makeBooking();
    const results = await Promise.allSettled([close(locationId), close(locationId)]);
    const closings = await app.ctx.db.dailyClosing.count({ where: { locationId } });
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' && result.reason instanceof DomainError
        ? [result.reason.details.reason]
        : [],
    );
    return { closings, reasons };
  };

  it('close it once', async () => {
    expect(await closeTwice()).toEqual({ closings: 1, reasons: ['DAY_CLOSED'] });
  });

  it('close it twice without the constraint (negative control)', async () => {
    await app.database.pool.query('DROP INDEX daily_closings_location_id_day_key');
    expect(await closeTwice()).toEqual({ closings: 2, reasons: [] });
  });
});

it('a payment that is recorded while the day is closed is counted as changed since, and missing in what the closing stored', async () => {
  const { id, locationId } = await makeBooking();
  const closing = await duringPayment(id, () => close(locationId));
  expect([closing.taken.amount, closing.changedSince.amount]).toEqual([0, 0]);
  const [row] = await app.database.pool
    .query('SELECT taken_amount FROM daily_closings')
    .then(({ rows }) => rows);
  expect(row.taken_amount).toBe(0);
  const { data, errors } = await app.graphql(
    `query ($locationId: ID!) { dailyClosings(filter: { locationId: $locationId }) {
      nodes { taken { amount } changedSince { amount } } } }`,
    { locationId },
    await signInManager(),
  );
  expect(errors).toEqual([]);
  expect(data.dailyClosings.nodes).toEqual([
    { taken: { amount: 0 }, changedSince: { amount: 2_000 } },
  ]);
});

async function signInManager() {
  await app.ctx.db.user.create({
    data: { name: 'Mona', email: 'mona@example.org', role: 'manager' },
  });
  return { cookie: await app.signIn('mona@example.org') };
}
