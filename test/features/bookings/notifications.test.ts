import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await signInFrontDesk(app));
});
beforeEach(() => app.ctx.db.mail.deleteMany());
afterAll(() => app.stop());

const mails = () => app.ctx.db.mail.findMany({ orderBy: { createdAt: 'asc' } });

async function booked(more: object = {}) {
  const { room } = await makeSpace(app, { requiresApproval: true });
  const member = await makeMember(app);
  const own = bookingCalls(app, await member.signedIn());
  const input = { resourceId: room.id, ...march(20, '10:00', '12:00'), ...more };
  const { data } = await own.create(input);
  return { room, member, own, id: data.createBooking.booking.id as string };
}

describe('emails to the holder', () => {
  it('announce confirmation, move and cancellation, with time and reason', async () => {
    const { id, member } = await booked();
    const token = { token: await app.token('bookings:write') };
    await app.graphql(
      'mutation ($id: ID!) { confirmBooking(input: { id: $id }) { booking { id } } }',
      { id },
      token,
    );
    await staff.reschedule(id, march(20, '14:00', '15:00'));
    await staff.cancel(id, { reason: 'Burst pipe' });
    const [confirmed, moved, cancelled, ...rest] = await mails();
    expect(rest).toEqual([]);
    expect(confirmed).toMatchObject({
      recipient: member.email,
      subject: 'Your booking is confirmed: Room, 2026-03-20 10:00 to 12:00 (Europe/Berlin)',
    });
    expect(moved?.text).toContain('New time: 2026-03-20 14:00 to 15:00');
    expect(cancelled?.text).toContain('Reason: Burst pipe');
  });

  it('are sent once for a series', async () => {
    const { room } = await makeSpace(app);
    const { id } = await makeMember(app);
    const input = { resourceId: room.id, memberId: id, ...march(19, '10:00', '11:00') };
    const { data } = await staff.series({ ...input, rule: 'FREQ=WEEKLY;COUNT=3' });
    await staff.cancel(data.createBookingSeries.bookingSeries.bookings[0].id, { scope: 'ALL' });
    const [mail, ...rest] = await mails();
    expect(rest).toEqual([]);
    expect(mail?.text).toContain('This also applies to 2 other bookings in the series.');
  });

  it('are sent to guests with an address', async () => {
    const { room } = await makeSpace(app);
    for (const guest of [{ name: 'Greta', email: 'greta@example.org' }, { name: 'Gus' }]) {
      const { data } = await staff.create({
        resourceId: room.id,
        guest,
        ...march(19, '10:00', '11:00'),
      });
      await staff.cancel(data.createBooking.booking.id);
    }
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(['greta@example.org']);
  });

  it('are not sent for their own or failed changes', async () => {
    const { id, own } = await booked();
    await staff.reschedule(id, march(21, '10:00', '12:00'));
    await own.cancel(id);
    expect(await mails()).toEqual([]);
  });
});
