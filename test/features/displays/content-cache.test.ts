import fc from 'fast-check';
import type { Sql } from '../../../src/db/prepared-statement.ts';
import { createContentCache } from '../../../src/features/displays/content-cache.ts';
import { computeOpeningSchedule } from '../../../src/features/displays/opening-schedule.ts';
import type { Device } from '../../../src/features/displays/service/device-lookup.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

// The cache of display contents, over a fake database.

const NOW = new Date('2026-03-18T09:30:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

const device = (n: number, contentVersion = '1'): Device => ({
  id: `display-${n}`,
  name: `Screen ${n}`,
  kind: 'room_panel',
  locationId: `location-${n}`,
  resourceId: `room-${n}`,
  contentVersion,
});

const EMPTY = {
  content: '{"title":"Nothing"}',
  lists: '{"bookings":[]}',
  calendar: '{"timeZone":"UTC","hours":[],"closures":[]}',
};

/** Records each query as location and time. */
function database(response: (at: Date) => Promise<{ placement: string; until: Date | null }>) {
  const queries: string[] = [];
  const sql = (async (_: unknown, [location, now]: [string, Date]) => {
    queries.push(`${location} ${now.toISOString()}`);
    return [{ ...EMPTY, ...(await response(now)) }];
  }) as unknown as Sql;
  return { queries, ...createContentCache(sql) };
}

it('reads each screen once while nothing changes, even when contents are evicted', async () => {
  const { queries, getDigest } = database(async () => ({ placement: '{}', until: null }));
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 6_000; n += 1) await getDigest(device(n), NOW);
  }
  expect(queries).toHaveLength(6_000);
});

it('reads evicted contents again, but not recently used ones', async () => {
  const { queries, getContent } = database(async () => ({ placement: '{}', until: null }));
  for (let n = 0; n < 5_000; n += 1) await getContent(device(n), NOW);
  await getContent(device(0), NOW);
  await getContent(device(5_000), NOW);
  queries.length = 0;
  await getContent(device(0), NOW);
  expect(queries).toEqual([]);
  await getContent(device(1), NOW);
  expect(queries).toHaveLength(1);
});

it('shares a read in progress with requests for which its result is still valid', async () => {
  const start = after(1_000);
  let finish = () => {};
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { queries, getContent } = database(async (at) => {
    if (at < start) await reading;
    return at < start
      ? { placement: '"before"', until: start }
      : { placement: '"after"', until: null };
  });
  const both = [getContent(device(1), NOW), getContent(device(1), after(500))];
  const late = getContent(device(1), after(2_000));
  finish();
  expect((await Promise.all(both)).map(({ placement }) => placement)).toEqual([
    '"before"',
    '"before"',
  ]);
  expect((await late).placement).toBe('"after"');
  expect(queries).toHaveLength(2);
});

it('throws the error of a failed read and retries for the next request', async () => {
  let fails = true;
  const { getContent } = database(async () => {
    if (fails) throw new Error('no connection');
    return { placement: '{}', until: null };
  });
  await expect(getContent(device(1), NOW)).rejects.toThrow('no connection');
  fails = false;
  expect((await getContent(device(1), NOW)).placement).toBe('{}');
});

it('computes an opening schedule that stays the same until exactly its `until`', () => {
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
  checkProperty(
    fc.property(
      calendar,
      fc.integer({ min: 0, max: 300 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (calendar, hour, share) => {
        const now = Date.UTC(2026, 2, 14, hour);
        const { from: _, ...schedule } = computeOpeningSchedule(calendar, now);
        const { until, ...status } = schedule;
        expect(until).toBeGreaterThan(now);
        if (Number.isFinite(until))
          expect(computeOpeningSchedule(calendar, until)).not.toMatchObject(status);
        const end = Math.min(until, now + 400 * 86_400_000);
        const instant = now + Math.floor(share * (end - 1 - now));
        expect(computeOpeningSchedule(calendar, instant)).toMatchObject(schedule);
        expect(computeOpeningSchedule(calendar, end - 1)).toMatchObject(schedule);
      },
    ),
    { numRuns: propertyRuns(20) },
  );
});

it('shows when a location opened from the start of yesterday on, and null before', () => {
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
