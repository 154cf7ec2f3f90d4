import { reportRequests } from '../../../src/features/notifications/service/request-emails.ts';
import type { Credential } from '../../support/clients/api.ts';
import { createStaffUser, makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  desk = await signInFrontDesk(app);
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const confirm = (id: string) =>
  app.graphql(
    'mutation ($id: ID!) { confirmBooking(input: { id: $id }) { booking { id } } }',
    { id },
    desk,
  );

describe('requests that need approval', () => {
  const ask = async (count = 1) => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const member = await makeMember(app, { name: 'Ida Berg' });
    const own = bookingCalls(app, await member.signedIn());
    const input = { resourceId: room.id, ...march(19, '10:00', '11:00') };
    if (count === 1) return (await own.create(input)).data.createBooking.booking.id as string;
    const { data } = await own.series({ ...input, rule: `FREQ=WEEKLY;COUNT=${count}` });
    return data.createBookingSeries.bookingSeries.bookings[0].id as string;
  };
  /** Runs the job in two processes at once, and returns the emails that staff got. */
  const report = async () => {
    await app.ctx.db.mail.deleteMany();
    await Promise.all([reportRequests(app.ctx), reportRequests(app.ctx)]);
    return app.ctx.db.mail.findMany({ orderBy: { recipient: 'asc' } });
  };
  const setWanted = (bookingRequests: boolean, as: Credential) =>
    app.graphql(
      `mutation ($input: UpdateNotificationSettingsInput!) {
        updateNotificationSettings(input: $input) { notificationSettings { bookingRequests offlineDisplays } } }`,
      { input: { bookingRequests } },
      as,
    );

  it('are one email to owners and managers, and to front desk staff who want it', async () => {
    const [owner, manager] = [
      await createStaffUser(app, 'owner'),
      await createStaffUser(app, 'manager'),
    ];
    await report();
    await ask();
    await ask(20);
    const mails = await report();
    expect(mails.map(({ recipient }) => recipient)).toEqual([owner.email, manager.email]);
    expect(mails[0]?.subject).toBe('2 bookings need approval');
    expect(mails[0]?.text.match(/^Ida Berg, Room, House: Thursday, 19 March .*$/gm)).toEqual([
      expect.stringMatching(/\(Berlin time\)$/),
      expect.stringMatching(/\(Berlin time\) and 19 more$/),
    ]);
    expect(await report()).toEqual([]);

    const { data } = await setWanted(true, desk);
    const settings = { bookingRequests: true, offlineDisplays: false };
    expect(data.updateNotificationSettings.notificationSettings).toEqual(settings);
    await setWanted(false, { cookie: await owner.session() });
    const id = await ask();
    const later = await report();
    const [toDesk, ...others] = later.filter(({ recipient }) => recipient !== manager.email);
    expect([later.length, others]).toEqual([2, []]);
    expect(toDesk?.text).toContain(`/admin/bookings/requests?request=${id}`);
    await setWanted(false, desk);
  });

  it('are reported again when they move, but not when they are decided before', async () => {
    const manager = await createStaffUser(app, 'manager');
    await report();
    const id = await ask();
    const decided = await ask();
    await confirm(decided);
    const reported = async () =>
      (await report()).filter(({ recipient }) => recipient === manager.email);
    expect(await reported()).toMatchObject([{ subject: 'A booking needs approval' }]);
    const later = march(20, '10:00', '11:00');
    await app.ctx.db.booking.update({
      where: { id },
      data: { ...later, occupiedUntil: later.endsAt },
    });
    expect(await reported()).toMatchObject([{ text: expect.stringContaining('20 March 2026') }]);
  });

  it('are counted and listed with a filter', async () => {
    await app.ctx.db.booking.updateMany({
      where: { status: 'pending' },
      data: { status: 'confirmed' },
    });
    await ask(3);
    const { data } = await app.graphql(
      `query ($from: DateTime!) { bookings(first: 2, filter: { status: [PENDING], from: $from }) {
        totalCount { value } edges { node { status allowedActions { confirm } } } } }`,
      { from: NOW },
      desk,
    );
    const node = { status: 'PENDING', allowedActions: { confirm: true } };
    expect(data.bookings).toEqual({ totalCount: { value: 3 }, edges: [{ node }, { node }] });
  });
});
