import type { Credential } from '../../support/clients/api.ts';
import { createStaffUser, makeMember } from '../../support/factories/people.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const run = async (mutation: string, input: object, payload: string, as = owner) => {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`;
  const text = `mutation ($input: ${type}) { ${mutation}(input: $input) { ${payload} } }`;
  const { data, errors } = await app.graphql(text, { input }, as);
  expect(errors).toEqual([]);
  return data[mutation];
};

/**
 * A booking of a member for forty euros, which a staff user has marked as paid by mistake, then rightly, and has paid back after it
 * was cancelled. The texts that staff wrote name the member.
 */
async function leavePayments() {
  const { room, location } = await makeSpace(app);
  const member = await makeMember(app, { name: 'Zacharias Quittenbaum' });
  const taker = await createStaffUser(app, 'owner');
  const as = { cookie: await app.signIn(taker.email) };
  const { data } = await bookingCalls(app, as).create({
    ...{ resourceId: room.id, memberId: member.id },
    ...march(19, '10:00', '12:00'),
  });
  const { id } = data.createBooking.booking;
  await run('markBookingPaid', { id, method: 'CARD' }, 'outcome', as);
  const reason = 'Zacharias Quittenbaum has not paid';
  await run('markBookingUnpaid', { id, reason }, 'booking { id }', as);
  await run('markBookingPaid', { id, method: 'CASH' }, 'outcome', as);
  await run('cancelBooking', { id, waiveFee: true }, 'booking { id }', as);
  await run('returnBookingPayment', { id, method: 'CASH' }, 'booking { id }', as);
  const euros = { amount: 0, currency: 'EUR' };
  await run(
    'closeDay',
    {
      ...{ locationId: location.id, day: '2026-03-18', opening: euros, counted: euros },
      note: 'Zacharias Quittenbaum paid late',
    },
    'dailyClosing { id }',
    as,
  );
  return { id: id as string, member, taker };
}

const exportData = async (email: string) => {
  const { json } = await run('exportPersonalData', { email }, 'json');
  return JSON.parse(json);
};

describe('payments of bookings', () => {
  it('are in the export of the member, with what was undone and paid back', async () => {
    const { member } = await leavePayments();
    const { data, mentioned_in } = await exportData(member.email);
    const [booking] = data.bookings;
    expect(booking.payments).toMatchObject([
      { method: 'card', undone: { reason: 'Zacharias Quittenbaum has not paid' } },
      { method: 'cash', refunded: { amount: 4_000, currency: 'EUR' }, undone: null },
    ]);
    expect(booking.refunds).toMatchObject([
      { method: 'cash', status: 'succeeded', amount: { amount: 4_000, currency: 'EUR' } },
    ]);
    expect(JSON.stringify(mentioned_in)).toContain('daily_closings');
  });

  it('keep their amounts when the member is erased, and texts lose the name', async () => {
    const { id, member } = await leavePayments();
    await run('erasePersonalData', { email: member.email, endContracts: true }, 'erasure { id }');
    const rows = await app.ctx.db.payment.findMany({
      where: { bookingId: id },
      orderBy: { ref: 'asc' },
    });
    expect(rows.map(({ amount }) => amount)).toEqual([4_000, 4_000]);
    expect(rows[0]?.voidReason).toMatch(/has not paid$/);
    expect(rows[0]?.voidReason).not.toContain('Quittenbaum');
  });

  it('keep their amounts but not who took them when the staff user is erased', async () => {
    const { id, taker } = await leavePayments();
    const { id: staffId } = await app.ctx.db.user.findUniqueOrThrow({
      where: { email: taker.email },
    });
    await run('disableStaff', { id: staffId }, 'staffUser { id }');
    await run('erasePersonalData', { email: taker.email }, 'erasure { id }');
    const rows = await app.ctx.db.payment.findMany({ where: { bookingId: id } });
    expect(rows).toHaveLength(2);
    for (const row of rows) expect([row.takenById, row.voidedById]).toEqual([null, null]);
  });
});
