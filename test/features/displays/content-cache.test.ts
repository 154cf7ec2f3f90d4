import fc from 'fast-check';
import type { Sql } from '../../../src/db/prepared-statement.ts';
import { createContentCache } from '../../../src/features/displays/content-cache.ts';
import type { Device } from '../../../src/features/displays/device-lookup.ts';
import { computeOpeningSchedule } from '../../../src/features/displays/opening-schedule.ts';
import { propertyRuns } from '../../support/property-runs.ts';

// What a process keeps of contents, over a database that answers as a test likes.

const NOW = new Date('2026-03-18T09:30:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

const device = (n: number, stamp = '1'): Device => ({
  id: `display-${n}`,
  name: `Screen ${n}`,
  kind: 'room_panel',
  locationId: `location-${n}`,
  resourceId: `room-${n}`,
  stamp,
});

const EMPTY = {
  content: '{"title":"Nothing"}',
  lists: '{"bookings":[]}',
  calendar: '{"timeZone":"UTC","hours":[],"closures":[]}',
};

/** Says what it was asked, and when: the location and the time. */
function database(answer: (at: Date) => Promise<{ place: string; until: Date | null }>) {
  const asked: string[] = [];
  const sql = (async (_: unknown, [location, now]: [string, Date]) => {
    asked.push(`${location} ${now.toISOString()}`);
    return [{ ...EMPTY, ...(await answer(now)) }];
  }) as unknown as Sql;
  return { asked, ...createContentCache(sql) };
}

it('more screens than there is room for are read no more than once while nothing changes', async () => {
  const { asked, digestOf } = database(async () => ({ place: '{}', until: null }));
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 6_000; n += 1) await digestOf(device(n), NOW);
  }
  expect(asked).toHaveLength(6_000);
});

it('whole contents that made way are read again, and those used lately are not', async () => {
  const { asked, contentsOf } = database(async () => ({ place: '{}', until: null }));
  for (let n = 0; n < 5_000; n += 1) await contentsOf(device(n), NOW);
  await contentsOf(device(0), NOW);
  await contentsOf(device(5_000), NOW);
  asked.length = 0;
  await contentsOf(device(0), NOW);
  expect(asked).toEqual([]);
  await contentsOf(device(1), NOW);
  expect(asked).toHaveLength(1);
});

it('who comes while it is being read waits for it, unless it holds no longer by then', async () => {
  const start = later(1_000);
  let finish = () => {};
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { asked, contentsOf } = database(async (at) => {
    if (at < start) await reading;
    return at < start ? { place: '"before"', until: start } : { place: '"after"', until: null };
  });
  const both = [contentsOf(device(1), NOW), contentsOf(device(1), later(500))];
  const late = contentsOf(device(1), later(2_000));
  finish();
  expect((await Promise.all(both)).map(({ place }) => place)).toEqual(['"before"', '"before"']);
  expect((await late).place).toBe('"after"');
  expect(asked).toHaveLength(2);
});

it('a read that fails is told to who asked, and tried again for the next', async () => {
  let fails = true;
  const { contentsOf } = database(async () => {
    if (fails) throw new Error('no connection');
    return { place: '{}', until: null };
  });
  await expect(contentsOf(device(1), NOW)).rejects.toThrow('no connection');
  fails = false;
  expect((await contentsOf(device(1), NOW)).place).toBe('{}');
});

it('what was reckoned of hours holds until it says that it does not, and then indeed not', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 2, 20 + n)).toISOString().slice(0, 10);
  const hours = fc.constantFrom(
    [],
    [[0, 1440]],
    [[480, 1200]],
    [
      [0, 120],
      [1320, 1440],
    ],
  );
  const closure = fc
    .tuple(fc.integer({ min: -20, max: 200 }), fc.constantFrom(0, 1, 6, 130))
    .map(([first, days]) => ({ startsOn: day(first), endsOn: day(first + days), reason: null }));
  const week = fc.oneof(
    hours.map((daily) => Array.from({ length: 7 }, () => daily)),
    fc.tuple(...Array.from({ length: 7 }, () => hours)),
  );
  const calendar = fc.record({
    timeZone: fc.constantFrom('Europe/Berlin', 'America/Santiago'),
    hours: week.map((week) =>
      week.flatMap((spans, index) =>
        spans.map(([opensMinute = 0, closesMinute = 0]) => ({
          weekday: index + 1,
          opensMinute,
          closesMinute,
        })),
      ),
    ),
    closures: fc.array(closure, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(
      calendar,
      fc.integer({ min: 0, max: 300 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (calendar, hour, share) => {
        const now = Date.UTC(2026, 2, 14, hour);
        const { from: _, ...held } = computeOpeningSchedule(calendar, now);
        const { until, ...told } = held;
        expect(until).toBeGreaterThan(now);
        if (Number.isFinite(until))
          expect(computeOpeningSchedule(calendar, until)).not.toMatchObject(told);
        const end = Math.min(until, now + 400 * 86_400_000);
        const later = now + Math.floor(share * (end - 1 - now));
        expect(computeOpeningSchedule(calendar, later)).toMatchObject(held);
        expect(computeOpeningSchedule(calendar, end - 1)).toMatchObject(held);
      },
    ),
    { numRuns: propertyRuns(20) },
  );
});

it('an opening is told from the start of yesterday on, and midnights change nothing else', () => {
  const daily = (...weekdays: number[]) =>
    weekdays.map((weekday) => ({ weekday, opensMinute: 0, closesMinute: 1440 }));
  const berlin = { timeZone: 'Europe/Berlin', closures: [] };
  const tuesday = computeOpeningSchedule(
    { ...berlin, hours: daily(1, 2) },
    Date.parse('2026-03-17T11:00:00Z'),
  );
  expect(tuesday.opening?.[0]?.opens_at).toBe('2026-03-15T23:00:00.000Z');
  const wednesday = computeOpeningSchedule(
    { ...berlin, hours: daily(1, 2, 3) },
    Date.parse('2026-03-18T11:00:00Z'),
  );
  expect(wednesday.opening?.[0]?.opens_at).toBeNull();

  const closure = { startsOn: '2027-03-01', endsOn: '2027-03-01', reason: null };
  const always = computeOpeningSchedule(
    { ...berlin, hours: [], closures: [closure] },
    NOW.getTime(),
  );
  expect(always).toMatchObject({ open: true, opening: null });
  // A hundred days before the closure.
  expect(new Date(always.until).toISOString()).toBe('2026-11-20T23:00:00.000Z');
});
