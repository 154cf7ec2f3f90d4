import { markSilentDisplays } from '../../../src/features/displays/service/silence-monitor.ts';
import {
  publishRecordedChanges,
  webhookReader,
} from '../../../src/features/webhooks/service/publish-changes.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../../support/clients/api.ts';
import {
  checkOutByGraphql,
  createAdmissionFactories,
  createGraphqlScanner,
} from '../../support/factories/check-ins.ts';
import { makeEvent } from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { createEventListener } from '../../support/factories/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let receiver: Receiver;
let staff: Credential;
let listener: ReturnType<typeof createEventListener>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  receiver = await startReceiver();
  listener = createEventListener(app, receiver);
  staff = { token: await app.token('*') };
});
beforeEach(async () => {
  await listener.subscribe('*');
});
afterEach(() => listener.reset());
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const run = async (query: string, variables: object = {}) => {
  const { data, errors } = await app.graphql(query, variables, staff);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
};
const advanceClock = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const checkDisplays = async () => {
  await app.app.close(); // flushes pending writes
  await markSilentDisplays(app.ctx.lockingSql, app.clock.now);
  await publishRecordedChanges(app.ctx);
};

describe('events of displays', () => {
  const statuses = ['display.online', 'display.stale', 'display.offline', 'display.revoked'];
  beforeEach(async () => {
    await listener.reset();
    await listener.subscribe(...statuses);
  });
  const createDisplay = async () => {
    const { location } = await makeSpace(app);
    const made = await app.display({ name: 'Hall', kind: 'welcome', locationId: location.id });
    return { ...made, location };
  };

  it('are published once for each change to online, stale and offline', async () => {
    const { deviceToken, display, location } = await createDisplay();
    const { id, name, kind } = display;
    const expected = { id, name, kind, location: { id: location.id, name: location.name } };
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await checkDisplays();
    expect(await listener.deliverObjects()).toMatchObject([
      ['display.online', { display: { ...expected, status: 'online' } }],
    ]);
    advanceClock(200);
    await Promise.all([checkDisplays(), checkDisplays()]);
    expect(await listener.deliverObjects()).toMatchObject([
      ['display.stale', { display: { ...expected, status: 'stale' } }],
    ]);
    advanceClock(310);
    await checkDisplays();
    await checkDisplays();
    expect(await listener.deliverObjects()).toMatchObject([
      ['display.offline', { display: { ...expected, status: 'offline' } }],
    ]);
  });

  it('are published after a failed attempt, and not to webhooks created later', async () => {
    const { deviceToken } = await createDisplay();
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await app.app.close();
    let calls = 0;
    const now = () => {
      calls += 1;
      if (calls === 2) throw new Error('killed between reading and publishing');
      return NOW;
    };
    await expect(catchUp({ ...app.ctx, now }, webhookReader)).rejects.toThrow('killed between');
    await checkDisplays();
    expect((await listener.deliverObjects()).map(([type]) => type)).toEqual(['display.online']);
    await app.ctx.db.webhookEndpoint.deleteMany();
    advanceClock(310);
    await checkDisplays();
    await listener.subscribe(...statuses);
    await checkDisplays();
    expect(await listener.deliverObjects()).toEqual([]);
  });

  it('include the revocation of a display, and nothing after it', async () => {
    const { deviceToken, display } = await createDisplay();
    await app.rest(`/displays/heartbeat/${deviceToken}`);
    await checkDisplays();
    await listener.deliverObjects();
    await run('mutation ($id: ID!) { revokeDisplay(input: { id: $id }) { display { id } } }', {
      id: display.id,
    });
    advanceClock(310);
    await checkDisplays();
    expect((await listener.deliverObjects()).map(([type]) => type)).toEqual(['display.revoked']);
  });

  it('are in order for a display that is revoked right after it came online', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { deviceToken, display } = await createDisplay();
      await app.rest(`/displays/heartbeat/${deviceToken}`);
      await app.app.close();
      await run('mutation ($id: ID!) { revokeDisplay(input: { id: $id }) { display { id } } }', {
        id: display.id,
      });
    }
    await checkDisplays();
    const messages = await app.ctx.db.webhookMessage.findMany({
      orderBy: { id: 'desc' },
      take: 10,
    });
    expect(messages.map(({ type }) => type).reverse()).toEqual(
      Array(5).fill(['display.online', 'display.revoked']).flat(),
    );
  });
});

describe('events of check-ins', () => {
  it('are published for admissions, rejected attempts and check-outs', async () => {
    const make = createAdmissionFactories(app);
    const { location } = await make.makeSpace();
    const { code, name } = await make.makeMember();
    const scan = createGraphqlScanner(app);
    const { checkIn: admitted } = await scan({ locationId: location.id, code });
    await scan({ locationId: location.id, code });
    const messages = await listener.deliverObjects();
    await checkOutByGraphql(app, admitted.checkOutToken as string);
    await checkOutByGraphql(app, admitted.checkOutToken as string);
    await scan({ locationId: location.id, code: 'NOBODY', leaving: true });
    messages.push(...(await listener.deliverObjects()));
    const locationRef = { id: location.id, name: location.name };
    const expected = {
      ...{
        label: name,
        unconfirmed: false,
        checked_in_at: NOW.toISOString(),
        checked_out_at: null,
        location: locationRef,
      },
      subject: { type: 'member', title: null },
    };
    expect(messages).toMatchObject([
      ['check_in.admitted', { check_in: { ...expected, id: admitted.id, result: 'admitted' } }],
      [
        'check_in.rejected',
        { check_in: { ...expected, id: expect.any(String), result: 'already_in' } },
      ],
      [
        'check_in.checked_out',
        {
          check_in: {
            ...{ ...expected, id: admitted.id, result: 'admitted' },
            checked_out_at: NOW.toISOString(),
          },
        },
      ],
    ]);
  });

  it('have types of their own for unconfirmed visits', async () => {
    const make = createAdmissionFactories(app);
    const { location } = await make.makeSpace();
    const { id } = await make.makeMember();
    const handle = await make.makeHandle(id, location.id);
    const { checkIn } = await createGraphqlScanner(app)({ locationId: location.id, handle });
    await checkOutByGraphql(app, checkIn.checkOutToken as string);
    expect(await listener.deliverObjects()).toMatchObject([
      ['check_in.unconfirmed', { check_in: { result: 'admitted', unconfirmed: true } }],
      ['check_in.unconfirmed_ended', { check_in: { result: 'admitted', unconfirmed: true } }],
    ]);
  });
});

describe('events of members', () => {
  it('are published for creations and updates, without the code of the member', async () => {
    const { createMember } = await run(
      'mutation { createMember(input: { name: "Nora Lind", email: "Nora@example.org" }) { member { id } } }',
    );
    const { id } = createMember.member;
    const messages = await listener.deliverObjects();
    await run(
      'mutation ($id: ID!) { updateMember(input: { id: $id, company: "Lind & Co" }) { member { id } } }',
      { id },
    );
    const expected = {
      ...{ id, name: 'Nora Lind', email: 'nora@example.org', phone: null, status: 'active' },
      created_at: expect.any(String),
    };
    messages.push(...(await listener.deliverObjects()));
    expect(messages).toMatchObject([
      ['member.created', { member: { ...expected, company: null, code: null } }],
      ['member.updated', { member: { ...expected, company: 'Lind & Co' } }],
    ]);
  });

  it('are not published if the address is in use', async () => {
    const { email } = await makeMember(app);
    await expect(
      run(
        'mutation ($email: String!) { createMember(input: { name: "Eve", email: $email }) { member { id } } }',
        { email },
      ),
    ).rejects.toThrow('email address');
    expect(await listener.deliverObjects()).toEqual([]);
  });
});

describe('events of bookings', () => {
  it('are published for creations and cancellations, of guests and members', async () => {
    const { room, location } = await makeSpace(app);
    const calls = bookingCalls(app, staff);
    const holders = [{ guest: { name: 'Greta Guest' } }, { memberId: (await makeMember(app)).id }];
    for (const [day, holder] of holders.entries()) {
      const input = { resourceId: room.id, ...march(19 + day, '10:00', '11:00'), ...holder };
      const { data } = await calls.create(input);
      const { id } = data.createBooking.booking;
      expect((await calls.create(input)).codes).toEqual(['CONFLICT']);
      const [created, ...none] = await listener.deliverObjects();
      expect(none).toEqual([]);
      await calls.cancel(id, { reason: 'rain' });
      const [cancelled, ...others] = await listener.deliverObjects();
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

  it('are published for each booking of a series', async () => {
    const { room } = await makeSpace(app);
    const calls = bookingCalls(app, staff);
    const { data } = await calls.series({
      ...{ resourceId: room.id, guest: { name: 'Greta Guest' }, rule: 'FREQ=WEEKLY;COUNT=3' },
      ...march(19, '10:00', '11:00'),
    });
    const [first] = data.createBookingSeries.bookingSeries.bookings;
    await calls.cancel(first.id, { scope: 'ALL' });
    const types = (await listener.deliverObjects()).map(([type]) => type).sort();
    expect(types).toEqual([
      ...Array(3).fill('booking.cancelled'),
      ...Array(3).fill('booking.created'),
    ]);
  });
});

describe('events of events', () => {
  it('are published once for a publication and a cancellation', async () => {
    const { id, slug } = await makeEvent(app, { status: 'draft', publishedAt: null });
    const messages = [];
    for (const field of ['publishEvent', 'publishEvent', 'cancelEvent', 'cancelEvent']) {
      await run(`mutation ($id: ID!) { ${field}(input: { id: $id }) { event { id } } }`, { id });
      messages.push(...(await listener.deliverObjects()));
    }
    expect(messages).toEqual([
      ['event.published', { event: expect.objectContaining({ id, slug, status: 'published' }) }],
      ['event.cancelled', { event: expect.objectContaining({ id, slug, status: 'cancelled' }) }],
    ]);
  });
});
