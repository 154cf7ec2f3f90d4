import { markSilentDisplays } from '../../../src/features/displays/service/silence-monitor.ts';
import { reportOutages } from '../../../src/features/notifications/service/outage-emails.ts';
import { NOW } from '../../support/factories/seed.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.ctx.db.display.updateMany({ data: { revokedAt: NOW } });
  const cookie = await app.signIn(STAFF.manager);
  await app.graphql(
    'mutation { updateNotificationSettings(input: { offlineDisplays: true }) { notificationSettings { offlineDisplays } } }',
    {},
    { cookie },
  );
});
beforeEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.mail.deleteMany();
});
afterAll(() => app.stop());

const createDisplay = async (name: string) => {
  const { location } = await makeSpace(app);
  const { deviceToken, display } = await app.display({
    ...{ name, kind: 'welcome', locationId: location.id },
  });
  const beat = async () => {
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await app.app.close(); // flushes pending writes
  };
  await beat();
  return { id: display.id, beat };
};

/** Moves the clock to this many minutes after the start, and runs the jobs of this minute. */
async function waitUntilMinute(minutes: number) {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
  await markSilentDisplays(app.ctx.lockingSql, app.clock.now);
  await Promise.all([1, 2].map(() => reportOutages(app.ctx)));
  const mails = await app.ctx.db.mail.findMany({ select: { recipient: true, text: true } });
  await app.ctx.db.mail.deleteMany();
  return mails;
}

describe('emails about displays that are offline', () => {
  it('reach the staff who want them after 15 minutes, once for each outage', async () => {
    const hall = await createDisplay('Hall');
    await createDisplay('Stairs');
    const { id: revokedId } = await createDisplay('Sold');
    expect(await waitUntilMinute(19)).toEqual([]); // offline since minute 5
    await app.ctx.db.display.update({
      where: { id: revokedId },
      data: { revokedAt: app.clock.now },
    });
    const [mail, ...others] = await waitUntilMinute(21);
    expect(others).toEqual([]);
    expect(mail?.recipient).toBe(STAFF.manager);
    expect(mail?.text).toContain('2 displays are offline');
    expect(mail?.text).toMatch(
      /Hall, House.*: since Wednesday, 18 March 2026, 10:35 \(Berlin time\)\nStairs, /,
    );
    expect(mail?.text).not.toContain('Sold');
    expect(await waitUntilMinute(22)).toEqual([]);

    await hall.beat();
    expect(await waitUntilMinute(40)).toEqual([]);
    const [again] = await waitUntilMinute(43);
    expect(again?.text).toContain('A display is offline');
  });

  it('reach nobody else, and no accounts that are disabled', async () => {
    await app.ctx.db.user.updateMany({
      where: { email: STAFF.manager },
      data: { disabledAt: NOW },
    });
    await createDisplay('Door');
    expect(await waitUntilMinute(30)).toEqual([]);
  });
});
