import type { Temporal } from 'temporal-polyfill';
import { seedDemo } from '../../src/demo/seed.ts';
import {
  clearDemoSpace,
  createDisplayTokens,
  type DemoSpace,
  readDemoSpace,
  toDate,
  toLocalTime,
  withoutDates,
} from '../support/factories/demo-space.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import { propertyRuns } from '../support/harness/property-runs.ts';

const ORDINARY_DAY = '2026-06-10T09:00:00Z';
// `npm run test:nightly` tries all of them.
const days = [
  ['on an ordinary Wednesday', ORDINARY_DAY],
  ['in the night when clocks go forward', '2026-03-29T00:30:00Z'],
  ['in the night when clocks go back', '2026-10-25T01:30:00Z'],
  ['on a leap day', '2024-02-29T12:00:00Z'],
  ['when only Berlin has a new year', '2026-12-31T23:30:00Z'],
  ['when only Berlin has a new week', '2026-10-18T22:30:00Z'],
].slice(0, propertyRuns(2)) as [string, string][];

const secrets = { passwordHash: 'not-a-hash', displayTokens: createDisplayTokens(1, 2, 3, 4, 5) };

let database: TestDatabase;
let ordinarySpace: DemoSpace;

beforeAll(async () => {
  database = await openTestDatabase();
  ordinarySpace = await seedOn(ORDINARY_DAY);
});
afterAll(() => database.close());

async function seedOn(now: string): Promise<DemoSpace> {
  await seedDemo({ ...database.ctx, now: () => new Date(now) }, secrets);
  return readDemoSpace(database.ctx.db);
}

describe.each(days)('the demo space, seeded %s', (_, now) => {
  let space: DemoSpace;

  beforeAll(async () => {
    if (now === ORDINARY_DAY) {
      space = ordinarySpace;
    } else {
      await clearDemoSpace(database.ctx.db);
      space = await seedOn(now);
    }
  });

  it('is the same on any day except for its dates', () => {
    expect(withoutDates(space, now)).toEqual(withoutDates(ordinarySpace, ORDINARY_DAY));
  });

  it('has bookings within opening hours and the limits of resources, with correct prices', () => {
    for (const { resource, ...booking } of space.bookings) {
      const start = toLocalTime(booking.startsAt, resource.location.timeZone);
      const end = toLocalTime(booking.endsAt, resource.location.timeZone);
      const occupiedUntil = toLocalTime(booking.occupiedUntil, resource.location.timeZone);
      const minutes = start.until(end).total('minutes');

      const problems = {
        sunday: start.dayOfWeek === 7,
        early: start.toPlainTime().toString() < '09:00:00',
        late: end.toPlainTime().toString() > '18:00:00',
        overnight: !end.toPlainDate().equals(start.toPlainDate()),
        offGrid:
          (start.hour * 60 + start.minute) % resource.gridMinutes !== 0 ||
          minutes % resource.gridMinutes !== 0,
        short: minutes < resource.minMinutes,
        long: minutes > resource.maxMinutes,
        buffer: end.until(occupiedUntil).total('minutes') !== resource.bufferMinutes,
        price: booking.priceAmount !== Math.round((resource.hourlyAmount * minutes) / 60),
      };
      // One assertion each would take most of the time.
      if (Object.values(problems).includes(true)) expect({ booking, problems }).toBeNull();
    }
  });

  it('has no bookings while a location is closed', () => {
    const live = space.bookings.filter(({ status }) => status !== 'cancelled');
    for (const { resource, ...booking } of live) {
      const { id, timeZone } = resource.location;
      const start = toLocalTime(booking.startsAt, timeZone);
      const end = toLocalTime(booking.endsAt, timeZone);
      const toMinute = ({ hour, minute }: Temporal.ZonedDateTime) => hour * 60 + minute;
      const open = space.openingHours.filter(
        ({ locationId, weekday, opensMinute, closesMinute }) =>
          locationId === id &&
          weekday === start.dayOfWeek &&
          opensMinute <= toMinute(start) &&
          closesMinute >= toMinute(end),
      );
      if (open.length !== 1) expect({ start, open }).toBeNull();
      const day = start.toPlainDate().toString();
      const closed = space.closures.filter(
        ({ locationId, startsOn, endsOn }) =>
          locationId === id && toDate(startsOn) <= day && day <= toDate(endsOn),
      );
      if (closed.length > 0) expect({ start, closed }).toBeNull();
    }
  });

  it('closes one location for two days, three weeks from now or a little later', () => {
    const today = Date.parse(now.slice(0, 10));
    const inDays = space.closures.map(({ startsOn, endsOn }) =>
      [startsOn, endsOn].map((day) => (day.getTime() - today) / 86_400_000),
    );
    expect(inDays).toHaveLength(1);
    const [from = 0, to = 0] = inDays[0] ?? [];
    expect(from).toBeGreaterThanOrEqual(21);
    expect(from).toBeLessThanOrEqual(29);
    expect(to).toBe(from + 1);
  });

  it('starts no membership before its plan and member exist or in the future', () => {
    for (const { startsOn, endsOn, plan, member } of space.memberships) {
      const day = toDate(startsOn);
      expect(day <= now.slice(0, 10)).toBe(true);
      expect(day >= toDate(plan.createdAt)).toBe(true);
      expect(day >= toDate(member?.createdAt ?? plan.createdAt)).toBe(true);
      if (member?.status === 'former') expect(endsOn).not.toBeNull();
    }
  });

  it('has nobody in two places at once', () => {
    const live = space.bookings.filter(({ member, status }) => member && status !== 'cancelled');
    const clashes = pairs(live).filter(
      ([one, other]) => one.memberId === other.memberId && overlap(one, other),
    );
    expect(clashes).toEqual([]);
  });

  it('has no bookings of rooms during their events', () => {
    const live = space.bookings.filter(({ status }) => status !== 'cancelled');
    const clashes = space.events.flatMap((event) =>
      live.filter(
        ({ resourceId, startsAt, occupiedUntil }) =>
          resourceId === event.resourceId && overlap(event, { startsAt, endsAt: occupiedUntil }),
      ),
    );
    expect(clashes).toEqual([]);
  });

  it('has no future bookings of paused or former members or inactive resources', () => {
    const coming = space.bookings.filter(({ startsAt }) => startsAt > new Date(now));
    expect(coming.filter(({ member }) => member && member.status !== 'active')).toEqual([]);
    expect(space.bookings.filter(({ resource }) => !resource.active)).toEqual([]);
  });

  it('has no records of the future', () => {
    const { bookings, members, events, displays, announcements, checkIns } = space;
    const recorded = [
      ...bookings,
      ...members,
      ...events,
      ...displays,
      ...announcements,
      ...checkIns,
    ];
    expect(recorded.filter(({ createdAt }) => createdAt > new Date(now))).toEqual([]);
    expect(
      bookings.filter(
        ({ createdAt, cancelledAt, startsAt, member, status }) =>
          (status === 'cancelled') !== (cancelledAt !== null) ||
          (cancelledAt && (cancelledAt > new Date(now) || cancelledAt < createdAt)) ||
          createdAt >= startsAt ||
          (member && member.createdAt > createdAt) ||
          (status === 'no_show' && startsAt > new Date(now)) ||
          (status === 'pending' && startsAt < new Date(now)),
      ),
    ).toEqual([]);
  });

  it('counts the same reserved tickets in events and ticket types', () => {
    for (const { slug, reservedCount, ticketTypes } of space.events) {
      const sold = ticketTypes.reduce((sum, type) => sum + type.reservedCount, 0);
      expect({ slug, reservedCount }).toEqual({ slug, reservedCount: sold });
    }
  });

  it('has past and future events and bookings, and one offline display', () => {
    const today = new Date(now);
    const slugs = (chosen: typeof space.events) => chosen.map(({ slug }) => slug).sort();
    expect(slugs(space.events.filter(({ endsAt }) => endsAt < today))).toEqual(
      expect.arrayContaining(['freelance-tax-evening', 'repair-cafe', 'zine-fair']),
    );
    expect(slugs(space.events.filter(({ startsAt }) => startsAt > today))).toEqual(
      expect.arrayContaining(['open-house', 'rooftop-concert', 'screen-printing', 'type-night']),
    );
    expect(space.bookings.filter(({ endsAt }) => endsAt < today).length).toBeGreaterThan(250);
    expect(space.bookings.filter(({ startsAt }) => startsAt > today).length).toBeGreaterThan(250);

    const silence = (lastSeenAt: Date | null) => today.getTime() - (lastSeenAt?.getTime() ?? 0);
    const away = space.displays.filter(
      ({ heartbeat }) => silence(heartbeat?.lastSeenAt ?? null) > 3_600_000,
    );
    const online = space.displays.filter(
      ({ heartbeat }) => silence(heartbeat?.lastSeenAt ?? null) < 60_000,
    );
    expect(away.map(({ name }) => name)).toEqual(['Tejo door']);
    expect(online).toHaveLength(4);
  });

  it('checks in valid guests during opening hours and checks them out in time', () => {
    const today = new Date(now);
    const visits = space.checkIns.filter(({ result }) => result === 'admitted');
    for (const visit of visits) {
      const {
        occurredAt,
        autoCheckOutAt,
        checkedOutAt,
        autoCheckedOut,
        location,
        member,
        dayPass,
      } = visit;
      expect(occurredAt <= today).toBe(true);
      expect(autoCheckOutAt && autoCheckOutAt > occurredAt).toBe(true);
      expect(checkedOutAt === null).toBe(
        autoCheckOutAt !== null && autoCheckOutAt > today && !checkedOutAt,
      );
      if (checkedOutAt) expect(checkedOutAt <= today && checkedOutAt >= occurredAt).toBe(true);
      if (autoCheckedOut) expect(checkedOutAt).toEqual(autoCheckOutAt);
      const day = toLocalTime(occurredAt, location.timeZone).toPlainDate().toString();
      if (dayPass) {
        expect(toDate(dayPass.validOn)).toBe(day);
        expect(dayPass.type.locationId).toBe(location.id);
      }
      if (visit.ticket) {
        const { event } = visit.ticket;
        expect(event.locationId).toBe(location.id);
        expect(occurredAt.getTime()).toBeGreaterThanOrEqual(event.startsAt.getTime() - 3_600_000);
        expect(occurredAt < event.endsAt).toBe(true);
      }
      if (member) {
        expect(member.status).toBe('active');
        const contracts = space.memberships.filter(
          ({ memberId, teamId }) =>
            memberId === member.id || (teamId !== null && teamId === member.teamId),
        );
        const covered = contracts.some(
          ({ startsOn, endsOn }) =>
            toDate(startsOn) <= day && (endsOn === null || toDate(endsOn) >= day),
        );
        expect({
          of: member.email,
          covered: covered || location.memberAdmission === 'all',
        }).toEqual({
          of: member.email,
          covered: true,
        });
      }
    }
    const stays = visits.filter(({ memberId }) => memberId !== null);
    const clashes = pairs(stays).filter(
      ([one, other]) =>
        one.memberId === other.memberId &&
        overlap(
          { startsAt: one.occurredAt, endsAt: one.checkedOutAt ?? today },
          { startsAt: other.occurredAt, endsAt: other.checkedOutAt ?? today },
        ),
    );
    expect(clashes).toEqual([]);
    const open = tally(
      visits.filter((visit) => visit.checkedOutAt === null).map(({ locationId }) => locationId),
    );
    for (const { locationId, present } of space.occupancies)
      expect(present).toBe(open[locationId] ?? 0);
  });

  it('checks in most of the guests of past events', () => {
    const scanned = tally(space.checkIns.map(({ ticket }) => ticket?.event.slug ?? ''));
    for (const slug of ['freelance-tax-evening', 'repair-cafe', 'zine-fair']) {
      const event = space.events.find((event) => event.slug === slug);
      const share = (scanned[slug] ?? 0) / (event?.reservedCount ?? 0);
      expect(share).toBeGreaterThan(0.7);
      expect(share).toBeLessThan(1);
    }
  });

  it('has rejected check-ins with correct reasons', () => {
    for (const { result, location, occurredAt, member, dayPass } of space.checkIns) {
      const day = toLocalTime(occurredAt, location.timeZone).toPlainDate().toString();
      if (result === 'membership_inactive') expect(member?.status).toBe('paused');
      if (result === 'not_yet_valid') expect(dayPass && toDate(dayPass.validOn) > day).toBe(true);
      if (result === 'wrong_location') expect(dayPass?.type.locationId).not.toBe(location.id);
    }
    const known = [
      'admitted',
      'membership_inactive',
      'not_found',
      'not_yet_valid',
      'wrong_location',
    ];
    expect(known).toEqual(expect.arrayContaining(space.checkIns.map(({ result }) => result)));
    expect(space.checkIns.length).toBeGreaterThan(8);
  });
});

type Span = { startsAt: Date; endsAt: Date };
const overlap = (one: Span, other: Span) =>
  one.startsAt < other.endsAt && other.startsAt < one.endsAt;

const pairs = <T>(rows: T[]): [T, T][] =>
  rows.flatMap((one, index) => rows.slice(index + 1).map((other): [T, T] => [one, other]));

function tally(words: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
