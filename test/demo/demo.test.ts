import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../src/context.ts';
import type { DisplayTokens } from '../../src/demo/displays.ts';
import { isDatabaseEmpty, seedDemo } from '../../src/demo/seed.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const ordinaryDay = '2026-06-10T09:00:00Z';
const days = [
  ['on an ordinary Wednesday', ordinaryDay],
  ['in the night when clocks go forward', '2026-03-29T00:30:00Z'],
  ['in the night when clocks go back', '2026-10-25T01:30:00Z'],
  ['on a leap day', '2024-02-29T12:00:00Z'],
  ['when only Berlin has a new year', '2026-12-31T23:30:00Z'],
  ['when only Berlin has a new week', '2026-10-18T22:30:00Z'],
] as const;

const secrets = { passwordHash: 'not-a-hash', displayTokens: tokens(1, 2, 3, 4) };

let database: TestDatabase;
let asOnAnOrdinaryDay: object;

beforeAll(async () => {
  database = await openTestDatabase();
  await seedDemo(at(ordinaryDay), secrets);
  asOnAnOrdinaryDay = timeless(await read(), ordinaryDay);
});
afterAll(() => database.close());

const at = (now: string): Context => ({ ...database.ctx, now: () => new Date(now) });

describe.each(days)('the demo space, seeded %s', (_, now) => {
  let space: Awaited<ReturnType<typeof read>>;

  beforeAll(async () => {
    await clear();
    await seedDemo(at(now), secrets);
    space = await read();
  });

  it('is the same as on any other day but for its dates', () => {
    expect(timeless(space, now)).toEqual(asOnAnOrdinaryDay);
  });

  it('keeps every booking within working hours, its resource’s limits and its price', () => {
    for (const { resource, ...booking } of space.bookings) {
      const start = local(booking.startsAt, resource.location.timeZone);
      const end = local(booking.endsAt, resource.location.timeZone);
      const occupiedUntil = local(booking.occupiedUntil, resource.location.timeZone);
      const minutes = start.until(end).total('minutes');

      const problems = {
        sunday: start.dayOfWeek === 7,
        early: start.toPlainTime().toString() < '09:00:00',
        late: end.toPlainTime().toString() > '18:00:00',
        overnight: !end.toPlainDate().equals(start.toPlainDate()),
        offGrid:
          (start.hour * 60 + start.minute) % resource.slotIntervalMinutes !== 0 ||
          minutes % resource.slotIntervalMinutes !== 0,
        short: minutes < resource.minMinutes,
        long: minutes > resource.maxMinutes,
        buffer: end.until(occupiedUntil).total('minutes') !== resource.bufferMinutes,
        price: booking.priceAmount !== Math.round((resource.hourlyAmount * minutes) / 60),
      };
      // An assertion for each of them takes most of the time.
      if (Object.values(problems).includes(true)) expect({ booking, problems }).toBeNull();
    }
  });

  it('books nothing while a location is closed', () => {
    const live = space.bookings.filter(({ status }) => status !== 'cancelled');
    for (const { resource, ...booking } of live) {
      const { id, timeZone } = resource.location;
      const start = local(booking.startsAt, timeZone);
      const end = local(booking.endsAt, timeZone);
      const minuteOf = ({ hour, minute }: Temporal.ZonedDateTime) => hour * 60 + minute;
      const open = space.openingHours.filter(
        ({ locationId, weekday, opensMinute, closesMinute }) =>
          locationId === id &&
          weekday === start.dayOfWeek &&
          opensMinute <= minuteOf(start) &&
          closesMinute >= minuteOf(end),
      );
      if (open.length !== 1) expect({ start, open }).toBeNull();
      const day = start.toPlainDate().toString();
      const closed = space.closures.filter(
        ({ locationId, startsOn, endsOn }) =>
          locationId === id && dayOf(startsOn) <= day && day <= dayOf(endsOn),
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

  it('begins no contract before its plan and its member were there, nor in time to come', () => {
    for (const { startsOn, endsOn, plan, member } of space.memberships) {
      const day = dayOf(startsOn);
      expect(day <= now.slice(0, 10)).toBe(true);
      expect(day >= dayOf(plan.createdAt)).toBe(true);
      expect(day >= dayOf(member?.createdAt ?? plan.createdAt)).toBe(true);
      if (member?.status === 'former') expect(endsOn).not.toBeNull();
    }
  });

  it('lets nobody be in two places at once', () => {
    const live = space.bookings.filter(({ member, status }) => member && status !== 'cancelled');
    const clashes = pairs(live).filter(
      ([one, other]) => one.memberId === other.memberId && overlap(one, other),
    );
    expect(clashes).toEqual([]);
  });

  it('books no room in which an event takes place', () => {
    const live = space.bookings.filter(({ status }) => status !== 'cancelled');
    const clashes = space.events.flatMap((event) =>
      live.filter(
        ({ resourceId, startsAt, occupiedUntil }) =>
          resourceId === event.resourceId && overlap(event, { startsAt, endsAt: occupiedUntil }),
      ),
    );
    expect(clashes).toEqual([]);
  });

  it('books nobody who has paused or left for a time to come, and nothing closed', () => {
    const coming = space.bookings.filter(({ startsAt }) => startsAt > new Date(now));
    expect(coming.filter(({ member }) => member && member.status !== 'active')).toEqual([]);
    expect(space.bookings.filter(({ resource }) => !resource.active)).toEqual([]);
  });

  it('knows nothing that has not happened yet', () => {
    const { bookings, members, events, displays, announcements, checkIns } = space;
    const noted = [...bookings, ...members, ...events, ...displays, ...announcements, ...checkIns];
    expect(noted.filter(({ createdAt }) => createdAt > new Date(now))).toEqual([]);
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

  it('counts the tickets taken the same in the event and in its ticket types', () => {
    for (const { slug, reservedCount, ticketTypes } of space.events) {
      const sold = ticketTypes.reduce((sum, type) => sum + type.reservedCount, 0);
      expect({ slug, reservedCount }).toEqual({ slug, reservedCount: sold });
    }
  });

  it('has past and coming events, bookings on both sides and one display that is away', () => {
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
    expect(online).toHaveLength(3);
  });

  it('lets in who may come in, while it is open, and has them leave in time', () => {
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
      const day = local(occurredAt, location.timeZone).toPlainDate().toString();
      if (dayPass) {
        expect(dayOf(dayPass.validOn)).toBe(day);
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
            dayOf(startsOn) <= day && (endsOn === null || dayOf(endsOn) >= day),
        );
        expect({ of: member.email, covered: contracts.length === 0 || covered }).toEqual({
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

  it('refuses some, for reasons that hold', () => {
    for (const { result, location, occurredAt, member, dayPass } of space.checkIns) {
      const day = local(occurredAt, location.timeZone).toPlainDate().toString();
      if (result === 'membership_inactive') expect(member?.status).toBe('paused');
      if (result === 'not_yet_valid') expect(dayPass && dayOf(dayPass.validOn) > day).toBe(true);
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

describe('the demo space, once seeded', () => {
  beforeAll(async () => {
    await clear();
    await seedDemo(at(ordinaryDay), secrets);
  });

  it('holds what it promises', async () => {
    const { locations, resources, members, users, bookings, events, displays } = await read();

    expect(new Set(locations.map(({ timeZone }) => timeZone)).size).toBe(2);
    expect(resources).toHaveLength(12);
    expect(tally(resources.map(({ type }) => type))).toEqual({ room: 7, desk: 3, equipment: 2 });
    expect(members).toHaveLength(40);
    expect(tally(members.map(({ status }) => status))).toEqual({
      active: 35,
      paused: 2,
      former: 3,
    });
    const { plans, memberships, openingHours } = await read();
    expect(plans.map(({ name }) => name)).toEqual(['Nomad', 'Resident', 'Studio']);
    const today = new Date(ordinaryDay.slice(0, 10));
    const current = memberships.filter(({ endsOn }) => endsOn === null || endsOn >= today);
    expect(
      tally(current.map(({ plan, team }) => `${plan.name}${team ? ' of a team' : ''}`)),
    ).toEqual({
      Nomad: 10,
      Resident: 6,
      'Studio of a team': 8,
    });
    const covered = members.filter(({ id, teamId }) =>
      current.some((row) => row.memberId === id || (row.teamId !== null && row.teamId === teamId)),
    );
    expect(covered.length).toBeGreaterThan(28);
    expect(covered.length).toBeLessThan(36);
    expect(tally(openingHours.map(({ location }) => location.slug))).toEqual({
      alfama: 6,
      kreuzberg: 6,
    });
    const ruled = Object.fromEntries(resources.map((resource) => [resource.slug, resource]));
    expect(ruled).toMatchObject({
      saal: { freeCancellationHours: 24, requiresApproval: true, noShowMinutes: null },
      'phone-booth': { noShowMinutes: 15, requiresApproval: false },
    });
    expect(new Set(resources.map(({ slotIntervalMinutes }) => slotIntervalMinutes))).toEqual(
      new Set([15, 30, 60]),
    );
    for (const { minMinutes, maxMinutes, slotIntervalMinutes } of resources) {
      expect([minMinutes % slotIntervalMinutes, maxMinutes % slotIntervalMinutes]).toEqual([0, 0]);
    }
    expect(users.map(({ email, role, passwordHash }) => [email, role, passwordHash])).toEqual([
      ['ada@example.org', 'owner', 'not-a-hash'],
      ['fred@example.org', 'front_desk', 'not-a-hash'],
      ['mona@example.org', 'manager', 'not-a-hash'],
    ]);
    expect(bookings.some(({ member }) => member?.email === 'ben@example.org')).toBe(true);
    expect(bookings.some(({ guestName }) => guestName !== null)).toBe(true);
    expect(Object.keys(tally(bookings.map(({ status }) => status))).sort()).toEqual([
      'cancelled',
      'confirmed',
      'no_show',
      'pending',
    ]);
    expect(tally(events.map(({ status }) => status))).toEqual({
      published: 12,
      cancelled: 1,
      draft: 1,
    });
    const left = Object.fromEntries(
      events.map(({ slug, capacity, reservedCount }) => [
        slug,
        capacity === null ? null : capacity - reservedCount,
      ]),
    );
    expect(left).toMatchObject({ 'screen-printing': 1, 'type-night': 0, 'open-house': null });
    expect(events.find(({ visibility }) => visibility === 'members')?.slug).toBe(
      'founders-breakfast',
    );
    expect(displays.map(({ kind }) => kind).sort()).toEqual([
      'event_board',
      'room_panel',
      'room_panel',
      'welcome',
    ]);
  });

  it('gives the first token to the Atelier’s door', async () => {
    const first = await database.ctx.db.display.findFirst({
      where: { tokenHash: secrets.displayTokens[0].hash },
    });
    expect(first?.name).toBe('Atelier door');
  });

  it('is not seeded twice', async () => {
    const before = await read();
    const others = { ...secrets, displayTokens: tokens(5, 6, 7, 8) };
    await expect(seedDemo(at(ordinaryDay), others)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read()).toEqual(before);
  });
});

describe('the demo space', () => {
  beforeEach(clear);

  it('has a day at both locations, the same every Wednesday, as far as it has gone', async () => {
    const dayAt = async (now: string) => {
      await clear();
      await seedDemo(at(now), secrets);
      return (await readCheckIns()).map(
        ({ location, occurredAt, checkedOutAt, subject, label, result }) => ({
          at: location.slug,
          came: local(occurredAt, location.timeZone).toPlainTime().toString(),
          left: checkedOutAt && local(checkedOutAt, location.timeZone).toPlainTime().toString(),
          who: [subject, label, result],
        }),
      );
    };
    const afternoon = await dayAt('2026-06-10T15:10:00Z');
    expect(await dayAt('2026-02-11T16:10:00Z')).toEqual(afternoon);
    for (const place of ['kreuzberg', 'alfama']) {
      const here = afternoon.filter((it) => it.at === place);
      expect(
        here.filter(({ left, who }) => left === null && who[2] === 'admitted').length,
      ).toBeGreaterThan(5);
      expect(here.filter(({ left }) => left !== null).length).toBeGreaterThan(3);
      expect(here.filter(({ who }) => who[2] !== 'admitted').length).toBeGreaterThan(1);
      const kinds = new Set(here.map(({ who }) => who[0]));
      for (const kind of ['member', 'visitor', 'day_pass']) expect(kinds).toContain(kind);
    }
    const morning = await dayAt('2026-06-10T07:15:00Z');
    expect(morning.length).toBeGreaterThan(5);
    expect(morning.length).toBeLessThan(afternoon.length);

    // In the night, and on a Sunday, the last day is over and only those are in who have a key.
    for (const closed of ['2026-06-10T22:40:00Z', '2026-06-14T12:00:00Z']) {
      const day = await dayAt(closed);
      expect(day.length).toBeGreaterThan(12);
      const open = day.filter(({ left, who }) => left === null && who[2] === 'admitted');
      expect(open.length).toBeLessThan(4);
    }
  });

  it('is refused by a database that holds somebody already, and changes nothing', async () => {
    await database.ctx.db.member.create({
      data: { name: 'Somebody', email: 'somebody@example.org', code: 'SOMEBODY' },
    });
    await expect(seedDemo(at(ordinaryDay), secrets)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'NOT_EMPTY' },
    });
    expect(await database.ctx.db.location.count()).toBe(0);
    expect(await database.ctx.db.member.count()).toBe(1);
  });

  it('leaves the database empty when any part of it fails', async () => {
    const sameTwice = { ...secrets, displayTokens: tokens(1, 2, 3, 3) };
    await expect(seedDemo(at(ordinaryDay), sameTwice)).rejects.toThrow();
    expect(await isDatabaseEmpty(database.ctx)).toBe(true);
    expect(await database.ctx.db.booking.count()).toBe(0);
  });
});

async function clear(): Promise<void> {
  await database.ctx.db
    .$executeRaw`TRUNCATE locations, members, users, teams, plans, announcements CASCADE`;
}

async function read() {
  const { db } = database.ctx;
  return {
    locations: await db.location.findMany({ orderBy: { slug: 'asc' } }),
    resources: await db.resource.findMany({ orderBy: { slug: 'asc' } }),
    openingHours: await db.openingHours.findMany({
      include: { location: true },
      orderBy: [{ location: { slug: 'asc' } }, { weekday: 'asc' }],
    }),
    closures: await db.closure.findMany({ include: { location: true } }),
    members: await db.member.findMany({ include: { team: true }, orderBy: { email: 'asc' } }),
    plans: await db.plan.findMany({
      include: { benefits: { orderBy: { resourceType: 'asc' } } },
      orderBy: { name: 'asc' },
    }),
    memberships: await db.membership.findMany({
      include: { plan: true, member: true, team: true },
      orderBy: [{ member: { email: 'asc' } }, { team: { name: 'asc' } }, { startsOn: 'asc' }],
    }),
    users: await db.user.findMany({ orderBy: { email: 'asc' } }),
    bookings: await db.booking.findMany({
      include: { resource: { include: { location: true } }, member: true },
      orderBy: { id: 'asc' },
    }),
    events: await db.event.findMany({
      include: { location: true, ticketTypes: { orderBy: { position: 'asc' } } },
      orderBy: { slug: 'asc' },
    }),
    displays: await db.display.findMany({ include: { heartbeat: true }, orderBy: { name: 'asc' } }),
    announcements: await db.announcement.findMany({ orderBy: { title: 'asc' } }),
    occupancies: await db.occupancy.findMany(),
    checkIns: await readCheckIns(),
  };
}

const readCheckIns = () =>
  database.ctx.db.checkIn.findMany({
    include: {
      location: true,
      member: true,
      ticket: { include: { event: true } },
      dayPass: { include: { type: true } },
    },
    orderBy: [{ location: { slug: 'asc' } }, { occurredAt: 'asc' }, { label: 'asc' }],
  });

/** What is left of a space without ids and without the day on which it was made. */
function timeless(space: Awaited<ReturnType<typeof read>>, now: string) {
  const span = (startsAt: Date, endsAt: Date, timeZone: string) => {
    const [from, to] = [local(startsAt, timeZone), local(endsAt, timeZone)];
    return [from.toPlainTime().toString(), to.toPlainTime().toString()];
  };
  const dayOf = (moment: Date, timeZone: string) => {
    const today = local(new Date(now), timeZone).toPlainDate();
    const monday = today.subtract({ days: today.dayOfWeek - 1 });
    return monday.until(local(moment, timeZone).toPlainDate()).days;
  };
  return {
    locations: space.locations.map(undated),
    resources: space.resources.map((resource) => undated({ ...resource, locationId: '' })),
    openingHours: space.openingHours.map(({ location, ...hours }) => ({
      ...undated({ ...hours, locationId: '' }),
      of: location.slug,
    })),
    closures: space.closures.map(({ location, ...closure }) => ({
      ...undated({ ...closure, locationId: '' }),
      of: location.slug,
    })),
    members: space.members.map(({ team, ...member }) => ({
      ...undated({ ...member, teamId: '' }),
      team: team?.name,
    })),
    plans: space.plans.map(({ benefits, ...plan }) => ({
      ...undated(plan),
      benefits: benefits.map((benefit) => undated({ ...benefit, planId: '' })),
    })),
    memberships: space.memberships.map(({ plan, member, team, startsOn, endsOn }) => ({
      of: [plan.name, member?.email, team?.name],
      starts: daysBefore(startsOn, now),
      ends: endsOn && daysBefore(endsOn, now),
    })),
    users: space.users.map(undated),
    bookings: space.bookings.map(({ resource, member, ...booking }) => ({
      ...undated({ ...booking, resourceId: '', locationId: '', memberId: '' }),
      of: [resource.slug, member?.email],
      day: dayOf(booking.startsAt, resource.location.timeZone),
      span: span(booking.startsAt, booking.endsAt, resource.location.timeZone),
    })),
    events: space.events.map(({ location, ticketTypes, ...event }) => ({
      ...undated({ ...event, locationId: '', resourceId: event.resourceId && '' }),
      of: location.slug,
      span: span(event.startsAt, event.endsAt, location.timeZone),
      ticketTypes: ticketTypes.map((type) => undated({ ...type, eventId: '' })),
    })),
    displays: space.displays.map((display) =>
      undated({
        ...display,
        locationId: '',
        resourceId: display.resourceId && '',
        heartbeat: null,
      }),
    ),
    announcements: space.announcements.map((announcement) =>
      undated({ ...announcement, locationId: announcement.locationId && '' }),
    ),
  };
}

/** How many days before the day of `now` in UTC. */
const daysBefore = (day: Date, now: string) =>
  (Date.parse(now.slice(0, 10)) - day.getTime()) / 86_400_000;

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

const undated = (row: object) =>
  Object.fromEntries(
    Object.entries(row).filter(([key, value]) => key !== 'id' && !(value instanceof Date)),
  );

const local = (moment: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone);

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

function tokens(...bytes: [number, number, number, number]): DisplayTokens {
  const [a, b, c, d] = bytes;
  const token = (byte: number) => ({ hash: new Uint8Array(32).fill(byte), prefix: `demo-${byte}` });
  return [token(a), token(b), token(c), token(d)];
}
