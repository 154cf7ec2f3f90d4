import { findBookingsOutsideHours } from '../../../src/features/closures/bookings-outside-hours.ts';
import { createStaffUser } from '../../support/factories/people.ts';
import { bookingCalls, makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

it('are counted and listed with a closed day, and when clocks change', async () => {
  const manager = { cookie: await (await createStaffUser(app)).session() };
  const { location, addRoom } = await makeSpace(app);
  const bookings: Record<string, string> = {};
  const spans = {
    over: ['2026-03-16T09:00:00+01:00', '2026-03-16T23:00:00+01:00'],
    onMonday: ['2026-03-23T09:00:00+01:00', '2026-03-23T10:00:00+01:00'],
    cancelled: ['2026-03-24T09:00:00+01:00', '2026-03-24T10:00:00+01:00'],
    onClosedTuesday: ['2026-03-24T12:00:00+01:00', '2026-03-24T13:00:00+01:00'],
    // A closure does not count.
    inClosure: ['2026-03-26T12:00:00+01:00', '2026-03-26T13:00:00+01:00'],
    // Clocks skip the hour from 02:00 on this Sunday: 09:00 is an hour earlier in UTC than the week before.
    early: ['2026-03-29T08:30:00+02:00', '2026-03-29T09:30:00+02:00'],
    exact: ['2026-03-29T09:00:00+02:00', '2026-03-29T17:00:00+02:00'],
    overMidnight: ['2026-04-02T23:00:00+02:00', '2026-04-03T01:00:00+02:00'],
    late: ['2026-04-05T16:00:00+02:00', '2026-04-05T17:30:00+02:00'],
  };
  const noon = app.clock.now;
  app.clock.now = new Date('2026-03-15T12:00:00Z');
  for (const [name, [startsAt = '', endsAt = '']] of Object.entries(spans)) {
    const resourceId = (await addRoom()).id;
    const { data, errors } = await bookingCalls(app, manager).create({
      ...{ resourceId, startsAt, endsAt, override: true, guest: { name } },
    });
    expect(errors).toEqual([]);
    bookings[name] = data.createBooking.booking.id;
  }
  app.clock.now = noon;
  await bookingCalls(app, manager).cancel(bookings.cancelled ?? '');
  const day = new Date('2026-03-26');
  await app.ctx.db.closure.create({
    data: { locationId: location.id, startsOn: day, endsOn: day },
  });
  // It is always open at first.
  await app.ctx.db.openingHours.deleteMany({ where: { locationId: location.id } });
  let alreadyOutside = 0;
  const find = async (hours: object[]) => {
    const { data, errors } = await app.graphql(
      `query ($locationId: ID!, $hours: [OpeningHoursInput!]!) {
        bookingsOutsideOpeningHours(locationId: $locationId, hours: $hours) { count alreadyOutsideCount firstBookings { guest { name } } } }`,
      { locationId: location.id, hours },
      manager,
    );
    if (errors[0]) return errors[0].extensions.reason;
    const { count, alreadyOutsideCount, firstBookings } = data.bookingsOutsideOpeningHours;
    alreadyOutside = alreadyOutsideCount;
    expect(firstBookings).toHaveLength(count);
    return firstBookings.map(({ guest }: { guest: { name: string } }) => guest.name);
  };
  const at = (weekday: string, opens: string, closes: string) => ({ weekday, opens, closes });
  const days = ['MONDAY', 'WEDNESDAY', 'SUNDAY'].map((name) => at(name, '09:00', '17:00'));
  const thursday = [at('THURSDAY', '12:00', '24:00'), at('FRIDAY', '00:00', '01:00')];
  expect(await find([...days, ...thursday])).toEqual(['onClosedTuesday', 'early', 'late']);
  expect(await find([...days, at('THURSDAY', '12:00', '24:00')])).toContain('overMidnight');
  expect(alreadyOutside).toBe(0);
  expect(await find([])).toEqual([]);
  // What is outside the present hours is not moved out by a change, and is only counted.
  const present = { weekday: 7, opensMinute: 9 * 60, closesMinute: 17 * 60 };
  await app.ctx.db.openingHours.create({ data: { ...present, locationId: location.id } });
  expect(await find([at('SUNDAY', '10:00', '18:00')])).toEqual(['exact']);
  expect(alreadyOutside).toBe(Object.keys(spans).length - 4);
  expect(await find([at('MONDAY', '10:00', '09:00')])).toBe('CLOSES_BEFORE_OPENS');
});

it('are counted over several pages, also where bookings of several rooms start together', async () => {
  const { location, room, addRoom } = await makeSpace(app);
  const rooms = [room.id, (await addRoom()).id, (await addRoom()).id];
  const [DAYS, HOURS] = [17, 24];
  // Each hour of each day, from midnight in Berlin.
  await app.ctx.db.$executeRaw`
    INSERT INTO bookings (id, resource_id, location_id, guest_name, starts_at, ends_at, occupied_until)
    SELECT gen_random_uuid(), room, ${location.id}::uuid, 'Zoe', start, start + interval '1 hour', start + interval '1 hour'
    FROM unnest(${rooms}::uuid[]) room,
      generate_series('2026-03-31T22:00:00Z'::timestamptz, '2026-04-17T21:00:00Z', interval '1 hour') start`;
  const locationId = location.id;
  expect(await app.ctx.db.booking.count({ where: { locationId } })).toBe(DAYS * HOURS * 3);
  const toWeek = (opensMinute: number) =>
    ([1, 2, 3, 4, 5, 6, 7] as const).map((weekday) => ({
      weekday,
      opensMinute,
      closesMinute: 17 * 60,
    }));
  await app.ctx.db.openingHours.deleteMany({ where: { locationId } });
  await app.ctx.db.openingHours.createMany({
    data: toWeek(9 * 60).map((hours) => ({ locationId, ...hours })),
  });
  const found = await findBookingsOutsideHours(app.ctx, { locationId, hours: toWeek(10 * 60) });
  // From nine to ten, and outside of the eight hours of each day.
  expect(found).toMatchObject({ count: DAYS * 3, alreadyOutsideCount: DAYS * (HOURS - 8) * 3 });
  expect(found.firstIds).toHaveLength(20);
});

it('include one that has begun, or begins now, and none that ends now', async () => {
  const { location, addRoom } = await makeSpace(app);
  const now = app.clock.now.getTime();
  const toTime = (hours: number) => new Date(now + hours * 3_600_000);
  const add = async (from: number, to: number) => {
    const { id } = await app.ctx.db.booking.create({
      data: {
        resourceId: (await addRoom()).id,
        locationId: location.id,
        guestName: 'Zoe',
        startsAt: toTime(from),
        endsAt: toTime(to),
        occupiedUntil: toTime(to),
        status: to < from + 2 ? 'confirmed' : 'cancelled',
      },
    });
    return id;
  };
  const ids = [];
  for (const [from, to] of [
    [-1.5, -1],
    [-1, 0],
    [-0.5, 1],
    [-0.25, 3],
  ] as const)
    ids.push(await add(from, to));
  const find = () =>
    findBookingsOutsideHours(app.ctx, {
      locationId: location.id,
      hours: [{ weekday: 7, opensMinute: 0, closesMinute: 60 }],
    });
  expect((await find()).firstIds).toEqual([ids[2]]);
  await app.ctx.db.booking.deleteMany({ where: { id: ids[2] ?? '' } });
  const begins = await add(0, 1);
  expect(await find()).toMatchObject({ count: 1, firstIds: [begins] });
});
