import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { formatLocalDateTime } from '../../src/core/time/format.ts';
import { findInstants } from '../../src/core/time/local-time.ts';
import { expandSeriesRule } from '../../src/features/bookings/rules/series-occurrences.ts';
import { BOOKING_CSV_HEADER, toBookingCsvLines } from '../../src/web/admin/bookings/booking-csv.ts';
import {
  describeRepeat,
  findRepeatKind,
  listRepeatOptions,
  type Repeat,
  toRepeatRule,
} from '../../src/web/admin/bookings/booking-repeat.ts';
import {
  changeTimes,
  fillInTimes,
  findEndProblem,
  formatCancellationTerms,
  formatTimesOnDay,
  toBookingTimes,
  toTimeSpan,
} from '../../src/web/admin/bookings/booking-times.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const BERLIN = 'Europe/Berlin';
const berlin = (startsAt: string, endsAt: string) => toBookingTimes({ startsAt, endsAt }, BERLIN);

describe('the times of a booking form', () => {
  it('keep the instants of any booking that nobody changes', () => {
    const zones = fc.constantFrom(
      BERLIN,
      'America/Havana',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    );
    const start = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) });
    const night = fc.integer({ min: Date.UTC(2026, 9, 24, 20), max: Date.UTC(2026, 9, 25, 6) });
    const minutes = fc.integer({ min: 1, max: 10_080 });
    checkProperty(
      fc.property(zones, fc.oneof(start, night), minutes, (timeZone, at, length) => {
        const startsAt = new Date(Math.floor(at / 60_000) * 60_000).toISOString();
        const endsAt = new Date(Date.parse(startsAt) + length * 60_000).toISOString();
        const times = toBookingTimes({ startsAt, endsAt }, timeZone);
        expect(toTimeSpan(times, timeZone)).toEqual({ startsAt, endsAt });
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('keep the length of a booking of three days that moves to another day', () => {
    const times = berlin('2027-04-06T22:00:00.000Z', '2027-04-09T22:00:00.000Z');
    const moved = changeTimes(times, { day: '2027-04-14' }, BERLIN);
    expect(toTimeSpan(moved, BERLIN)).toEqual({
      startsAt: '2027-04-13T22:00:00.000Z',
      endsAt: '2027-04-16T22:00:00.000Z',
    });
  });

  it('keep the times of day on another day, also across a clock change', () => {
    const times = berlin('2027-03-20T08:00:00.000Z', '2027-03-20T10:00:00.000Z');
    const moved = changeTimes(times, { day: '2027-03-29' }, BERLIN);
    expect(moved).toMatchObject({ from: '09:00', to: '11:00', endDay: '2027-03-29' });
  });

  it('move the end with the start, also while the start is empty in between', () => {
    const times = berlin('2027-04-07T14:30:00.000Z', '2027-04-07T16:30:00.000Z');
    const emptied = changeTimes(times, { from: '' }, BERLIN);
    expect(toTimeSpan(emptied, BERLIN)).toBeNull();
    const moved = changeTimes(emptied, { from: '18:45' }, BERLIN);
    expect(moved).toMatchObject({ to: '20:45', endDay: '2027-04-07', minutes: 120 });
    const late = changeTimes(moved, { from: '23:00' }, BERLIN);
    expect(late).toMatchObject({ to: '01:00', endDay: '2027-04-08' });
  });

  it('put a typed end on the day of the start or on the next one, unless the booking is longer', () => {
    const times = fillInTimes('2027-04-07', '18:00', '19:00', BERLIN);
    const overnight = changeTimes(times, { to: '02:00' }, BERLIN);
    expect(overnight.endDay).toBe('2027-04-08');
    expect(changeTimes(overnight, { to: '20:00' }, BERLIN).endDay).toBe('2027-04-07');
    const long = changeTimes(times, { endDay: '2027-04-10' }, BERLIN);
    expect(changeTimes(long, { to: '20:00' }, BERLIN).endDay).toBe('2027-04-10');
  });

  it('say what is wrong with the end', () => {
    const times = fillInTimes('2027-03-27', '18:00', '', BERLIN);
    expect(findEndProblem(times, BERLIN)).toBe('Select an end time');
    const backwards = { ...times, endDay: '2027-03-26', to: '19:00' };
    expect(findEndProblem(backwards, BERLIN)).toBe('Select an end after the start');
    const skipped = { ...times, endDay: '2027-03-28', to: '02:30' };
    expect(findEndProblem(skipped, BERLIN)).toMatch(/does not exist/);
    expect(findEndProblem({ ...times, to: '19:00' }, BERLIN)).toBeNull();
  });
});

const NOW = new Date('2026-03-18T09:30:00Z');
const LATER = '2026-03-19T09:30:00Z';
const EARLIER = '2026-03-17T09:30:00Z';
const deadline = formatLocalDateTime(LATER, 'Europe/Berlin');

describe('the times on one of the days of a booking', () => {
  it('are those of that day', () => {
    const [startsAt, endsAt] = ['2026-03-18T08:00:00Z', '2026-03-20T16:00:00Z'];
    const onDay = (day: string, slot = { startsAt, endsAt }) => formatTimesOnDay(slot, day, BERLIN);
    expect(['2026-03-18', '2026-03-19', '2026-03-20'].map((day) => onDay(day))).toEqual([
      ...['From 09:00', 'All day', 'Until 17:00'],
    ]);
    // A day of 23 hours, and a booking until midnight.
    const short = { startsAt: '2026-03-28T23:00:00Z', endsAt: '2026-03-29T22:00:00Z' };
    expect(onDay('2026-03-29', short)).toBe('All day');
    const evening = { startsAt: '2026-03-18T19:00:00Z', endsAt: '2026-03-18T23:00:00Z' };
    expect(onDay('2026-03-18', evening)).toBe('20:00 – 24:00');
  });
});

describe('the terms of cancellation', () => {
  it.each([
    ['CONFIRMED', LATER, `You can cancel this booking free of charge until ${deadline}.`],
    ['CONFIRMED', EARLIER, 'This booking starts too soon to cancel it free of charge.'],
    [
      'PENDING',
      LATER,
      `Staff must approve this booking. You can cancel it free of charge until they do, and in any case until ${deadline}.`,
    ],
    [
      'PENDING',
      EARLIER,
      'Staff must approve this booking. You can cancel it free of charge until they do, but not after that.',
    ],
  ] as const)(
    'of a %s booking, free until %s, do not contradict each other',
    (status, freeCancellationUntil, terms) => {
      expect(
        formatCancellationTerms({ status, freeCancellationUntil }, 'cancel', 'Europe/Berlin', NOW),
      ).toBe(terms);
    },
  );
});

describe('a repeated booking', () => {
  const WEEKDAYS = [
    ...(['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY'] as const),
    ...(['FRIDAY', 'SATURDAY', 'SUNDAY'] as const),
  ];
  const isLastOfItsKind = (date: Temporal.PlainDate) => date.day > date.daysInMonth - 7;

  /** Whether a booking that starts on `first` repeats on a day, without recurrence rules. */
  function repeatsOn(date: Temporal.PlainDate, first: Temporal.PlainDate, repeat: Repeat): boolean {
    const isSameWeekday = date.dayOfWeek === first.dayOfWeek;
    switch (findRepeatKind(repeat, first.toString())) {
      case 'DAILY':
        return true;
      case 'WEEKLY': {
        const weekday = WEEKDAYS[date.dayOfWeek - 1];
        return isSameWeekday || (weekday !== undefined && repeat.weekdays.includes(weekday));
      }
      case 'MONTHLY':
        return date.day === first.day;
      case 'MONTHLY_WEEKDAY':
        return isSameWeekday && Math.ceil(date.day / 7) === Math.ceil(first.day / 7);
      case 'MONTHLY_LAST':
        return isSameWeekday && isLastOfItsKind(date);
      default:
        return date.equals(first);
    }
  }

  it('is on the days of its plain words, at the same local time, in every zone', () => {
    const arbitrary = fc.record({
      zone: fc.constantFrom(BERLIN, 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia'),
      day: fc.integer({ min: 0, max: 1_200 }),
      // Most clock changes are at these hours.
      hour: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 })),
      half: fc.boolean(),
      repeat: fc.constantFrom(
        ...(['DAILY', 'WEEKLY', 'MONTHLY', 'MONTHLY_WEEKDAY', 'MONTHLY_LAST'] as const),
      ),
      weekdays: fc.subarray([...WEEKDAYS]),
      count: fc.integer({ min: 2, max: 40 }),
    });
    checkProperty(
      fc.property(arbitrary, ({ zone, day, hour, half, ...repeat }) => {
        const first = Temporal.PlainDate.from('2026-01-01').add({ days: day });
        const time = Temporal.PlainTime.from({ hour, minute: half ? 30 : 0 });
        const [start] = findInstants(first.toPlainDateTime(time), zone);
        fc.pre(start !== undefined);
        const expected: (number | null)[] = [];
        for (let date = first; expected.length < repeat.count; date = date.add({ days: 1 }))
          if (repeatsOn(date, first, repeat))
            expected.push(findInstants(date.toPlainDateTime(time), zone)[0] ?? null);
        const rule = toRepeatRule(repeat, first.toString()) ?? '';
        expect(expandSeriesRule(rule, start, zone).map(({ instant }) => instant)).toEqual(expected);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('has plain words', () => {
    const describe = (day: string, repeat: Partial<Repeat>) =>
      describeRepeat({ repeat: 'WEEKLY', weekdays: [], count: 4, ...repeat }, day);
    expect(describe('2026-03-19', { weekdays: ['MONDAY'] })).toBe(
      'Every week on Monday and Thursday',
    );
    expect(describe('2026-03-27', { repeat: 'MONTHLY_LAST' })).toBe(
      'Every month on the last Friday',
    );
    expect(describe('2026-01-31', { repeat: 'MONTHLY' })).toBe(
      'Every month on day 31. Months without this day are skipped.',
    );
    expect(listRepeatOptions('2026-05-29').map(({ label }) => label)).toEqual([
      ...['Does not repeat', 'Every day', 'Every week', 'Every month on day 29'],
      'Every month on the last Friday',
    ]);
  });
});

it('exports bookings with the times of their location and who pays for them', () => {
  const price = { amount: 1250, currency: 'EUR' };
  const booking = {
    ...{ id: '1', status: 'CONFIRMED', title: null, checkedInAt: null, price },
    ...{ startsAt: '2027-10-30T22:00:00.000Z', endsAt: '2027-10-31T23:00:00.000Z', guest: null },
    location: { id: '2', name: 'Pier', timeZone: 'Europe/Berlin' },
    resource: { id: '3', name: 'Desk 01' },
    member: {
      ...{ id: '4', name: 'Ada', email: 'ada@example.org', company: 'Engines' },
      team: { id: '5', name: 'Sails' },
    },
    membership: { id: '6', plan: { id: '7', name: 'Flex' } },
    payment: { status: 'UNPAID', due: price, paid: price, open: price, surplus: price },
  } as unknown as Parameters<typeof toBookingCsvLines>[0];
  const [cells = []] = toBookingCsvLines(booking);
  const values = Object.fromEntries(BOOKING_CSV_HEADER.map((name, n) => [name, cells[n]]));
  expect(values).toMatchObject({
    ...{ starts_at: '2027-10-31 00:00', ends_at: '2027-11-01 00:00', time_zone: 'Europe/Berlin' },
    ...{ hours: '25', booked_by: 'Ada', email: 'ada@example.org', company: 'Engines' },
    ...{ team: 'Sails', plan: 'Flex', price: '12.50', currency: 'EUR', payment: 'unpaid', id: '1' },
  });
  const guest = { ...booking, member: null, guest: { name: 'Bo', email: 'bo@example.org' } };
  expect(toBookingCsvLines({ ...guest, membership: null })[0]).toContain('bo@example.org');
});
