import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import { addDisplay } from '../../support/clients/member-lookup.ts';
import {
  APIS,
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
} from '../../support/factories/check-ins.ts';
import { findEmails as findQueuedEmails } from '../../support/factories/events.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let staff: Scanner;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  await catchUp(app.ctx, mailReader); // registers the reader
  make = createAdmissionFactories(app);
  staff = createGraphqlScanner(app, { token: await app.token('check-ins:write') });
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const findEmails = async (...args: Parameters<typeof findQueuedEmails>) => {
  await catchUp(app.ctx, mailReader);
  return findQueuedEmails(...args);
};

const advanceClock = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

describe('visitors', () => {
  it.each(APIS)(
    "check in with their host's handle, through %s, and the host gets an email",
    async (_, createScanner) => {
      const { location } = await make.makeSpace();
      const host = await make.makeMember({ name: 'Ada Lovelace' });
      const handle = await make.makeHandle(host.id, location.id);
      const { token } = await addDisplay(app, location.id);
      const { checkIn, status } = await createScanner(app, { token })({
        ...{ locationId: location.id, handle, visitor: { name: ' Grace Hopper ' } },
      });
      expect(status).toBe(201);
      expect(checkIn).toMatchObject({
        ...{ result: 'admitted', label: 'Grace H.', subject: { type: 'visitor', title: 'Ada L.' } },
      });
      expect(await make.listAttempts(location.id)).toMatchObject([
        { subject: 'visitor', label: 'Grace Hopper', hostId: host.id, memberId: null },
      ]);
      expect(await make.countPresent(location.id)).toBe(1);
      const [mail, ...others] = await findEmails(app, host.email);
      expect(others).toEqual([]);
      expect(mail?.subject).toBe('A visitor is here to see you');
      expect(mail?.text).toContain(
        'A visitor has arrived at House to see you (Wednesday, 18 March 2026, 10:30): Grace Hopper',
      );
      const next = await make.makeHandle(host.id, location.id);
      const checkedOut = await createScanner(app, { token })({
        ...{
          locationId: location.id,
          handle: next,
          visitor: { name: 'grace hopper' },
          leaving: true,
        },
      });
      expect(checkedOut.checkIn.result).toBe('checked_out');
      expect(await make.countPresent(location.id)).toBe(0);
    },
  );

  it('check out with their name, ignoring accents and case', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const at = { locationId: location.id, memberId: host.id };
    await staff({ ...at, visitor: { name: 'José Núñez-Łaski' } });
    const leave = async (name: string, scanId = name) =>
      (await staff({ ...at, visitor: { name }, leaving: true, scanId })).checkIn;
    expect((await leave('Jose Nunez')).result).toBe('not_found');
    const checkedOut = await leave('jose NUNEZ laski');
    expect(checkedOut).toMatchObject({ result: 'checked_out', label: 'José Núñez-Łaski' });
    expect(await leave('jose NUNEZ laski')).toEqual(checkedOut); // retried
    expect(await make.countPresent(location.id)).toBe(0);
  });

  it.each(APIS)('must have a valid name and a host, through %s', async (_, createScanner) => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const handle = await make.makeHandle(host.id, location.id);
    const names = [
      'https://evil.example',
      'see www.evil',
      'ben@evil.example',
      'a@b',
      '',
      'Grace\nHopper',
      'x'.repeat(101),
    ];
    for (const name of names) {
      const { error } = await createScanner(app)({
        locationId: location.id,
        handle,
        visitor: { name },
      });
      expect(error?.message).toMatch(/visitor\.name: must/);
    }
    const { error } = await createScanner(app)({
      ...{ locationId: location.id, code: host.code, visitor: { name: 'Dr. J. R. Hopper' } },
    });
    expect(error?.message).toContain('needs the handle of the member they visit');
    expect(await findEmails(app, host.email)).toEqual([]);
    expect(await make.listAttempts(location.id)).toEqual([]);
  });

  it('cause at most ten emails to a host in 15 minutes', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const visit = (n: number) =>
      staff({ locationId: location.id, memberId: host.id, visitor: { name: `Guest ${n}` } });
    for (let n = 0; n < 12; n += 1) expect((await visit(n)).checkIn.result).toBe('admitted');
    expect(await findEmails(app, host.email)).toHaveLength(10);
    advanceClock(16);
    await visit(12);
    expect(await findEmails(app, host.email)).toHaveLength(11);
  });
});

describe('the notification address of a location', () => {
  it('gets emails about admitted guests without a host only', async () => {
    const { room } = await make.makeSpace();
    const hostEmail = `desk-${room.id}@example.org`;
    const locationId = room.locationId;
    await app.ctx.db.location.update({ where: { id: locationId }, data: { hostEmail } });
    const pass = await make.makePass({}, { id: locationId });
    const booking = await make.makeBooking(room);
    const member = await make.makeMember();
    const ticket = await make.makeTicket({}, { locationId });
    await staff({ locationId, code: pass.code });
    await staff({ locationId, code: pass.code });
    await staff({ locationId, bookingId: booking.id });
    await staff({ locationId, code: member.code });
    await staff({ locationId, code: ticket.code });
    const mails = await findEmails(app, hostEmail);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^A guest has arrived: Flex/),
      'A guest has arrived: Room',
    ]);
  });
});
