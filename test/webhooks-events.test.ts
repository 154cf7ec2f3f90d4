import { noteSilence } from '../src/features/displays/pulses.ts';
import { deliver } from '../src/features/webhooks/deliver.ts';
import { makeSigningSecret } from '../src/features/webhooks/signing.ts';
import { tellStatusChanges } from '../src/features/webhooks/status-changes.ts';
import { webhookTransport } from '../src/webhooks/transport.ts';
import { type Credential, startApp, type TestApp } from './support/app.ts';
import { checkOutByGraphql, graphqlDoor, presentablesOf } from './support/check-ins.ts';
import { makeEvent } from './support/events.ts';
import { type Receiver, startReceiver, verified } from './support/receiver.ts';
import { NOW } from './support/seed.ts';
import { bookingCalls, makeMember, makeSpace, march } from './support/space.ts';

const secret = makeSigningSecret();
const transport = webhookTransport({ allowPrivate: true });

let app: TestApp;
let receiver: Receiver;
let staff: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  receiver = await startReceiver();
  staff = { token: await app.token('*') };
});
beforeEach(async () => {
  await listen('*');
});
afterEach(async () => {
  app.clock.now = NOW;
  receiver.reset();
  await app.ctx.db.webhookEndpoint.deleteMany();
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const listen = (...events: string[]) =>
  app.ctx.db.webhookEndpoint.create({ data: { url: receiver.url, events, secret } });
/** What was told since the last time, in its order. */
async function told() {
  await deliver(app.app.ctx, transport);
  const messages = receiver.received
    .map((one) => verified(one, secret, app.clock.now))
    .map(({ type, data }) => [type, data] as const);
  receiver.received.length = 0;
  return messages;
}
const ask = async (query: string, variables: object = {}) => {
  const { data, errors } = await app.graphql(query, variables, staff);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
};
const later = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const look = async () => {
  await app.app.close(); // writes what is waiting
  await noteSilence(app.ctx.write, app.clock.now);
  await tellStatusChanges(app.ctx);
};

describe('of displays', () => {
  const paired = async () => {
    const { location } = await makeSpace(app);
    const made = await app.display({ name: 'Hall', kind: 'welcome', locationId: location.id });
    return { ...made, location };
  };
  const passed = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();

  it('is told that they came, fell silent and went, once each', async () => {
    const { deviceToken, display, location } = await paired();
    const { id, name, kind } = display;
    const shown = { id, name, kind, location: { id: location.id, name: location.name } };
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await look();
    expect(await told()).toEqual([
      ['display.online', { display: shown, was: 'offline', at: passed(0) }],
    ]);
    later(200);
    await Promise.all([look(), look()]);
    expect(await told()).toEqual([
      ['display.stale', { display: shown, was: 'online', at: passed(150) }],
    ]);
    later(310);
    await look();
    await look();
    expect(await told()).toEqual([
      ['display.offline', { display: shown, was: 'stale', at: passed(300) }],
    ]);
  });

  it('is kept for the next look what could not be told, and nothing of before is told to who comes later', async () => {
    const { deviceToken } = await paired();
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await app.app.close();
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked === 2) throw new Error('killed between taking and telling');
      return NOW;
    };
    await expect(tellStatusChanges({ ...app.ctx, now })).rejects.toThrow('killed between');
    await look();
    expect((await told()).map(([type]) => type)).toEqual(['display.online']);
    await app.ctx.db.webhookEndpoint.deleteMany();
    later(310);
    await look();
    await listen('*');
    await look();
    expect(await told()).toEqual([]);
  });

  it('is not told that one fell silent which was revoked', async () => {
    const { deviceToken, display } = await paired();
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await look();
    await told();
    await ask('mutation ($id: ID!) { revokeDisplay(id: $id) { id } }', { id: display.id });
    later(310);
    await look();
    expect(await told()).toEqual([]);
  });
});

describe('of check-ins', () => {
  it('is told who came in, who did not, and who left', async () => {
    const make = presentablesOf(app);
    const { location } = await make.makeHouse();
    const { code, name } = await make.makeMember();
    const scan = graphqlDoor(app);
    const { told: admitted } = await scan({ locationId: location.id, code });
    await scan({ locationId: location.id, code });
    await checkOutByGraphql(app, admitted.id ?? '');
    await checkOutByGraphql(app, admitted.id ?? '');
    await scan({ locationId: location.id, code: 'NOBODY', leaving: true });
    const place = { id: location.id, name: location.name };
    const shown = {
      ...{ label: name, checked_in_at: NOW.toISOString(), checked_out_at: null, location: place },
      subject: { type: 'member', title: null },
    };
    expect(await told()).toEqual([
      ['check_in.admitted', { check_in: { ...shown, id: admitted.id, result: 'admitted' } }],
      [
        'check_in.refused',
        { check_in: { ...shown, id: expect.any(String), result: 'already_in' } },
      ],
      [
        'check_in.checked_out',
        {
          check_in: {
            ...{ ...shown, id: admitted.id, result: 'checked_out' },
            checked_out_at: NOW.toISOString(),
          },
        },
      ],
    ]);
  });
});

describe('of members', () => {
  it('is told who was added and changed, without the code that lets them in', async () => {
    const { createMember } = await ask(
      'mutation { createMember(input: { name: "Nora Lind", email: "Nora@example.org" }) { id } }',
    );
    const { id } = createMember;
    await ask(
      'mutation ($id: ID!) { updateMember(id: $id, input: { company: "Lind & Co" }) { id } }',
      { id },
    );
    const shown = {
      ...{ id, name: 'Nora Lind', email: 'nora@example.org', phone: null, status: 'active' },
      created_at: expect.any(String),
    };
    expect(await told()).toEqual([
      ['member.created', { member: { ...shown, company: null } }],
      ['member.updated', { member: { ...shown, company: 'Lind & Co' } }],
    ]);
  });

  it('is told nothing where the address was taken', async () => {
    const { email } = await makeMember(app);
    await expect(
      ask(
        'mutation ($email: String!) { createMember(input: { name: "Eve", email: $email }) { id } }',
        { email },
      ),
    ).rejects.toThrow('e-mail address');
    expect(await told()).toEqual([]);
  });
});

describe('of bookings', () => {
  it('is told what was booked and cancelled, by a guest and by the plan of a member', async () => {
    const { room, location } = await makeSpace(app);
    const calls = bookingCalls(app, staff);
    const holders = [{ guest: { name: 'Greta Guest' } }, { memberId: (await makeMember(app)).id }];
    for (const [day, holder] of holders.entries()) {
      const wish = { resourceId: room.id, ...march(19 + day, '10:00', '11:00'), ...holder };
      const { data } = await calls.create(wish);
      const { id } = data.createBooking;
      expect((await calls.create(wish)).codes).toEqual(['CONFLICT']);
      await calls.cancel(id, { reason: 'rain' });
      const [created, cancelled, ...others] = await told();
      expect(others).toEqual([]);
      expect(created).toEqual([
        'booking.created',
        {
          booking: expect.objectContaining({
            ...{ id, status: 'confirmed', cancellation: null, series_id: null },
            starts_at: `2026-03-${19 + day}T09:00:00.000Z`,
            resource: { id: room.id, name: room.name },
            location: { id: location.id, name: location.name, time_zone: 'Europe/Berlin' },
          }),
        },
      ]);
      expect(cancelled).toEqual([
        'booking.cancelled',
        {
          booking: expect.objectContaining({
            ...{ id, status: 'cancelled' },
            cancellation: expect.objectContaining({ reason: 'rain' }),
          }),
        },
      ]);
    }
  });

  it('is told each of a series', async () => {
    const { room } = await makeSpace(app);
    const calls = bookingCalls(app, staff);
    const { data } = await calls.series({
      ...{ resourceId: room.id, guest: { name: 'Greta Guest' }, rule: 'FREQ=WEEKLY;COUNT=3' },
      ...march(19, '10:00', '11:00'),
    });
    const [first] = data.createBookingSeries.bookings;
    await calls.cancel(first.id, { scope: 'ALL' });
    const types = (await told()).map(([type]) => type).sort();
    expect(types).toEqual([
      ...Array(3).fill('booking.cancelled'),
      ...Array(3).fill('booking.created'),
    ]);
  });
});

describe('of events', () => {
  it('is told that they were published and cancelled, once each', async () => {
    const { id, slug } = await makeEvent(app, { status: 'draft', publishedAt: null });
    for (const field of ['publishEvent', 'publishEvent', 'cancelEvent', 'cancelEvent'])
      await ask(`mutation ($id: ID!) { ${field}(id: $id) { id } }`, { id });
    expect(await told()).toEqual([
      ['event.published', { event: expect.objectContaining({ id, slug, status: 'published' }) }],
      ['event.cancelled', { event: expect.objectContaining({ id, slug, status: 'cancelled' }) }],
    ]);
  });
});
