import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import { parseDateColumn } from '../../../src/core/time/calendar-date.ts';
import { findAvailability } from '../../../src/features/bookings/queries/availability.ts';
import { getDisplayState } from '../../../src/features/displays/device-api.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { propertyRuns } from '../../support/property-runs.ts';

// What a display shows, compared with a plain computation over all rows, at any instant of the demo's weeks.

let app: TestApp;
let rows: Awaited<ReturnType<typeof read>>;
let screens: Screen[];

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
  rows = await read();
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

async function read() {
  const { db } = app.ctx;
  const first = { orderBy: [{ startsAt: 'asc' as const }, { id: 'asc' as const }] };
  return {
    bookings: await db.booking.findMany(first),
    events: await db.event.findMany(first),
    announcements: await db.announcement.findMany(first),
    locations: await db.location.findMany({ include: { openingHours: true, closures: true } }),
  };
}

interface Occasion {
  id: string;
  starts_at: string;
  ends_at: string;
}
interface Contents {
  content: {
    kind: string;
    title: string;
    now: Occasion | null;
    next: Occasion | null;
    open: boolean;
    opening: { opens_at: string | null; closes_at: string | null }[] | null;
  };
  bookings: Occasion[];
  events: Occasion[];
  announcements: Occasion[];
  next_change_at: string | null;
}

async function shown({ token }: Screen, at: Date): Promise<{ version: string } & Contents> {
  const { version, json } = await getDisplayState({ ...app.ctx, now: () => at }, token);
  return { ...JSON.parse(json), version };
}

const HOUR = 3_600_000;
const idOf = ({ id }: { id: string }) => id;

/** What should be seen, told by ids. */
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
        : kind === 'welcome' && row.locationId === locationId),
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
    bookings: bookings.map(idOf),
    events: events.map(idOf),
    announcements: rows.announcements
      .filter((row) => within(24)(row) && (row.locationId ?? locationId) === locationId)
      .map(idOf),
  };
}

const told = ({ content, bookings, events, announcements }: Contents) => ({
  now: content.now?.id ?? null,
  next: content.next?.id ?? null,
  bookings: bookings.map(idOf),
  events: events.map(idOf),
  announcements: announcements.map(idOf),
});

/** By the clock on the wall. */
function isOpen({ locationId }: Screen, at: Date): boolean {
  const location = rows.locations.find(({ id }) => id === locationId);
  if (location === undefined) throw new Error('a screen hangs somewhere');
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

/** Instants at which something begins, ends or comes into sight, and a millisecond to either side; and any others. */
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
  it('shows exactly what concerns it for the next day, and events for two weeks on a board', async () => {
    await fc.assert(
      fc.asyncProperty(anyScreen(), instants(), async (screen, at) => {
        expect(told(await shown(screen, at))).toEqual(expected(screen, at));
      }),
      runs,
    );
  });

  it('says when its house is open: now, through the next day, and when it opens next', async () => {
    const seconds = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(anyScreen(), instants(), seconds, async (screen, at, share) => {
        const { open, opening } = (await shown(screen, at)).content;
        const spans = (opening ?? []).map(({ opens_at, closes_at }) => ({
          from: Date.parse(opens_at ?? ''),
          to: Date.parse(closes_at ?? ''),
        }));
        const next = spans.find(({ from }) => from > at.getTime())?.from ?? 0;
        const last = Math.max(next, at.getTime() + 24 * HOUR);
        const later = new Date(at.getTime() + Math.floor(share * (last - at.getTime())));
        const isIn = ({ from, to }: { from: number; to: number }) =>
          from <= later.getTime() && later.getTime() < to;
        expect(open).toBe(isOpen(screen, at));
        expect(spans.some(isIn)).toBe(isOpen(screen, later));
        expect(isOpen(screen, new Date(next))).toBe(true);
      }),
      runs,
    );
  });

  it('says when its contents change next: not before, and then indeed', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyScreen(),
        instants(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (screen, at, share) => {
          const { version, next_change_at } = await shown(screen, at);
          const change = next_change_at === null ? null : Date.parse(next_change_at);
          if (change !== null) {
            expect(change).toBeGreaterThan(at.getTime());
            expect((await shown(screen, new Date(change))).version).not.toBe(version);
            expect((await shown(screen, new Date(change - 1))).version).toBe(version);
          }
          const until = change ?? at.getTime() + 90 * 24 * HOUR;
          const between = new Date(at.getTime() + Math.floor(share * (until - 1 - at.getTime())));
          expect((await shown(screen, between)).version).toBe(version);
        },
      ),
      runs,
    );
  });

  it('followed from change to change for a week, misses none of them', async () => {
    // One of each kind, at both places in turn: the property above tries them all.
    for (const screen of screens.filter((_, n) => [0, 3, 4, 7].includes(n))) {
      const end = Date.parse('2026-03-23T00:00:00Z');
      const changes = new Set<number>();
      let at = Date.parse('2026-03-16T00:00:00Z');
      let state = await shown(screen, new Date(at));
      for (; at < end; at += 15 * 60_000) {
        // Everything in the demo begins and ends on a quarter of an hour.
        const now = await shown(screen, new Date(at));
        if (now.version === state.version) continue;
        expect(new Date(at).toISOString()).toBe(state.next_change_at);
        changes.add(at);
        state = now;
      }
      expect(changes.size).toBeGreaterThan(3);
    }
  });
});

describe('the hours of a house', () => {
  /** A screen at a house of its own. */
  async function houseIn(timeZone: string, hours: [number, number][] = []) {
    const { db } = app.ctx;
    const { id: locationId } = await db.location.create({
      data: { slug: `house-${v7()}`, name: 'House', timeZone },
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

  const openingOf = async (screen: Screen, at: string) => {
    const { content, next_change_at } = await shown(screen, new Date(at));
    const opening = content.opening?.map(({ opens_at, closes_at }) => [opens_at, closes_at]);
    return { open: content.open, opening: opening ?? null, next_change_at };
  };

  // Opens or closes at a time that the clocks skip, or show twice.
  it.each([
    ['Europe/Berlin', '02:30 12:00', '2026-03-28T20:00Z', '2026-03-29T01:00Z 2026-03-29T10:00Z'],
    ['Europe/Berlin', '00:00 02:30', '2026-03-28T20:00Z', '2026-03-28T23:00Z 2026-03-29T01:00Z'],
    ['Europe/Berlin', '02:30 12:00', '2026-10-24T20:00Z', '2026-10-25T00:30Z 2026-10-25T11:00Z'],
    ['Europe/Berlin', '00:00 02:30', '2026-10-24T20:00Z', '2026-10-24T22:00Z 2026-10-25T00:30Z'],
    [
      'Australia/Lord_Howe',
      '02:15 9:00',
      '2026-10-03T12:00Z',
      '2026-10-03T15:30Z 2026-10-03T22:00Z',
    ],
    ['America/Santiago', '00:00 08:00', '2026-09-05T20:00Z', '2026-09-06T04:00Z 2026-09-06T11:00Z'],
  ])('are those of availability when the clocks change: %s, %s', async (zone, hours, at, span) => {
    const minutes = hours.split(' ').map((time) => {
      const [hour = 0, minute = 0] = time.split(':').map(Number);
      return hour * 60 + minute;
    });
    const house = await houseIn(zone, [minutes as [number, number]]);
    const expected = span.split(' ').map((instant) => new Date(instant).toISOString());
    const { opening } = await openingOf(house, at);
    expect(opening?.find(([opens]) => opens && new Date(opens) > new Date(at))).toEqual(expected);
    const room = { slug: v7(), name: 'Room', type: 'room' as const, locationId: house.locationId };
    await app.ctx.db.resource.create({ data: room });
    const from = new Date(at);
    const to = new Date(from.getTime() + 20 * HOUR);
    const [found] = await findAvailability(
      { ...app.ctx, now: () => from },
      { locationId: house.locationId },
      { from, to },
    );
    const free = found?.free().map(({ startsAt, endsAt }) => [startsAt, endsAt]);
    expect(free).toContainEqual(expected);
  });

  it('are none where it is always open, also by hours that leave nothing out', async () => {
    const always = { open: true, opening: null, next_change_at: null };
    const at = '2027-03-18T12:00:00.000Z'; // when nothing is announced
    expect(await openingOf(await houseIn('Asia/Tokyo'), at)).toEqual(always);
    const all = await houseIn('Asia/Tokyo', [
      [0, 60],
      [60, 1440],
    ]);
    expect(await openingOf(all, at)).toEqual(always);
  });
});

describe('the door of the Atelier', () => {
  const door = async (at: string) => {
    const panel = screens.find(({ name }) => name === 'panel of atelier');
    if (!panel) throw new Error('the Atelier has a panel');
    const { content } = await shown(panel, new Date(at));
    return [content.now?.starts_at ?? null, content.next?.starts_at ?? null];
  };

  it('turns from next to now when a booking begins and lets go of it when it ends', async () => {
    const mixing = '2026-03-17T08:30:00.000Z';
    expect((await door('2026-03-17T08:29:59.999Z'))[1]).toBe(mixing);
    expect((await door(mixing))[0]).toBe(mixing);
    expect((await door('2026-03-17T09:59:59.999Z'))[0]).toBe(mixing);
    expect((await door('2026-03-17T10:00:00.000Z'))[0]).toBeNull();
  });

  it('shows neither what is pending nor what was cancelled', async () => {
    for (const screen of screens) {
      const hidden = rows.bookings.filter(({ status }) => status !== 'confirmed');
      for (const { startsAt } of hidden.slice(0, 10)) {
        const { bookings } = await shown(screen, startsAt);
        expect(bookings.map(idOf).filter((id) => hidden.some((row) => row.id === id))).toEqual([]);
      }
    }
  });
});
