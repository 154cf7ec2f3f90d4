import { v7 } from 'uuid';
import { formatLongTimeRange } from '../../../src/core/time/format.ts';
import { makeMember } from '../../support/factories/people.ts';
import { bookingCalls } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

// What two hours, a day, a month and an opening time mean where clocks change.

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;
let token: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  token = await app.token('*');
  staff = bookingCalls(app, { token });
});
beforeEach(() => {
  app.clock.now = new Date('2027-01-15T12:00:00Z');
});
afterAll(() => app.stop());

interface Place {
  zone: string;
  interval: number;
  hours?: [number, number];
}

/** A room for 60 an hour that can be booked at any hour of the next year. */
async function makeRoom({ zone, interval, hours }: Place) {
  const { db } = app.ctx;
  const location = await db.location.create({
    data: { slug: `house-${v7()}`, name: 'House', timeZone: zone },
  });
  for (const weekday of hours ? [1, 2, 3, 4, 5, 6, 7] : []) {
    const [opensMinute, closesMinute] = hours as [number, number];
    await db.openingHours.create({
      data: { locationId: location.id, weekday, opensMinute, closesMinute },
    });
  }
  return db.resource.create({
    data: {
      locationId: location.id,
      slug: `room-${v7()}`,
      name: 'Room',
      type: 'room',
      hourlyAmount: 6_000,
      gridMinutes: interval,
      minMinutes: interval,
      maxMinutes: 7 * 1_440,
      daysAhead: 400,
    },
  });
}

/** A member whose plan includes ten hours of rooms a month and allows no more. */
async function makePlanMember() {
  const member = await makeMember(app);
  const benefit = { resourceType: 'room', includedHours: 10, limitHours: 10 } as const;
  const { db } = app.ctx;
  const plan = await db.plan.create({ data: { name: v7(), benefits: { create: benefit } } });
  const startsOn = new Date('2027-01-01');
  const { id } = await db.membership.create({
    data: { planId: plan.id, memberId: member.id, startsOn },
  });
  const getUsage = async (month: string) => {
    const { data } = await app.graphql(
      `query ($id: ID!, $month: Date!) { node(id: $id) { ... on Membership { usage(month: $month) { bookedMinutes includedMinutes } } } }`,
      { id, month },
      { token },
    );
    return data.node.usage[0];
  };
  return { memberId: member.id, getUsage };
}

const findSlots = async (resourceId: string, from: string, to: string, minutes: number) => {
  const { data, errors } = await app.graphql(
    `query ($id: ID, $from: DateTime!, $to: DateTime!, $minutes: Int) {
      availability(resourceId: $id, from: $from, to: $to, minutes: $minutes) {
        slots { startsAt endsAt price { amount } } free { startsAt endsAt } } }`,
    { id: resourceId, from, to, minutes },
    { token },
  );
  return { ...data?.availability?.[0], errors } as {
    slots: { startsAt: string; endsAt: string; price: { amount: number } }[];
    free: { startsAt: string; endsAt: string }[];
    errors: { extensions: { reason: string } }[];
  };
};

describe('hours across a clock change', () => {
  it.each([15, 60, 120, 240])(
    'are elapsed hours with an interval of %i minutes',
    async (interval) => {
      const room = await makeRoom({ zone: 'Europe/Berlin', interval });
      const { memberId, getUsage } = await makePlanMember();
      for (const [startsAt, endsAt, month] of [
        ['2027-03-27T23:00:00Z', '2027-03-28T03:00:00Z', '2027-03-01'],
        ['2027-10-30T22:00:00Z', '2027-10-31T02:00:00Z', '2027-10-01'],
      ] as const) {
        const { data } = await staff.create({ resourceId: room.id, memberId, startsAt, endsAt });
        expect(data.createBooking.booking.price.amount).toBe(0);
        expect(await getUsage(month)).toEqual({ bookedMinutes: 240, includedMinutes: 240 });
      }
    },
  );

  it('are booked as the preview says, even if the local times run backwards', async () => {
    const room = await makeRoom({ zone: 'Europe/Berlin', interval: 120 });
    const { memberId } = await makePlanMember();
    const times = { startsAt: '2027-10-31T00:30:00Z', endsAt: '2027-10-31T01:15:00Z' };
    const input = { resourceId: room.id, memberId, ...times, override: true };
    const { data } = await staff.preview(input);
    expect(data.previewBooking).toMatchObject({
      allowed: true,
      lines: [{ kind: 'ALLOWANCE', minutes: 45 }],
    });
    expect((await staff.create(input)).errors).toEqual([]);
  });
});

describe('days across a clock change', () => {
  // The first day begins an hour late in all but Berlin, where clocks change in the night.
  it.each([
    ['Africa/Cairo', '2027-04-29', 23],
    ['Asia/Beirut', '2027-03-27', 23],
    ['America/Havana', '2027-03-13', 23],
    ['America/Santiago', '2027-09-04', 23],
    ['Africa/Cairo', '2027-10-27', 25],
    ['America/Havana', '2027-11-06', 25],
    ['Europe/Berlin', '2027-03-27', 23],
    ['Europe/Berlin', '2027-10-30', 25],
  ])('count 24 hours each: %s, after %s (%i hours)', async (zone, before, hours) => {
    const room = await makeRoom({ zone, interval: 1_440 });
    const from = new Date(`${before}T12:00:00Z`).toISOString();
    const to = new Date(Date.parse(from) + 4 * 86_400_000).toISOString();
    const { slots } = await findSlots(room.id, from, to, 1_440);
    expect(slots).toHaveLength(3);
    const lengths = slots.map(({ startsAt, endsAt }) => Date.parse(endsAt) - Date.parse(startsAt));
    expect(lengths.map((length) => length / 3_600_000).toSorted()).toEqual(
      [24, 24, hours].toSorted(),
    );
    const { memberId, getUsage } = await makePlanMember();
    for (const { startsAt, endsAt, price } of slots) {
      expect(price.amount).toBe(24 * 6_000);
      const input = { resourceId: room.id, memberId, startsAt, endsAt, override: true };
      const { errors, data } = await staff.create(input);
      expect(errors).toEqual([]);
      await staff.cancel(data.createBooking.booking.id);
    }
    const [first] = slots;
    const input = { resourceId: room.id, memberId, override: true };
    await staff.create({
      ...input,
      startsAt: first?.startsAt ?? '',
      endsAt: slots[1]?.endsAt ?? '',
    });
    const month = `${before.slice(0, 7)}-01`;
    const counted = { bookedMinutes: 2 * 1_440, includedMinutes: 600 };
    expect([await getUsage(month), await getUsage(nextMonth(month))]).toContainEqual(counted);
  });

  it('can be a whole week, in which opening hours still count', async () => {
    const room = await makeRoom({ zone: 'Europe/Berlin', interval: 1_440, hours: [540, 1_080] });
    const guest = { name: 'Gisa Guest' };
    const times = { startsAt: '2027-10-26T22:00:00Z', endsAt: '2027-11-02T23:00:00Z' };
    const { data } = await staff.preview({ resourceId: room.id, guest, ...times });
    expect(data.previewBooking.reasons).toMatchObject([{ reason: 'OUTSIDE_OPENING_HOURS' }]);
  });
});

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}

describe('messages', () => {
  it.each([
    [
      '2027-10-31T00:30Z',
      '2027-10-31T01:00Z',
      'Sunday, 31 October 2027, 02:30 (UTC+2) to 02:00 (UTC+1)',
    ],
    ['2027-10-31T01:30Z', '2027-10-31T02:00Z', 'Sunday, 31 October 2027, 02:30 (UTC+1) to 03:00'],
    ['2027-10-30T22:00Z', '2027-10-30T23:00Z', 'Sunday, 31 October 2027, 00:00 to 01:00'],
    ['2027-10-31T21:00Z', '2027-10-31T23:00Z', 'Sunday, 31 October 2027, 22:00 to 24:00'],
    [
      '2027-10-30T20:00Z',
      '2027-10-31T00:00Z',
      'Saturday, 30 October 2027, 22:00 to Sunday, 31 October 2027, 02:00 (UTC+2)',
    ],
  ])('say which of two equal times they mean: %s to %s', (from, to, text) => {
    expect(formatLongTimeRange(Date.parse(from), Date.parse(to), 'Europe/Berlin')).toBe(
      `${text} (Berlin time)`,
    );
  });
});

describe('opening hours', () => {
  it('open at the first and close at the second of two equal times', async () => {
    const room = await makeRoom({ zone: 'Europe/Berlin', interval: 30, hours: [0, 150] });
    const [from, to] = ['2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'];
    const { free } = await findSlots(room.id, from, to, 30);
    expect(free).toMatchObject([
      { startsAt: '2027-10-30T22:00:00.000Z', endsAt: '2027-10-31T01:30:00.000Z' },
    ]);
    const guest = { name: 'Gisa Guest' };
    const second = { startsAt: '2027-10-31T01:00:00Z', endsAt: '2027-10-31T01:30:00Z' };
    expect((await staff.create({ resourceId: room.id, guest, ...second })).errors).toEqual([]);
  });
});

describe('a resource that is booked by the day', () => {
  it.each([
    ['spring', '2027-03-27T23:00:00Z', '2027-03-29T23:00:00Z'],
    ['autumn', '2027-10-30T22:00:00Z', '2027-11-01T22:00:00Z'],
  ])(
    'rejects 48 hours that do not end at midnight, because clocks change in %s',
    async (_, startsAt, endsAt) => {
      const room = await makeRoom({ zone: 'Europe/Berlin', interval: 1_440 });
      const { data } = await staff.preview({
        resourceId: room.id,
        guest: { name: 'Gisa Guest' },
        startsAt,
        endsAt,
      });
      expect(data.previewBooking.reasons).toMatchObject([{ reason: 'NOT_ON_GRID' }]);
    },
  );
});

describe('availability of a month', () => {
  it('accepts October where it has 31 days and an hour, and no more', async () => {
    const room = await makeRoom({ zone: 'Europe/Berlin', interval: 60 });
    const from = '2027-09-30T22:00:00Z';
    expect((await findSlots(room.id, from, '2027-10-31T23:00:00Z', 60)).slots).toHaveLength(745);
    const { errors } = await findSlots(room.id, from, '2027-11-01T23:00:00Z', 60);
    expect(errors[0]?.extensions.reason).toBe('INVALID_INPUT');
  });

  it.each([
    ['31 days without a clock change', '2027-05-01T00:00:00+02:00', '2027-06-01T00:00:00+02:00'],
    ['31 days with an hour less', '2027-03-01T00:00:00+01:00', '2027-04-01T00:00:00+02:00'],
    ['31 days with an hour more', '2027-10-10T12:00:00+02:00', '2027-11-10T12:00:00+01:00'],
  ])('ends after %s', async (_, from, to) => {
    const room = await makeRoom({ zone: 'Europe/Berlin', interval: 60 });
    const request = async (end: string) => {
      const path = `/resources/${room.id}/availability?${new URLSearchParams({ from, to: end })}`;
      const { errors } = await findSlots(room.id, from, end, 60);
      return [errors[0]?.extensions.reason, (await app.rest(path, { token })).status];
    };
    expect(await request(to)).toEqual([undefined, 200]);
    const later = new Date(Date.parse(to) + 60_000).toISOString();
    expect(await request(later)).toEqual(['INVALID_INPUT', 400]);
  });

  it('may have as many hours as in one of the zones of the resources', async () => {
    const rooms = [
      await makeRoom({ zone: 'Asia/Tokyo', interval: 60 }),
      await makeRoom({ zone: 'Europe/Berlin', interval: 60 }),
    ];
    const request = (some: { id: string }[]) =>
      app.graphql(
        `query ($ids: [ID!]) { availability(resourceIds: $ids, from: "2027-09-30T22:00:00Z", to: "2027-10-31T23:00:00Z") {
          free { startsAt } } }`,
        { ids: some.map(({ id }) => id) },
        { token },
      );
    expect((await request(rooms)).errors).toEqual([]);
    expect((await request(rooms.slice(0, 1))).codes).toEqual(['BAD_REQUEST']);
  });
});
