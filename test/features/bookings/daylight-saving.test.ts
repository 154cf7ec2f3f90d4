import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { eachSlotStart } from '../../../src/features/bookings/rules/slots.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

interface Change {
  zone: string;
  date: string;
  /** The length of that day. */
  hours: number;
  /** A time that the clocks skip or repeat that day. */
  skipped?: string;
  twice?: { time: string; offsets: [string, string] };
  /** The number of starts that day by the slot interval in minutes. */
  starts: { 15: number; 30: number; 60: number };
}

// biome-ignore format: a table reads best with a line or two a row
const CHANGES: Change[] = [
  { zone: 'Europe/Berlin', date: '2026-03-29', hours: 23, skipped: '02:30', starts: { 15: 92, 30: 46, 60: 23 } },
  { zone: 'Europe/Berlin', date: '2026-10-25', hours: 25, starts: { 15: 100, 30: 50, 60: 25 },
    twice: { time: '02:30', offsets: ['+02:00', '+01:00'] } },
  { zone: 'America/New_York', date: '2026-03-08', hours: 23, skipped: '02:30', starts: { 15: 92, 30: 46, 60: 23 } },
  { zone: 'America/New_York', date: '2026-11-01', hours: 25, starts: { 15: 100, 30: 50, 60: 25 },
    twice: { time: '01:30', offsets: ['-04:00', '-05:00'] } },
  { zone: 'Australia/Lord_Howe', date: '2026-04-05', hours: 24.5, starts: { 15: 98, 30: 49, 60: 24 },
    twice: { time: '01:30', offsets: ['+11:00', '+10:30'] } },
  { zone: 'Australia/Lord_Howe', date: '2026-10-04', hours: 23.5, skipped: '02:15', starts: { 15: 94, 30: 47, 60: 23 } },
  { zone: 'Asia/Kathmandu', date: '2026-03-29', hours: 24, starts: { 15: 96, 30: 48, 60: 24 } },
];
const named = CHANGES.map((change) => [`${change.zone} on ${change.date}`, change] as const);
const skipping = named.filter(([, { skipped }]) => skipped !== undefined);
const repeating = named.filter(([, { twice }]) => twice !== undefined);

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  token = await app.token('bookings:read', 'bookings:write', 'spaces:read');
});
afterAll(() => app.stop());
beforeEach(() => {
  app.clock.now = new Date('2026-02-01T12:00:00Z');
});

const HOUR = 3_600_000;
let places = 0;

/** A new room in that zone, open between these times every day or always. */
async function place(timeZone: string, rules: object = {}, hours?: [string, string]) {
  places += 1;
  const { db } = app.ctx;
  const location = await db.location.create({
    data: { slug: `place-${places}`, name: `Place ${places}`, timeZone },
  });
  if (hours) {
    const [opensMinute, closesMinute] = hours.map(toMinute) as [number, number];
    const weekdays = [1, 2, 3, 4, 5, 6, 7];
    await db.openingHours.createMany({
      data: weekdays.map((weekday) => ({
        locationId: location.id,
        weekday,
        opensMinute,
        closesMinute,
      })),
    });
  }
  const slug = `room-${places}`;
  const room = await db.resource.create({
    data: { locationId: location.id, slug, name: slug, type: 'room', minMinutes: 15, ...rules },
  });
  return room.id;
}

function toMinute(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

const at = (date: string, time: string, zone: string) =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone);
type Zoned = Temporal.ZonedDateTime;
const instant = (zoned: Zoned) => new Date(zoned.epochMilliseconds).toISOString();
const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();
const dayAfter = (date: string) => Temporal.PlainDate.from(date).add({ days: 1 }).toString();

async function toDay(resourceId: string, { date, zone }: Change, minutes = 15) {
  const { data, errors } = await app.graphql(
    `query ($from: DateTime!, $to: DateTime!, $minutes: Int, $id: ID) {
      availability(from: $from, to: $to, minutes: $minutes, resourceId: $id) {
        free { startsAt endsAt localStart } slots { startsAt endsAt localStart } } }`,
    {
      from: instant(at(date, '00:00', zone)),
      to: instant(at(dayAfter(date), '00:00', zone)),
      minutes,
      id: resourceId,
    },
    { token },
  );
  expect(errors).toEqual([]);
  const [found] = data.availability;
  return found as Record<
    'free' | 'slots',
    { startsAt: string; endsAt: string; localStart: string }[]
  >;
}

const getHours = (spans: { startsAt: string; endsAt: string }[]) =>
  spans.reduce((sum, span) => sum + Date.parse(span.endsAt) - Date.parse(span.startsAt), 0) / HOUR;

const CREATE_SERIES = `mutation ($input: CreateBookingSeriesInput!) { createBookingSeries(input: $input) { bookingSeries {
    bookings { startsAt endsAt } conflicts { startsAt localStart reasons { reason overridable } } } } }`;

const seriesInput = (resourceId: string, startsAt: Zoned, rule: string) => ({
  resourceId,
  startsAt: instant(startsAt),
  endsAt: instant(startsAt.add({ minutes: 30 })),
  guest: { name: 'Gisa Guest' },
  rule,
});

/** A daily series that begins on the day before. */
function series(resourceId: string, { date, zone }: Change, time: string, more: object = {}) {
  const startsAt = at(dayBefore(date), time, zone);
  const input = { ...seriesInput(resourceId, startsAt, 'FREQ=DAILY;COUNT=3'), ...more };
  return app.graphql(CREATE_SERIES, { input }, { token });
}

describe.each(named)('a clock change: %s', (_, change) => {
  const { zone, date, hours, starts } = change;

  it('keeps a series at its local time', async () => {
    const { data } = await series(await place(zone), change, '09:00');
    const found: { startsAt: string; endsAt: string }[] =
      data.createBookingSeries.bookingSeries.bookings;
    const localTimes = found.map(({ startsAt }) =>
      Temporal.Instant.from(startsAt).toZonedDateTimeISO(zone).toPlainDateTime().toString(),
    );
    expect(localTimes).toEqual(
      [dayBefore(date), date, dayAfter(date)].map((day) => `${day}T09:00:00`),
    );
    expect(found.map((booking) => getHours([booking]))).toEqual([0.5, 0.5, 0.5]);
    const [first, second] = found.map(({ startsAt }) => Date.parse(startsAt));
    expect(((second ?? 0) - (first ?? 0)) / HOUR).toBe(hours);
  });

  it('gives the day its real length at a location that is always open', async () => {
    const { free } = await toDay(await place(zone), change);
    expect(free).toHaveLength(1);
    expect(getHours(free)).toBe(hours);
  });

  it('changes the length of the night only', async () => {
    const early = await toDay(await place(zone, {}, ['00:00', '06:00']), change);
    expect(getHours(early.free)).toBe(hours - 18);
    const late = await toDay(await place(zone, {}, ['06:00', '24:00']), change);
    expect(getHours(late.free)).toBe(18);
  });

  it.each([15, 30, 60] as const)('leaves the starts on a grid of %i minutes', async (grid) => {
    const { slots } = await toDay(await place(zone, { gridMinutes: grid }), change, grid);
    expect(slots).toHaveLength(starts[grid]);
    expect(new Set(slots.map(({ startsAt }) => startsAt)).size).toBe(starts[grid]);
    for (const { startsAt, localStart } of slots) {
      expect(toMinute(localStart.slice(11, 16)) % grid).toBe(0);
      expect(Temporal.Instant.from(localStart).equals(Temporal.Instant.from(startsAt))).toBe(true);
    }
  });

  it('counts days ahead by the calendar', async () => {
    const resourceId = await place(zone, { daysAhead: 1 });
    app.clock.now = new Date(at(dayBefore(date), '00:00', zone).epochMilliseconds);
    const reasons = async (start: Zoned) => {
      const { data } = await app.graphql(
        'query ($input: CreateBookingInput!) { previewBooking(input: $input) { reasons { reason } } }',
        {
          input: {
            resourceId,
            startsAt: instant(start),
            endsAt: instant(start.add({ minutes: 30 })),
            guest: { name: 'Gisa Guest' },
          },
        },
        { token },
      );
      return data.previewBooking.reasons.map(({ reason }: { reason: string }) => reason);
    };
    expect(await reasons(at(date, '23:45', zone))).toEqual([]);
    expect(await reasons(at(dayAfter(date), '00:00', zone))).toEqual(['TOO_FAR_AHEAD']);
  });
});

describe.each(skipping)('times that the clocks skip: %s', (_, change) => {
  const { zone, date, skipped = '' } = change;

  it('are not offered', async () => {
    const { slots } = await toDay(await place(zone), change);
    const local = slots.map(({ localStart }) => localStart.slice(0, 16));
    expect(local).not.toContain(`${date}T${skipped}`);
    expect(local).toContain(`${date}T03:00`);
  });

  it('are reported as conflicts of a series', async () => {
    const resourceId = await place(zone);
    const rejected = await series(resourceId, change, skipped);
    const conflict = { startsAt: null, localStart: `${date}T${skipped}` };
    expect(rejected.errors[0]?.extensions).toMatchObject({
      reason: 'SERIES_CONFLICTS',
      conflicts: [{ ...conflict, reasons: [{ reason: 'NO_SUCH_TIME' }] }],
    });
    const { data } = await series(resourceId, change, skipped, { onConflict: 'SKIP' });
    expect(data.createBookingSeries.bookingSeries).toMatchObject({
      bookings: [{}, {}],
      conflicts: [{ ...conflict, reasons: [{ reason: 'NO_SUCH_TIME', overridable: false }] }],
    });
  });

  it('open and close a location at the clock change', async () => {
    const moment = instant(at(date, '00:00', zone).getTimeZoneTransition('next') as Zoned);
    const free = async (hours: [string, string]) =>
      (await toDay(await place(zone, {}, hours), change)).free[0];
    expect((await free([skipped, '12:00']))?.startsAt).toBe(moment);
    expect((await free(['00:00', skipped]))?.endsAt).toBe(moment);
  });
});

describe.each(repeating)('times that the clocks show twice: %s', (_, change) => {
  const { zone, date, twice = { time: '', offsets: [] } } = change;

  it('are listed twice with different UTC offsets', async () => {
    const { slots } = await toDay(await place(zone), change);
    const local = slots.map(({ localStart }) => localStart);
    expect(local.filter((start) => start.startsWith(`${date}T${twice.time}`))).toEqual(
      twice.offsets.map((offset) => `${date}T${twice.time}${offset}`),
    );
  });

  it('can be booked once each, and a series uses the first', async () => {
    const resourceId = await place(zone);
    await series(resourceId, change, twice.time);
    const { slots } = await toDay(resourceId, change, 30);
    const local = slots.map(({ localStart }) => localStart);
    expect(local).not.toContain(`${date}T${twice.time}${twice.offsets[0]}`);
    expect(local).toContain(`${date}T${twice.time}${twice.offsets[1]}`);
  });

  it('start a series at the chosen one', async () => {
    const resourceId = await place(zone);
    const second = Temporal.Instant.from(`${date}T${twice.time}${twice.offsets[1]}`);
    const startsAt = second.toZonedDateTimeISO(zone);
    const { data } = await app.graphql(
      CREATE_SERIES,
      { input: seriesInput(resourceId, startsAt, 'FREQ=DAILY;COUNT=2') },
      { token },
    );
    const [first, next] = data.createBookingSeries.bookingSeries.bookings;
    expect(first.startsAt).toBe(instant(startsAt));
    expect(next.startsAt).toBe(instant(startsAt.add({ days: 1 })));
  });
});

describe('the starts on a grid', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const SPAN_MINUTES = 30 * 60;

  /** Near a clock change if the zone has any. */
  const moments = fc
    .record({
      zone: fc.constantFrom(...zones),
      day: fc.integer({ min: 0, max: 366 * 9 }),
      before: fc.integer({ min: 0, max: SPAN_MINUTES }),
    })
    .map(({ zone, day, before }) => {
      const somewhen = Temporal.Instant.from('2026-01-01T00:00Z').add({ hours: day * 24 });
      const change = somewhen.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
      const { epochMilliseconds } = change ?? somewhen;
      return { zone, start: epochMilliseconds - before * 60_000 };
    });

  it('equal a search minute by minute, in any zone', () => {
    checkProperty(
      fc.property(moments, fc.constantFrom(5, 10, 15, 20, 30, 45, 60, 90, 720), (moment, grid) => {
        const { zone, start } = moment;
        const end = start + SPAN_MINUTES * 60_000;
        const walked: number[] = [];
        for (let now = start; now < end; now += 60_000) {
          const { hour, minute } =
            Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
          if ((hour * 60 + minute) % grid === 0) walked.push(now);
        }
        expect([...eachSlotStart(grid, zone, { start, end })]).toEqual(walked);
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});
