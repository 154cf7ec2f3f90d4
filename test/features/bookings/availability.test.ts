import { v7 } from 'uuid';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;
let reader: { token: string };

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await signInFrontDesk(app));
  reader = { token: await app.token('spaces:read') };
});
beforeEach(() => {
  app.clock.now = NOW; // half past ten on Wednesday, 18 March 2026, in Berlin
});
afterAll(() => app.stop());

const guest = { name: 'Greta Guest' };
const THURSDAY = { from: '2026-03-19T00:00:00+01:00', to: '2026-03-20T00:00:00+01:00' };

interface AvailabilityArgs {
  from: string;
  to: string;
  minutes?: number;
  resourceId?: string;
  locationId?: string;
  memberId?: string;
  [more: string]: unknown;
}

const send = (args: AvailabilityArgs, as = reader as object) =>
  app.graphql(
    `query ($from: DateTime, $to: DateTime, $minutes: Int, $resourceId: ID, $locationId: ID, $memberId: ID,
        $type: ResourceType, $capacity: Int, $amenities: [String!]) {
      availability(from: $from, to: $to, minutes: $minutes, resourceId: $resourceId, locationId: $locationId,
        memberId: $memberId, type: $type, capacity: $capacity, amenities: $amenities) {
        resource { id name } free { startsAt endsAt } slots { startsAt endsAt localStart price { amount } } } }`,
    args,
    as,
  );

/** The starts in Berlin's time from both APIs, which must be equal. */
async function listStarts(resourceId: string, span: { from: string; to: string }, minutes: number) {
  const { data } = await send({ resourceId, minutes, ...span });
  const slots: { startsAt: string; endsAt: string; localStart: string; price: object }[] =
    data.availability[0].slots;
  const query = new URLSearchParams({ ...span, minutes: String(minutes) });
  const { body } = await app.rest(`/resources/${resourceId}/availability?${query}`, reader);
  expect((body.data as { slots: object[] }).slots).toEqual(
    slots.map(({ startsAt, endsAt, price }) => ({
      starts_at: startsAt,
      ends_at: endsAt,
      price: { ...price, currency: 'EUR' },
    })),
  );
  return slots.map(({ localStart }) => localStart.slice(11, 16));
}

describe('availability', () => {
  it('lists every start within opening hours', async () => {
    const { room } = await makeSpace(app, { gridMinutes: 60 });
    expect(await listStarts(room.id, THURSDAY, 120)).toEqual([
      '09:00',
      '10:00',
      '11:00',
      '12:00',
      '13:00',
      '14:00',
      '15:00',
      '16:00',
    ]);
  });

  it('omits booked slots and their buffers', async () => {
    const { room } = await makeSpace(app, { gridMinutes: 30, bufferMinutes: 30 });
    await staff.create({ resourceId: room.id, guest, ...march(19, '11:00', '14:00') });
    expect(await listStarts(room.id, THURSDAY, 60)).toEqual([
      '09:00',
      '09:30',
      '14:30',
      '15:00',
      '15:30',
      '16:00',
      '16:30',
      '17:00',
    ]);
  });

  it('lists slots of cancelled bookings', async () => {
    const { room } = await makeSpace(app, { gridMinutes: 60 });
    const { data } = await staff.create({
      resourceId: room.id,
      guest,
      ...march(19, '09:00', '17:00'),
    });
    expect(await listStarts(room.id, THURSDAY, 60)).toEqual(['17:00']);
    await staff.cancel(data.createBooking.booking.id);
    expect(await listStarts(room.id, THURSDAY, 60)).toHaveLength(9);
  });

  it('omits slots that are past, too soon or too far ahead', async () => {
    const { room } = await makeSpace(app, {
      gridMinutes: 60,
      noticeMinutes: 90,
      daysAhead: 1,
    });
    const week = { from: '2026-03-16T00:00:00+01:00', to: '2026-03-23T00:00:00+01:00' };
    expect(await listStarts(room.id, week, 60)).toEqual([
      ...['12:00', '13:00', '14:00', '15:00', '16:00', '17:00'],
      ...['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00', '17:00'],
    ]);
  });

  it('omits closures and days without opening hours', async () => {
    const { room, location } = await makeSpace(app, { gridMinutes: 60 });
    const day = new Date('2026-03-20');
    await app.ctx.db.closure.create({
      data: { locationId: location.id, startsOn: day, endsOn: day },
    });
    const days = { from: '2026-03-20T00:00:00+01:00', to: '2026-03-23T00:00:00+01:00' };
    expect(await listStarts(room.id, days, 60)).toEqual([]);
  });

  it('lists nothing for an inactive resource', async () => {
    const { addRoom } = await makeSpace(app);
    const idle = await addRoom({ active: false });
    expect((await send({ resourceId: idle.id, ...THURSDAY })).data.availability).toEqual([]);
  });

  it('returns free ranges', async () => {
    const { room } = await makeSpace(app);
    await staff.create({ resourceId: room.id, guest, ...march(19, '11:00', '14:00') });
    const { data } = await send({ resourceId: room.id, ...THURSDAY });
    expect(data.availability[0].free).toEqual([
      { startsAt: '2026-03-19T08:00:00.000Z', endsAt: '2026-03-19T10:00:00.000Z' },
      { startsAt: '2026-03-19T13:00:00.000Z', endsAt: '2026-03-19T17:00:00.000Z' },
    ]);
  });

  it('filters many resources at once', async () => {
    const { location, room, addRoom } = await makeSpace(app, { name: 'B' });
    const big = await addRoom({ name: 'A', capacity: 12, amenities: ['screen', 'stage'] });
    const desk = await addRoom({ name: 'C', type: 'desk' });
    const toIds = async (filter: object) =>
      (await send({ locationId: location.id, ...THURSDAY, ...filter })).data.availability.map(
        ({ resource }: { resource: { id: string } }) => resource.id,
      );
    expect(await toIds({})).toEqual([big.id, room.id, desk.id]);
    expect(await toIds({ type: 'DESK' })).toEqual([desk.id]);
    expect(await toIds({ capacity: 5 })).toEqual([big.id]);
    expect(await toIds({ amenities: ['stage'] })).toEqual([big.id]);
    expect(await toIds({ amenities: ['stage', 'sauna'] })).toEqual([]);
  });

  it('quotes prices by the plan of the caller or the requested member', async () => {
    const { room } = await makeSpace(app, { gridMinutes: 60 });
    const member = await makeMember(app);
    const plan = await app.ctx.db.plan.create({
      data: {
        name: `Plan ${v7()}`,
        benefits: { create: [{ resourceType: 'room', discountPercent: 50 }] },
      },
    });
    await app.ctx.db.membership.create({
      data: { planId: plan.id, memberId: member.id, startsOn: new Date('2026-01-01') },
    });
    const getPrice = async (as: object, more: object = {}) =>
      (await send({ resourceId: room.id, minutes: 60, ...THURSDAY, ...more }, as)).data
        ?.availability[0].slots[0].price.amount;
    expect(await getPrice(reader)).toBe(2_000);
    expect(await getPrice(await member.signedIn())).toBe(1_000);
    const both = { token: await app.token('spaces:read', 'members:read') };
    expect(await getPrice(both, { memberId: member.id })).toBe(1_000);
    expect((await send({ resourceId: room.id, memberId: member.id, ...THURSDAY })).codes).toEqual([
      'NOT_FOUND',
    ]);
  });

  it.each([
    ['an end before the start', { from: THURSDAY.to, to: THURSDAY.from }],
    ['more than a month', { from: THURSDAY.from, to: '2026-05-19T00:00:00Z' }],
    ['no minutes', { ...THURSDAY, minutes: 0 }],
  ])('rejects %s', async (_, span) => {
    const { room } = await makeSpace(app);
    expect((await send({ resourceId: room.id, ...span })).codes).toEqual(['BAD_REQUEST']);
    const query = new URLSearchParams(
      Object.entries(span).map(([key, value]) => [key, String(value)]),
    );
    expect((await app.rest(`/resources/${room.id}/availability?${query}`, reader)).status).toBe(
      400,
    );
  });

  it('covers the coming week by default', async () => {
    const { room } = await makeSpace(app, {
      gridMinutes: 60,
      minMinutes: 480,
      maxMinutes: 480,
    });
    const { body } = await app.rest(`/resources/${room.id}/availability`, reader);
    const { slots } = body.data as { slots: { starts_at: string }[] };
    // Nine or ten o'clock on four working days and half of a fifth; today has too little time left.
    expect(slots.map(({ starts_at }) => starts_at)).toEqual(
      ['19', '20', '23', '24'].flatMap((day) => [
        `2026-03-${day}T08:00:00.000Z`,
        `2026-03-${day}T09:00:00.000Z`,
      ]),
    );
  });

  it('rejects periods with too many slots', async () => {
    const { location, addRoom } = await makeSpace(app, { gridMinutes: 1, minMinutes: 1 });
    await app.ctx.db.openingHours.deleteMany({ where: { locationId: location.id } });
    await addRoom();
    const month = { from: '2026-03-19T00:00:00Z', to: '2026-04-18T00:00:00Z' };
    const { codes, errors } = await send({ locationId: location.id, ...month });
    expect(codes).toEqual(['BAD_REQUEST']);
    expect(errors[0]?.message).toMatch(/fewer days or resources/);
  });

  it('returns 404 for an unknown resource', async () => {
    const query = new URLSearchParams({ ...THURSDAY, minutes: '60' });
    for (const id of [v7(), 'no-id']) {
      expect((await app.rest(`/resources/${id}/availability?${query}`, reader)).status).toBe(404);
    }
  });
});

describe('a period without slots says why, and when the next one is', () => {
  const explain = async (resourceId: string, span: { from: string; to: string }, minutes = 60) => {
    const { data } = await app.graphql(
      `query ($ids: [ID!], $from: DateTime, $to: DateTime, $minutes: Int) {
        availability(resourceIds: $ids, from: $from, to: $to, minutes: $minutes) {
          resource { id } slots { startsAt } emptyReason nextFreeOn } }`,
      // Of two resources, none is asked for a length that it never has.
      { ids: [resourceId, (await makeSpace(app)).room.id], minutes, ...span },
      reader,
    );
    const found = data.availability.find(
      ({ resource }: { resource: { id: string } }) => resource.id === resourceId,
    );
    return [found.slots.length > 0, found.emptyReason, found.nextFreeOn];
  };
  const day = (date: number) => ({
    from: `2026-03-${date}T00:00:00+01:00`,
    to: `2026-03-${date + 1}T00:00:00+01:00`,
  });

  it('names each reason', async () => {
    const { room } = await makeSpace(app, { gridMinutes: 60, minMinutes: 60, daysAhead: 30 });
    const book = (from: string, to: string) =>
      staff.create({ resourceId: room.id, ...march(19, from, to), guest });
    expect(await explain(room.id, THURSDAY)).toEqual([true, null, null]);
    expect(await explain(room.id, day(22))).toEqual([false, 'CLOSED', '2026-03-23']);
    expect(await explain(room.id, day(16))).toEqual([false, 'TOO_LATE', '2026-03-18']);
    expect(await explain(room.id, day(20), 45)).toEqual([false, 'LENGTH_NOT_OFFERED', null]);
    const may = { from: '2026-05-04T00:00:00+02:00', to: '2026-05-05T00:00:00+02:00' };
    expect(await explain(room.id, may)).toEqual([false, 'TOO_EARLY', null]);
    await book('10:00', '18:00');
    expect(await explain(room.id, THURSDAY, 120)).toEqual([false, 'TOO_SHORT', '2026-03-20']);
    await book('09:00', '10:00');
    expect(await explain(room.id, THURSDAY)).toEqual([false, 'BOOKED_OUT', '2026-03-20']);
    // Days that cannot be booked yet change no reason: neither that Friday is free, nor that Monday is open.
    const lookAhead = (daysAhead: number) =>
      app.ctx.db.resource.update({ where: { id: room.id }, data: { daysAhead } });
    await lookAhead(1);
    const twoDays = { ...THURSDAY, to: '2026-03-21T00:00:00+01:00' };
    expect(await explain(room.id, twoDays)).toEqual([false, 'BOOKED_OUT', null]);
    await lookAhead(4);
    expect(await explain(room.id, { ...day(22), to: day(23).to })).toEqual([false, 'CLOSED', null]);
  });

  it('names the notice on a day that is almost over, and the shorter length that still fits', async () => {
    const { room } = await makeSpace(app, {
      gridMinutes: 60,
      minMinutes: 60,
      noticeMinutes: 120,
    });
    const today = day(18);
    app.clock.now = new Date('2026-03-18T14:30:00Z');
    expect(await explain(room.id, today, 120)).toEqual([false, 'TOO_LATE', '2026-03-19']);
    const noNotice = { where: { id: room.id }, data: { noticeMinutes: 0 } };
    await app.ctx.db.resource.update(noNotice);
    expect(await explain(room.id, today, 120)).toEqual([true, null, null]);
    app.clock.now = new Date('2026-03-18T15:30:00Z');
    expect(await explain(room.id, today, 120)).toEqual([false, 'TOO_SHORT', '2026-03-19']);
    app.clock.now = new Date('2026-03-18T18:30:00Z'); // closed since 18:00
    expect(await explain(room.id, today)).toEqual([false, 'TOO_LATE', '2026-03-19']);
  });

  it('names an inactive resource and member before what time could change', async () => {
    const { room } = await makeSpace(app);
    const explainInRest = async (as: { token: string }) => {
      const query = new URLSearchParams(day(22));
      const { body } = await app.rest(`/resources/${room.id}/availability?${query}`, as);
      return (body.data as { empty_reason: string }).empty_reason;
    };
    expect(await explainInRest(reader)).toBe('closed');
    await app.ctx.db.resource.update({ where: { id: room.id }, data: { active: false } });
    expect(await explainInRest(reader)).toBe('inactive');
    await app.ctx.db.resource.update({ where: { id: room.id }, data: { active: true } });
    const { id: memberId } = await makeMember(app, { status: 'paused' });
    const { data } = await app.graphql(
      `query ($id: ID!, $memberId: ID!, $from: DateTime, $to: DateTime) {
        availability(resourceId: $id, memberId: $memberId, from: $from, to: $to) { emptyReason } }`,
      { id: room.id, memberId, ...day(22) },
      { token: await app.token('spaces:read', 'members:read', 'bookings:read') },
    );
    expect(data.availability).toEqual([{ emptyReason: 'NOT_ALLOWED' }]);
  });

  it('counts only the starts that it visits, so that many resources have a next day', async () => {
    const { location, addRoom } = await makeSpace(app, { gridMinutes: 1, minMinutes: 1 });
    for (let count = 0; count < 7; count += 1) await addRoom({ gridMinutes: 1, minMinutes: 1 });
    const { data } = await app.graphql(
      `query ($id: ID, $from: DateTime, $to: DateTime) {
        availability(locationId: $id, from: $from, to: $to) { emptyReason nextFreeOn } }`,
      { id: location.id, ...day(22) },
      reader,
    );
    const monday = { emptyReason: 'CLOSED', nextFreeOn: '2026-03-23' };
    expect(data.availability).toEqual(Array(8).fill(monday));
  });

  it('visits the starts of a month that is booked out once', async () => {
    const { db } = app.ctx;
    const { location, addRoom } = await makeSpace(app, { gridMinutes: 1, minMinutes: 1 });
    for (let count = 0; count < 3; count += 1) await addRoom();
    await db.openingHours.deleteMany({ where: { locationId: location.id } });
    const month = { from: '2026-03-19T00:00:00+01:00', to: '2026-04-19T00:00:00+02:00' };
    const startsAt = new Date(month.from);
    const endsAt = new Date('2026-04-20T00:00:00+02:00');
    const rooms = await db.resource.findMany({ where: { locationId: location.id } });
    await db.booking.createMany({
      data: rooms.map(({ id }) => ({
        resourceId: id,
        locationId: location.id,
        guestName: 'Gisa Guest',
        startsAt,
        endsAt,
        occupiedUntil: endsAt,
      })),
    });
    const { data } = await app.graphql(
      `query ($id: ID, $from: DateTime, $to: DateTime) {
        availability(locationId: $id, from: $from, to: $to) { emptyReason } }`,
      { id: location.id, ...month },
      reader,
    );
    // 44,580 starts for each: twice as many would be too many.
    expect(data.availability).toEqual(Array(4).fill({ emptyReason: 'BOOKED_OUT' }));
  });
});
