import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { createWallClockRule, listOccurrences } from '../../src/core/time/recurrence.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const START = Temporal.PlainDateTime.from('2024-01-31T10:00');
const FROM = Temporal.PlainDateTime.from('2025-03-01T00:00');
const TO = Temporal.PlainDateTime.from('2027-03-01T00:00');

function list(rule: string, start = START, from = FROM): string[] {
  const steps = listOccurrences(rule, start, { from, to: TO, max: 5_000 });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.map((at) => at.toString());
  }
}

/** The occurrences as the library finds them in one piece. */
const listAtOnce = (rule: string, start = START, from = FROM): string[] =>
  createWallClockRule(rule, start)
    .all((at) => at.year <= TO.year)
    .filter((at) => Temporal.PlainDateTime.compare(from, at) <= 0)
    .filter((at) => Temporal.PlainDateTime.compare(at, TO) <= 0)
    .map((at) => at.toString());

const part = (name: string, values: string[]) =>
  fc.option(
    fc.constantFrom(...values).map((value) => `${name}=${value}`),
    { nil: null },
  );

const toRule = (parts: (string | null)[]) => parts.filter((text) => text !== null).join(';');

const rules = fc
  .tuple(
    fc.constantFrom(
      'FREQ=HOURLY;INTERVAL=5',
      'FREQ=DAILY',
      'FREQ=WEEKLY',
      'FREQ=MONTHLY',
      'FREQ=YEARLY',
    ),
    part('BYDAY', ['MO', 'WE,FR', 'SA,SU']),
    part('BYMONTH', ['2', '1,3,10']),
    part('BYMONTHDAY', ['1,15', '-1']),
    part('BYSETPOS', ['1', '-1']),
    fc.integer({ min: 1, max: 400 }).map((count) => `COUNT=${count}`),
  )
  .filter(([freq, days, , monthDays, positions]) =>
    freq.includes('WEEKLY') ? monthDays === null : positions === null || days !== null,
  )
  .map(toRule);

describe('the occurrences of a rule with COUNT', () => {
  it('are the same, month by month, as those from its start', async () => {
    await checkProperty(
      fc.property(rules, (rule) => {
        expect([rule, ...list(rule)]).toEqual([rule, ...listAtOnce(rule)]);
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  it.each(['FREQ=HOURLY;COUNT=900000', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2'])(
    'are not counted for ever: %s',
    (rule) => {
      const steps = listOccurrences(rule, START.with({ year: 1601 }), {
        from: FROM,
        to: TO,
        max: 1,
      });
      expect(() => {
        while (!steps.next().done);
      }).toThrow(/^Maximum/);
    },
  );
});

/** Days that not every month or year has are among them. */
const anyStarts = fc
  .tuple(
    fc.integer({ min: 2018, max: 2024 }),
    fc.constantFrom(
      '01-01',
      '01-02',
      '01-31',
      '02-28',
      '02-29',
      '04-30',
      '07-15',
      '12-28',
      '12-31',
    ),
  )
  .map(([year, day]) =>
    Temporal.PlainDateTime.from(`${year}-${day === '02-29' && year % 4 ? '03-01' : day}T10:00`),
  );
/** Days in the last week of the year before. */
const lateStarts = fc
  .constantFrom('2021-01-02', '2022-01-01', '2027-01-01')
  .map((day) => Temporal.PlainDateTime.from(`${day}T10:00`));
const starts = fc.oneof(anyStarts, lateStarts);

/** Half of the runs find the occurrences since the start. */
const isSinceStart = fc.boolean();

const interval = part('INTERVAL', ['2', '3', '5']);
const weekStart = part('WKST', ['SU', 'WE']);
const weekdays = part('BYDAY', ['MO', 'WE,FR', 'SA,SU']);
const numberedDays = part('BYDAY', ['1MO', '-1FR,2TU', '5WE']);
const months = part('BYMONTH', ['2', '1,3,10', '12']);
const monthDays = part('BYMONTHDAY', ['1,15', '-1', '31']);

const endlessRules = fc
  .oneof(
    fc.tuple(fc.constant('FREQ=DAILY'), interval, weekdays, months),
    fc.tuple(fc.constant('FREQ=WEEKLY'), interval, weekdays, months, weekStart),
    fc.tuple(
      fc.constant('FREQ=MONTHLY'),
      interval,
      fc.oneof(weekdays, numberedDays, monthDays),
      months,
    ),
    fc.tuple(
      fc.constant('FREQ=YEARLY'),
      interval,
      fc.oneof(weekdays, numberedDays, monthDays),
      months,
    ),
    fc.tuple(fc.constant('FREQ=YEARLY'), interval, part('BYYEARDAY', ['1', '-1,60', '366'])),
    fc.tuple(
      fc.constant('FREQ=YEARLY'),
      interval,
      fc.constantFrom('BYWEEKNO=1', 'BYWEEKNO=53', 'BYWEEKNO=20,52', 'BYWEEKNO=-1'),
      weekdays,
      weekStart,
    ),
  )
  .map(toRule);

it('the occurrences of a rule without an end are the same in any years as those from its start', async () => {
  await checkProperty(
    fc.property(endlessRules, starts, isSinceStart, (rule, start, sinceStart) => {
      const from = sinceStart ? start : FROM;
      const what = `${rule} from ${start}`;
      const reference = listAtOnce(`${rule};UNTIL=20270301T000000Z`, start, from);
      expect([what, ...list(rule, start, from)]).toEqual([what, ...reference]);
    }),
    { numRuns: propertyRuns(30) },
  );
});

/** The first day of the first week with four days in the year (RFC 5545, 3.3.10). */
function findFirstWeek(year: number, firstDay: number): Temporal.PlainDate {
  const day = Temporal.PlainDate.from({ year, month: 1, day: 4 });
  return day.subtract({ days: (day.dayOfWeek - firstDay + 7) % 7 });
}

/** The number of the week of a day, from the start and from the end of its year. */
function countWeeks(day: Temporal.PlainDate, firstDay: number): [number, number] {
  const isBefore = (year: number) =>
    Temporal.PlainDate.compare(findFirstWeek(year, firstDay), day) > 0;
  const year = [day.year + 1, day.year, day.year - 1].find((year) => !isBefore(year)) as number;
  const weeksSince = (other: Temporal.PlainDate) => Math.floor(other.until(day).days / 7);
  return [
    weeksSince(findFirstWeek(year, firstDay)) + 1,
    weeksSince(findFirstWeek(year + 1, firstDay)),
  ];
}

const weekRules = fc.record({
  weeks: fc.uniqueArray(fc.constantFrom<number>(1, 2, 20, 52, 53, -1, -2, -52, -53), {
    minLength: 1,
    maxLength: 3,
  }),
  days: fc.option(fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 })),
  firstDay: fc.constantFrom(1, 3, 7),
  count: fc.option(fc.integer({ min: 1, max: 12 })),
});

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

it('a rule of weeks has the days of these weeks, and without BYDAY the weekday of its start', async () => {
  await checkProperty(
    fc.property(weekRules, starts, isSinceStart, (weekRule, start, sinceStart) => {
      const { weeks, days, firstDay, count } = weekRule;
      const byDay = days ? `;BYDAY=${days.map((day) => DAYS[day])}` : '';
      const end = count ? `;COUNT=${count}` : '';
      const rule = `FREQ=YEARLY;BYWEEKNO=${weeks}${byDay};WKST=${DAYS[firstDay - 1]}${end}`;
      const weekdays = days?.map((day) => day + 1) ?? [start.dayOfWeek];
      const all: Temporal.PlainDateTime[] = [];
      for (let at = start; Temporal.PlainDateTime.compare(at, TO) <= 0; at = at.add({ days: 1 })) {
        const isInWeek = countWeeks(at.toPlainDate(), firstDay).some((n) => weeks.includes(n));
        if (isInWeek && weekdays.includes(at.dayOfWeek)) all.push(at);
      }
      const from = sinceStart ? start : FROM;
      const expected = all
        .slice(0, count ?? all.length)
        .filter((at) => Temporal.PlainDateTime.compare(from, at) <= 0)
        .map((at) => at.toString());
      const what = `${rule} from ${start}`;
      expect([what, ...list(rule, start, from)]).toEqual([what, ...expected]);
      expect([what, ...listAtOnce(rule, start, from)]).toEqual([what, ...expected]);
    }),
    { numRuns: propertyRuns(30) },
  );
});
