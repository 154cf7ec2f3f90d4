import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { createWallClockRule, listOccurrences } from '../../src/core/time/recurrence.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const START = Temporal.PlainDateTime.from('2024-01-31T10:00');
const FROM = Temporal.PlainDateTime.from('2025-03-01T00:00');
const TO = Temporal.PlainDateTime.from('2027-03-01T00:00');

function list(rule: string): string[] {
  const steps = listOccurrences(rule, START, { from: FROM, to: TO, max: 5_000 });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.map((at) => at.toString());
  }
}

/** The occurrences as the library finds them in one piece. */
const listAtOnce = (rule: string): string[] =>
  createWallClockRule(rule, START)
    .all((at) => at.year <= TO.year)
    .map((at) => Temporal.PlainDateTime.from(at.toString().slice(0, 19)))
    .filter((at) => Temporal.PlainDateTime.compare(FROM, at) <= 0)
    .filter((at) => Temporal.PlainDateTime.compare(at, TO) <= 0)
    .map((at) => at.toString());

const part = (name: string, values: string[]) =>
  fc.option(
    fc.constantFrom(...values).map((value) => `${name}=${value}`),
    { nil: null },
  );

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
  .map((parts) => parts.filter((text) => text !== null).join(';'));

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
