import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import { createLoadSpreader } from '../../../src/core/load-spreading.ts';
import { parseDateColumn } from '../../../src/core/time/calendar-date.ts';
import { findAvailability } from '../../../src/features/bookings/service/availability.ts';
import {
  createDeviceGateway,
  type DeviceGateway,
  getDisplayState,
} from '../../../src/features/displays/service/device-gateway.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

// Compares what a display shows with a plain computation over all rows, at any instant of the demo's weeks.

let app: TestApp;
let rows: Awaited<ReturnType<typeof readRows>>;
let screens: Screen[];
let gateway: DeviceGateway;

interface Screen {
  name: string;
  kind: 'room_panel' | 'event_board' | 'welcome';
  locationId: string;
  resourceId: string | undefined;
  token: string;
}

beforeAll(async () => {
  app = await startApp();
  const { db } = app.ctx;
  const edge = {
    startsAt: new Date('2026-03-20T15:00:00Z'),
    endsAt: new Date('2026-03-21T15:00:00Z'),
  };
  await db.announcement.create({ data: { title: 'One day only', ...edge } });
  const resources = await db.resource.findMany({ where: { slug: { in: ['atelier', 'tejo'] } } });
  screens = (
    await Promise.all(
      resources.flatMap(({ id, slug, locationId }) => [
        screen(`panel of ${slug}`, 'room_panel', locationId, id),
        screen(`board at ${slug}’s`, 'event_board', locationId),
        screen(`welcome at ${slug}’s`, 'welcome', locationId),
        screen(`welcome to ${slug}`, 'welcome', locationId, id),
      ]),
    )
  ).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  rows = await readRows();
  gateway = createDeviceGateway({
    ...app.ctx,
    writeBehind: { addBuffer: () => () => {} },
    loadSpreader: createLoadSpreader(),
  });
});
afterAll(() => app.stop());

async function screen(
  name: string,
  kind: Screen['kind'],
  locationId: string,
  resourceId?: string,
): Promise<Screen> {
  const { deviceToken } = await app.display({ name, kind, locationId, resourceId });
  return { name, kind, locationId, resourceId, token: deviceToken };
}

async function readRows() {
  const { db } = app.ctx;
  const first = { orderBy: [{ startsAt: 'asc' as const }, { id: 'asc' as const }] };
  const placed = { ...first, include: { resource: { select: { area: true } } } };
  return {
    bookings: await db.booking.findMany(placed),
    visits: await db.checkIn.findMany({
      where: { result: 'admitted', checkedOutAt: null, unconfirmed: false },
    }),
    events: await db.event.findMany(placed),
    announcements: await db.announcement.findMany(first),
    locations: await db.location.findMany({ include: { openingHours: true, closures: true } }),
  };
}

interface ScheduleEntry {
  id: string;
  starts_at: string;
  ends_at: string;
}
interface PlacedEntry extends ScheduleEntry {
  resource: { area: string | null } | null;
}
interface Contents {
  content: {
    kind: string;
    title: string;
    now: ScheduleEntry | null;
    next: ScheduleEntry | null;
    open: boolean;
    opening: { opens_at: string | null; closes_at: string | null }[] | null;
  };
  bookings: PlacedEntry[];
  events: PlacedEntry[];
  announcements: ScheduleEntry[];
  next_change_at: string | null;
}

async function getState({ token }: Screen, at: Date): Promise<{ version: string } & Contents> {
  const { version, json } = await getDisplayState({ ...app.ctx, now: () => at }, gateway, token);
  return { ...JSON.parse(json), version };
}

const HOUR = 3_600_000;
const toId = ({ id }: { id: string }) => id;
const toPlace = ({ id, resource }: Pick<PlacedEntry, 'id' | 'resource'>) => ({
  id,
  area: resource?.area ?? null,
});

/** Whether neither the holder of the booking nor its member is in. */
const isExpected = ({ checkedInAt, memberId, locationId }: (typeof rows)['bookings'][number]) =>
  checkedInAt === null &&
  !rows.visits.some(
    (visit) => memberId !== null && visit.memberId === memberId && visit.locationId === locationId,
  );

/** The expected content of the screen, by ids and areas. */
function expected({ kind, locationId, resourceId }: Screen, now: Date) {
  const within = (hours: number) => (row: { startsAt: Date; endsAt: Date | null }) =>
    row.startsAt <= new Date(now.getTime() + hours * HOUR) &&
    (row.endsAt === null || row.endsAt > now);
  const bookings = rows.bookings.filter(
    (row) =>
      row.status === 'confirmed' &&
      within(24)(row) &&
      (resourceId
        ? row.resourceId === resourceId
        : kind === 'welcome' && row.locationId === locationId) &&
      (kind !== 'welcome' || isExpected(row)),
  );
  const events = rows.events.filter(
    (row) =>
      row.status === 'published' &&
      row.locationId === locationId &&
      within(kind === 'event_board' ? 14 * 24 : 24)(row) &&
      (kind !== 'room_panel' || row.resourceId === resourceId),
  );
  const occasions = [...(kind === 'room_panel' ? bookings : []), ...events].toSorted(
    (a, b) => a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  return {
    now: occasions.find(({ startsAt }) => startsAt <= now)?.id ?? null,
    next: occasions.find(({ startsAt }) => startsAt > now)?.id ?? null,
    bookings: bookings.map(toPlace),
    events: events.map(toPlace),
    announcements: rows.announcements
      .filter((row) => within(24)(row) && (row.locationId ?? locationId) === locationId)
      .map(toId),
  };
}

const toIds = ({ content, bookings, events, announcements }: Contents) => ({
  now: content.now?.id ?? null,
  next: content.next?.id ?? null,
  bookings: bookings.map(toPlace),
  events: events.map(toPlace),
  announcements: announcements.map(toId),
});

/** By the wall clock of the location. */
function isOpen({ locationId }: Screen, at: Date): boolean {
  const location = rows.locations.find(({ id }) => id === locationId);
  if (location === undefined) throw new Error('no such location');
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(
    location.timeZone,
  );
  const day = wall.toPlainDate().toString();
  const minute = wall.hour * 60 + wall.minute;
  const isShut = location.closures.some(
    ({ startsOn, endsOn }) => parseDateColumn(startsOn) <= day && day <= parseDateColumn(endsOn),
  );
  return (
    !isShut &&
    location.openingHours.some(
      ({ weekday, opensMinute, closesMinute }) =>
        weekday === wall.dayOfWeek && opensMinute <= minute && minute < closesMinute,
    )
  );
}

/** Instants at which something begins, ends or appears, a millisecond before and after, and random ones. */
const instants = () => {
  const edges = [...rows.bookings, ...rows.events, ...rows.announcements].flatMap(
    ({ startsAt, endsAt }) => [
      startsAt.getTime(),
      startsAt.getTime() - 24 * HOUR,
      startsAt.getTime() - 14 * 24 * HOUR,
      (endsAt ?? startsAt).getTime(),
    ],
  );
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...edges), fc.constantFrom(-1, 0, 1))
      .map(([edge, ms]) => new Date(edge + ms)),
    fc.date({
      min: new Date('2026-02-20T00:00:00Z'),
      max: new Date('2026-04-20T00:00:00Z'),
      noInvalidDate: true,
    }),
  );
};

const anyScreen = () => fc.constantFrom(...screens);
const runs = { numRuns: propertyRuns(30) };

describe('a display', () => {
  it('shows its entries of the next day, and an event board those of two weeks', async () => {
    await checkProperty(
      fc.asyncProperty(anyScreen(), instants(), async (screen, at) => {
        expect(toIds(await getState(screen, at))).toEqual(expected(screen, at));
      }),
      runs,
    );
  });

  it('shows when its location is open: now, for the next day, and the next opening', async () => {
    const seconds = fc.double({ min: 0, max: 1, noNaN: true });
    await checkProperty(
      fc.asyncProperty(anyScreen(), instants(), seconds, async (screen, at, share) => {
        const { open, opening } = (await getState(screen, at)).content;
        const spans = (opening ?? []).map(({ opens_at, closes_at }) => ({
          from: Date.parse(opens_at ?? ''),
          to: Date.parse(closes_at ?? ''),
        }));
        const next = spans.find(({ from }) => from > at.getTime())?.from ?? 0;
        const last = Math.max(next, at.getTime() + 24 * HOUR);
        const anyTime = new Date(at.getTime() + Math.floor(share * (last - at.getTime())));
        const isIn = ({ from, to }: { from: number; to: number }) =>
          from <= anyTime.getTime() && anyTime.getTime() < to;
        expect(open).toBe(isOpen(screen, at));
        expect(spans.some(isIn)).toBe(isOpen(screen, anyTime));
        expect(isOpen(screen, new Date(next))).toBe(true);
      }),
      runs,
    );
  });

  it('shows the exact time of its next change', async () => {
    await checkProperty(
      fc.asyncProperty(
        anyScreen(),
        instants(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (screen, at, share) => {
          const { version, next_change_at } = await getState(screen, at);
          const change = next_change_at === null ? null : Date.parse(next_change_at);
          if (change !== null) {
            expect(change).toBeGreaterThan(at.getTime());
            expect((await getState(screen, new Date(change))).version).not.toBe(version);
            expect((await getState(screen, new Date(change - 1))).version).toBe(version);
          }
          const until = change ?? at.getTime() + 90 * 24 * HOUR;
          const between = new Date(at.getTime() + Math.floor(share * (until - 1 - at.getTime())));
          expect((await getState(screen, between)).version).toBe(version);
        },
      ),
      runs,
    );
  });

  it('announces every change of a week as its next change', async () => {
    // One of each kind, at both locations in turn: the property above tries all screens.
    for (const screen of screens.filter((_, n) => [0, 3, 4, 7].includes(n))) {
      const end = Date.parse('2026-03-23T00:00:00Z');
      const changes = new Set<number>();
      let at = Date.parse('2026-03-16T00:00:00Z');
      let state = await getState(screen, new Date(at));
      for (; at < end; at += 15 * 60_000) {
        // Everything in the demo begins and ends on a quarter of an hour.
        const now = await getState(screen, new Date(at));
        if (now.version === state.version) continue;
        expect(new Date(at).toISOString()).toBe(state.next_change_at);
        changes.add(at);
        state = now;
      }
      expect(changes.size).toBeGreaterThan(3);
    }
  });
});

describe('opening hours on displays', () => {
  /** Creates a location with a screen. */
  async function createLocation(timeZone: string, hours: [number, number][] = []) {
    const { db } = app.ctx;
    const { id: locationId } = await db.location.create({
      data: { slug: `location-${v7()}`, name: 'Location', timeZone },
    });
    await db.openingHours.createMany({
      data: [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
        hours.map(([opensMinute, closesMinute]) => ({
          locationId,
          weekday,
          opensMinute,
          closesMinute,
        })),
      ),
    });
    return { ...(await screen('Hall', 'welcome', locationId)), locationId };
  }

  const getOpening = async (screen: Screen, at: string) => {
    const { content, next_change_at } = await getState(screen, new Date(at));
    const opening = content.opening?.map(({ opens_at, closes_at }) => [opens_at, closes_at]);
    return { open: content.open, opening: opening ?? null, next_change_at };
  };

  // Opens or closes at a time that the clocks skip, or show twice.
  it.each([
    ['Europe/Berlin', '02:30 12:00', '2026-03-28T20:00Z', '2026-03-29T01:00Z 2026-03-29T10:00Z'],
    ['Europe/Berlin', '00:00 02:30', '2026-03-28T20:00Z', '2026-03-28T23:00Z 2026-03-29T01:00Z'],
    ['Europe/Berlin', '02:30 12:00', '2026-10-24T20:00Z', '2026-10-25T00:30Z 2026-10-25T11:00Z'],
    ['Europe/Berlin', '00:00 02:30', '2026-10-24T20:00Z', '2026-10-24T22:00Z 2026-10-25T01:30Z'],
    [
      'Australia/Lord_Howe',
      '02:15 9:00',
      '2026-10-03T12:00Z',
      '2026-10-03T15:30Z 2026-10-03T22:00Z',
    ],
    ['America/Santiago', '00:00 08:00', '2026-09-05T20:00Z', '2026-09-06T04:00Z 2026-09-06T11:00Z'],
  ])('match availability when the clocks change: %s, %s', async (zone, hours, at, span) => {
    const minutes = hours.split(' ').map((time) => {
      const [hour = 0, minute = 0] = time.split(':').map(Number);
      return hour * 60 + minute;
    });
    const screen = await createLocation(zone, [minutes as [number, number]]);
    const expected = span.split(' ').map((instant) => new Date(instant).toISOString());
    const { opening } = await getOpening(screen, at);
    expect(opening?.find(([opens]) => opens && new Date(opens) > new Date(at))).toEqual(expected);
    const room = { slug: v7(), name: 'Room', type: 'room' as const, locationId: screen.locationId };
    await app.ctx.db.resource.create({ data: room });
    const from = new Date(at);
    const to = new Date(from.getTime() + 20 * HOUR);
    const [resource] = await findAvailability(
      { ...app.ctx, now: () => from },
      { locationId: screen.locationId },
      { from, to },
    );
    const free = resource?.free().map(({ startsAt, endsAt }) => [startsAt, endsAt]);
    expect(free).toContainEqual(expected);
  });

  it('are null for a location that is always open, also if its hours cover the whole week', async () => {
    const always = { open: true, opening: null, next_change_at: null };
    const at = '2027-03-18T12:00:00.000Z'; // no announcement is shown then
    expect(await getOpening(await createLocation('Asia/Tokyo'), at)).toEqual(always);
    const all = await createLocation('Asia/Tokyo', [
      [0, 60],
      [60, 1440],
    ]);
    expect(await getOpening(all, at)).toEqual(always);
  });
});

describe('the panel of a room', () => {
  const getNowAndNext = async (at: string) => {
    const panel = screens.find(({ name }) => name === 'panel of atelier');
    if (!panel) throw new Error('no panel');
    const { content } = await getState(panel, new Date(at));
    return [content.now?.starts_at ?? null, content.next?.starts_at ?? null];
  };

  it('moves a booking from next to now when it begins, and removes it when it ends', async () => {
    const mixing = '2026-03-17T08:30:00.000Z';
    expect((await getNowAndNext('2026-03-17T08:29:59.999Z'))[1]).toBe(mixing);
    expect((await getNowAndNext(mixing))[0]).toBe(mixing);
    expect((await getNowAndNext('2026-03-17T09:59:59.999Z'))[0]).toBe(mixing);
    expect((await getNowAndNext('2026-03-17T10:00:00.000Z'))[0]).toBeNull();
  });

  it('hides pending and cancelled bookings', async () => {
    for (const screen of screens) {
      const hidden = rows.bookings.filter(({ status }) => status !== 'confirmed');
      for (const { startsAt } of hidden.slice(0, 10)) {
        const { bookings } = await getState(screen, startsAt);
        expect(bookings.map(toId).filter((id) => hidden.some((row) => row.id === id))).toEqual([]);
      }
    }
  });
});
