import fc from 'fast-check';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';
import { startMeasuring } from '../../support/harness/rule-work.ts';

let apart: ReturnType<typeof startMeasuring>;
beforeAll(() => {
  apart = startMeasuring();
});
afterAll(() => apart.stop());

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const list = (numbers: fc.Arbitrary<number | string>) =>
  fc.option(
    fc.array(numbers, { minLength: 1, maxLength: 20 }).map((all) => all.join()),
    { nil: undefined },
  );
const signed = (max: number) => fc.integer({ min: -max, max }).filter((number) => number !== 0);

const rules = fc
  .record({
    FREQ: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    INTERVAL: fc.option(fc.integer({ min: 1, max: 9_999 }), { nil: undefined }),
    BYMONTH: list(fc.integer({ min: 1, max: 12 })),
    BYMONTHDAY: list(signed(31)),
    BYYEARDAY: list(signed(366)),
    BYWEEKNO: list(signed(53)),
    BYDAY: list(
      fc.oneof(
        fc.constantFrom(...DAYS),
        signed(53).map((n) => `${n}MO`),
      ),
    ),
    BYSETPOS: list(signed(366)),
    end: fc.constantFrom('COUNT=3', 'COUNT=366', 'UNTIL=20261231', 'UNTIL=99991231'),
  })
  .map(({ end, ...parts }) =>
    Object.entries(parts)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
      .concat(end)
      .join(';'),
  );

/** A few times the work of an ordinary series. Without a limit, a rule without occurrences takes tens of millions of steps. */
const MAX_STEPS = 5_000_000;

/** The work of an ordinary series: every weekday for more than a year. */
const ORDINARY = 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=366';

describe('the work for a recurrence rule', () => {
  it.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2;COUNT=3',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;COUNT=3',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300;COUNT=3',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231',
  ])('is bounded for a rule without occurrences: %s', async (rule) => {
    const { outcome, steps } = await apart.measure(rule);
    expect(outcome).toBe('SERIES_EMPTY');
    expect(steps).toBeLessThan(MAX_STEPS);
    expect(steps).toBeGreaterThan(0);
  });

  it('is bounded for every rule', async () => {
    await checkProperty(
      fc.asyncProperty(rules, async (rule) => {
        expect((await apart.measure(rule)).steps).toBeLessThan(MAX_STEPS);
      }),
      { numRuns: propertyRuns(4), endOnFailure: true },
    );
  });

  it('is enough for ordinary series', async () => {
    expect((await apart.measure(ORDINARY)).steps).toBeLessThan(MAX_STEPS / 10);
  });
});

/** Twice the work of an ordinary series. Without pauses, a daily rule since 1901 takes twenty million steps. */
const MAX_STEPS_OF_A_TURN = 1_000_000;

describe('the work for a recurrence rule between two pauses of an import', () => {
  it.each([
    ['FREQ=DAILY;COUNT=50000', 1990],
    ['FREQ=HOURLY;COUNT=5000', 2026],
    ['FREQ=SECONDLY', 1901],
    ['FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2', 1901],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3', 2015],
  ])('is bounded: %s since %d', async (rule, year) => {
    expect((await apart.measure(rule, year)).steps).toBeLessThan(MAX_STEPS_OF_A_TURN);
  });

  it('is bounded for every rule', async () => {
    const years = fc.integer({ min: 2005, max: 2027 });
    await checkProperty(
      fc.asyncProperty(rules, years, async (rule, year) => {
        expect((await apart.measure(rule, year)).steps).toBeLessThan(MAX_STEPS_OF_A_TURN);
      }),
      { numRuns: propertyRuns(4), endOnFailure: true },
    );
  });
});
