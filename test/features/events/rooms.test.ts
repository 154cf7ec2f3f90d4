import type { Credential } from '../../support/clients/api.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { serverUrl } from '../../support/harness/database.ts';
import { runDuringTransaction } from '../../support/harness/lock-waits.ts';

// The embedded database has one connection: transactions never overlap there, and the results are the same.
const ROUNDS = 5;
const CONTROL_ROUNDS = 200;

// Each has up to twenty connections, so those of one test end with it.
const openedByTest: TestApp[] = [];
afterEach(async () => {
  for (const app of openedByTest.splice(0)) await app.stop();
});

async function openSpaceOfTest() {
  const space = await openSpace();
  openedByTest.push(space.app);
  return space;
}

/** A new database with one location, and an owner. */
async function openSpace() {
  const app = await startApp({ content: 'empty' });
  const space = await makeSpace(app);
  const anyone: Credential = { token: await app.token('*') };
  return { app, ...space, anyone, bookings: bookingCalls(app, anyone) };
}

type Space = Awaited<ReturnType<typeof openSpace>>;

const SLOT = march(19, '10:00', '12:00');
const guest = { name: 'Greta Guest' };
let slugs = 0;

const draft = async ({ app, location }: Space, resourceId: string, more: object = {}) => {
  slugs += 1;
  const { id } = await app.ctx.db.event.create({
    data: {
      slug: `evening-${slugs}`,
      title: `Evening no. ${slugs}`,
      locationId: location.id,
      resourceId,
      startsAt: new Date(SLOT.startsAt),
      endsAt: new Date(SLOT.endsAt),
      ...more,
    },
  });
  return { id, title: `Evening no. ${slugs}` };
};

interface Outcome {
  won: boolean;
  error?: Record<string, unknown> | undefined;
  message?: string | undefined;
}

const outcome = ({
  errors,
}: {
  errors: { message: string; extensions: Record<string, unknown> }[];
}): Outcome => ({
  won: errors.length === 0,
  error: errors[0]?.extensions,
  message: errors[0]?.message,
});

const publish = async ({ app, anyone }: Space, id: string, as = anyone) =>
  outcome(
    await app.graphql(
      'mutation ($id: ID!) { publishEvent(input: { id: $id }) { event { id } } }',
      { id },
      as,
    ),
  );

const update = async ({ app, anyone }: Space, id: string, input: object) =>
  outcome(
    await app.graphql(
      'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { id } } }',
      { input: { id, ...input } },
      anyone,
    ),
  );

const isPublished = async ({ app }: Space, id: string) =>
  (await app.ctx.db.event.findUniqueOrThrow({ where: { id } })).status === 'published';

/** Finds published events with a conflict in their room, without relying on the triggers. */
async function sharedRooms({ app }: Space): Promise<number> {
  const { rows } = await app.database.pool.query(`
    SELECT count(*)::int AS pairs FROM events e JOIN bookings b ON b.resource_id = e.resource_id
    WHERE e.status = 'published' AND b.status IN ('pending', 'confirmed')
      AND b.starts_at < e.ends_at AND e.starts_at < b.occupied_until`);
  return rows[0].pairs;
}

describe('an event with a room', () => {
  let here: Space;
  beforeAll(async () => {
    here = await openSpace();
  });
  afterAll(() => here.app.stop());

  it('is not published in a booked room, and the error names the booking', async () => {
    const { bookings, addRoom } = here;
    const room = await addRoom({ name: 'Studio' });
    const slot = { resourceId: room.id, guest, title: 'Choir', ...march(19, '11:00', '13:00') };
    const { data } = await bookings.create(slot);
    const { id } = await draft(here, room.id);
    const { error, message } = await publish(here, id);
    expect(error).toEqual({
      code: 'CONFLICT',
      reason: 'SLOT_TAKEN',
      collisions: [
        {
          startsAt: '2026-03-19T10:00:00.000Z',
          endsAt: '2026-03-19T12:00:00.000Z',
          bookingId: data.createBooking.booking.id,
          eventId: null,
          title: 'Choir',
          holder: 'Greta Guest',
        },
      ],
    });
    expect(message).toBe(
      'Studio is not free: the booking "Choir" of Greta Guest, Thursday, 19 March 2026, 11:00 to 13:00 (Berlin time). Choose another time or room.',
    );
    expect(await isPublished(here, id)).toBe(false);
    await bookings.cancel(data.createBooking.booking.id);
    expect((await publish(here, id)).won).toBe(true);
  });

  it('does not name the booking to viewers without access', async () => {
    const { app, bookings, addRoom } = here;
    const room = await addRoom();
    await bookings.create({ resourceId: room.id, guest, title: 'Choir', ...SLOT });
    const { id } = await draft(here, room.id);
    const writer = { token: await app.token('events:write', 'events:read') };
    const { error, message } = await publish(here, id, writer);
    expect(error?.collisions).toMatchObject([{ bookingId: null, title: null, holder: null }]);
    expect(message).toContain('is not free: a booking, Thursday, 19 March 2026, 10:00');
    expect(message).not.toMatch(/Choir|Greta/);
  });

  it('is not published in the room of another event, and the error names it', async () => {
    const room = await here.addRoom();
    const [first, second] = [await draft(here, room.id), await draft(here, room.id)];
    expect((await publish(here, first.id)).won).toBe(true);
    const { error, message } = await publish(here, second.id);
    expect(error).toMatchObject({
      code: 'CONFLICT',
      reason: 'SLOT_TAKEN',
      collisions: [{ eventId: first.id, bookingId: null, title: first.title, holder: null }],
    });
    expect(message).toContain(`the event "${first.title}"`);
  });

  it('respects the buffer of the room', async () => {
    const room = await here.addRoom({ bufferMinutes: 15 });
    const book = (from: string, to: string) =>
      here.bookings.create({ resourceId: room.id, guest, ...march(19, from, to) });
    await book('09:00', '09:45');
    const { data } = await book('12:00', '13:00');
    const { id } = await draft(here, room.id);
    expect((await publish(here, id)).error?.collisions).toMatchObject([
      { startsAt: '2026-03-19T11:00:00.000Z' },
    ]);
    await here.bookings.cancel(data.createBooking.booking.id);
    expect((await book('12:15', '13:00')).errors).toEqual([]);
    expect((await publish(here, id)).won).toBe(true);
  });

  it('can start when another ends, and occupies nothing as a draft or cancelled', async () => {
    const room = await here.addRoom();
    const [first, second] = [await draft(here, room.id), await draft(here, room.id)];
    await publish(here, first.id);
    await here.app.graphql(
      'mutation ($id: ID!) { cancelEvent(input: { id: $id }) { event { id } } }',
      { id: first.id },
      here.anyone,
    );
    expect((await publish(here, second.id)).won).toBe(true);
    const next = await draft(here, room.id, {
      startsAt: new Date(SLOT.endsAt),
      endsAt: new Date('2026-03-19T13:00:00Z'),
    });
    expect((await publish(here, next.id)).won).toBe(true);
  });

  it('is not moved into an occupied slot', async () => {
    const [room, other] = [await here.addRoom(), await here.addRoom()];
    const later = march(20, '10:00', '12:00');
    await here.bookings.create({ resourceId: room.id, guest, ...later });
    await here.bookings.create({ resourceId: other.id, guest, ...SLOT });
    const { id } = await draft(here, room.id);
    await publish(here, id);
    for (const input of [later, { resourceId: other.id }]) {
      expect((await update(here, id, { ...input, title: 'Moved' })).error).toMatchObject({
        code: 'CONFLICT',
        reason: 'SLOT_TAKEN',
      });
    }
    const row = await here.app.ctx.db.event.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ resourceId: room.id, startsAt: new Date(SLOT.startsAt) });
    expect(row.title).not.toBe('Moved');
    expect((await update(here, id, { ...later, resourceId: other.id })).won).toBe(true);
  });

  it('can be renamed despite an old overlap', async () => {
    const room = await here.addRoom();
    const { id } = await draft(here, room.id);
    await publish(here, id);
    const { pool } = here.app.database;
    await pool.query('ALTER TABLE bookings DISABLE TRIGGER bookings_reject_event_overlap');
    await here.app.ctx.db.booking.create({
      data: {
        resourceId: room.id,
        locationId: here.location.id,
        guestName: 'Greta Guest',
        startsAt: new Date(SLOT.startsAt),
        endsAt: new Date(SLOT.endsAt),
        occupiedUntil: new Date(SLOT.endsAt),
      },
    });
    await pool.query('ALTER TABLE bookings ENABLE TRIGGER bookings_reject_event_overlap');
    expect((await update(here, id, { title: 'Renamed', startsAt: SLOT.startsAt })).won).toBe(true);
    await here.app.ctx.db.booking.deleteMany({ where: { resourceId: room.id } });
  });

  it('blocks bookings of its room once it is published', async () => {
    const room = await here.addRoom();
    await publish(here, (await draft(here, room.id)).id);
    const { errors } = await here.bookings.create({ resourceId: room.id, guest, ...SLOT });
    expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'SLOT_TAKEN' });
    expect(await sharedRooms(here)).toBe(0);
  });
});

/** The ways to occupy a room at the slot, each prepared before the race starts. */
const CONTENDERS: Record<
  string,
  (here: Space, resourceId: string) => Promise<() => Promise<Outcome>>
> = {
  'a booking by a guest':
    async ({ bookings }, resourceId) =>
    async () =>
      outcome(await bookings.create({ resourceId, guest, ...SLOT })),
  'a booking on a plan': async ({ app, bookings }, resourceId) => {
    const { id: memberId } = await makeMember(app);
    await app.ctx.db.plan.create({
      data: {
        name: `Plan of ${memberId}`,
        benefits: { create: { resourceType: 'room', includedHours: 5 } },
        memberships: { create: { memberId, startsOn: new Date('2026-01-01') } },
      },
    });
    return async () => outcome(await bookings.create({ resourceId, memberId, ...SLOT }));
  },
  'a booking that is named by a key':
    async ({ app, anyone }, resourceId) =>
    async () => {
      const { status, body } = await app.rest('/bookings', anyone, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': resourceId },
        body: JSON.stringify({
          resource_id: resourceId,
          guest,
          starts_at: SLOT.startsAt,
          ends_at: SLOT.endsAt,
        }),
      });
      if (status === 201) return { won: true };
      // REST gives the reason only as a message.
      const isTaken =
        status === 422 && /booked from|booking here|not free|Free times/.test(String(body.data));
      return {
        won: false,
        error: isTaken ? { code: 'CONFLICT', reason: 'SLOT_TAKEN' } : { status, ...body },
      };
    },
  'a series':
    async ({ bookings }, resourceId) =>
    async () =>
      outcome(await bookings.series({ resourceId, guest, ...SLOT, rule: 'FREQ=DAILY;COUNT=2' })),
  'a booking that is moved there': async ({ bookings }, resourceId) => {
    const slot = { resourceId, guest, ...march(20, '14:00', '16:00') };
    const { data } = await bookings.create(slot);
    return async () => outcome(await bookings.reschedule(data.createBooking.booking.id, SLOT));
  },
  'another event': async (here, resourceId) => {
    const { id } = await draft(here, resourceId);
    return () => publish(here, id);
  },
  'an event that is moved there': async (here, resourceId) => {
    const { id } = await draft(here, resourceId, {
      startsAt: new Date('2026-03-25T09:00:00Z'),
      endsAt: new Date('2026-03-25T10:00:00Z'),
    });
    await publish(here, id);
    return () => update(here, id, SLOT);
  },
};

/** A new room: an event is published in it while something else occupies it. */
async function meet(here: Space, contender: keyof typeof CONTENDERS): Promise<Outcome[]> {
  const room = await here.addRoom();
  const take = await CONTENDERS[contender]?.(here, room.id);
  const { id } = await draft(here, room.id);
  if (!take) throw new Error(`no contender ${contender}`);
  return Promise.all([publish(here, id), take()]);
}

describe.each(Object.keys(CONTENDERS))(
  'when an event is published at the same time as %s',
  (contender) => {
    it('one gets the room, and the other gets a conflict', async () => {
      const here = await openSpaceOfTest();
      here.app.clock.now = NOW;
      for (let round = 0; round < ROUNDS; round += 1) {
        const outcomes = await meet(here, contender);
        const lost = outcomes.filter(({ won }) => !won);
        expect(lost).toHaveLength(1);
        expect(lost[0]?.error).toMatchObject({
          code: 'CONFLICT',
          reason: expect.stringMatching(/^(SLOT_TAKEN|SERIES_CONFLICTS)$/),
        });
      }
      expect(await sharedRooms(here)).toBe(0);
    });
  },
);

if (serverUrl) {
  const COMING_LATER = Object.keys(CONTENDERS);

  describe.each(COMING_LATER)('while an event is being published, %s', (contender) => {
    it('waits for it and is then rejected', async () => {
      const here = await openSpaceOfTest();
      const room = await here.addRoom();
      const take = await CONTENDERS[contender]?.(here, room.id);
      const { id } = await draft(here, room.id);
      if (!take) throw new Error(`no contender ${contender}`);
      const rejected = await runDuringTransaction(
        here.app.database.pool,
        [`UPDATE events SET status = 'published' WHERE id = '${id}'`],
        take,
      );
      expect(rejected).toMatchObject({ won: false, error: { code: 'CONFLICT' } });
      expect(rejected.message ?? '').not.toContain('at this very moment');
      expect(await sharedRooms(here)).toBe(0);
    });
  });

  describe('while a room is being booked', () => {
    it('publishing waits for it and then names the booking', async () => {
      const here = await openSpaceOfTest();
      const room = await here.addRoom();
      const { id } = await draft(here, room.id);
      const insert = `INSERT INTO bookings (id, resource_id, location_id, guest_name, starts_at, ends_at, occupied_until)
        VALUES (gen_random_uuid(), '${room.id}', '${here.location.id}', 'Greta Guest',
          '${SLOT.startsAt}', '${SLOT.endsAt}', '${SLOT.endsAt}')`;
      const rejected = await runDuringTransaction(here.app.database.pool, [insert], () =>
        publish(here, id),
      );
      expect(rejected.error).toMatchObject({
        code: 'CONFLICT',
        reason: 'SLOT_TAKEN',
        collisions: [{ holder: 'Greta Guest' }],
      });
    });
  });

  describe('without the triggers', () => {
    it('an event and a booking get the same room', async () => {
      const here = await openSpaceOfTest();
      const { pool } = here.app.database;
      await pool.query('ALTER TABLE bookings DISABLE TRIGGER bookings_reject_event_overlap');
      await pool.query('ALTER TABLE events DISABLE TRIGGER events_reject_booking_overlap');
      // Two transactions overlap only by chance, so one of many rounds must show it.
      let both = 0;
      for (let round = 0; round < CONTROL_ROUNDS && both === 0; round += 1) {
        const outcomes = await meet(here, 'a booking by a guest');
        if (outcomes.every(({ won }) => won)) both += 1;
      }
      expect(both).toBe(1);
      expect(await sharedRooms(here)).toBe(1);
    });
  });
}
