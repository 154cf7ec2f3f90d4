import { expandSeriesRule } from '../../src/features/bookings/rules/series-occurrences.ts';
import { readEntry, reasons, starts } from '../support/factories/calendar-files.ts';

const START = Date.parse('2026-04-01T10:00:00Z');

describe('a recurrence rule', () => {
  it.each([
    'FREQ=DAILY;COUNT=-1',
    'FREQ=DAILY;COUNT=0',
    'FREQ=WEEKLY;UNTL=20260430',
    'FREQ=WEEKLY;UNTIL=20260430;COUNT=3',
    'FREQ=WEEKLY;COUNT=3;COUNT=4',
    'FREQ=WEEKLY;INTERVAL=0;COUNT=3',
    'FREQ=WEEKLY;BYDAY=XX;COUNT=3',
    'FREQ=MONTHLY;BYMONTHDAY=32;COUNT=3',
    'FREQ=SOMETIMES;COUNT=3',
    'FREQ=HOURLY;BYWEEKNO=20;COUNT=3',
    'FREQ=MINUTELY;BYDAY=1MO;COUNT=3',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO;COUNT=3',
  ])('%s is followed by neither imports nor series', (rule) => {
    const contents = readEntry(`RRULE:${rule}`);
    expect(contents.occurrences).toEqual([]);
    expect(reasons(contents)).toEqual([expect.stringMatching(/^\d+: Its recurrence rule /)]);
    expect(() => expandSeriesRule(rule, START, 'UTC')).toThrow();
  });

  it.each([
    'FREQ=DAILY;COUNT=3',
    'FREQ=WEEKLY;BYDAY=WE,FR;UNTIL=20260430T235959Z',
    'FREQ=MONTHLY;BYDAY=1WE;COUNT=2',
    'FREQ=YEARLY;COUNT=1',
  ])('%s has the same occurrences in imports and series', (rule) => {
    const series = expandSeriesRule(rule, START, 'UTC').map(({ localStart }) =>
      localStart.toString().slice(0, 16),
    );
    expect(starts(readEntry(`RRULE:${rule}`))).toEqual(series);
  });

  it('of weeks can start in the last week of the year before', () => {
    const rule = 'FREQ=YEARLY;BYWEEKNO=53;COUNT=2';
    const expected = ['2027-01-01T10:00', '2032-12-31T10:00'];
    const series = expandSeriesRule(rule, Date.parse('2027-01-01T10:00:00Z'), 'UTC');
    expect(series.map(({ localStart }) => localStart.toString().slice(0, 16))).toEqual(expected);
    const imported = readEntry('DTSTART:20210102T100000Z', 'RRULE:FREQ=YEARLY;BYWEEKNO=-1;COUNT=6');
    // The sixth is on 27 December 2025, before the window.
    expect(starts(imported)).toEqual([]);
  });

  it.each(['RRULE', 'EXRULE'])('that is empty does not repeat the entry: %s', (name) => {
    expect(starts(readEntry(`${name}:`))).toEqual(['2026-04-01T10:00']);
  });

  it.each([
    ['20260403', 3],
    ['20260403T235959Z', 3],
    ['20260403T220000Z', 4], // midnight in Berlin, as Exchange writes the last day
    ['20260403T000000Z', 3],
    ['20260403T235959', 3],
  ])('of whole days until %s ends on day %d', (until, last) => {
    const contents = readEntry('DTSTART;VALUE=DATE:20260401', `RRULE:FREQ=DAILY;UNTIL=${until}`);
    expect(contents.occurrences).toHaveLength(last);
  });
});

describe('an entry with too many parts is a problem of its line:', () => {
  const repeat = (count: number, toLine: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => toLine(index));
  it.each([
    ['RRULE', repeat(100, (index) => `RRULE:FREQ=DAILY;COUNT=${500 + index}`)],
    ['EXRULE', repeat(100, (index) => `EXRULE:FREQ=DAILY;COUNT=${500 + index}`)],
    ['RDATE', [`RDATE:${repeat(5_001, () => '20260402T100000Z').join(',')}`]],
    ['EXDATE', repeat(5_001, () => 'EXDATE:20260402T100000Z')],
  ])('%s', (_, lines) => {
    const contents = readEntry(...lines);
    expect(contents.occurrences).toEqual([]);
    expect(reasons(contents)).toEqual([
      expect.stringMatching(/: It has more than \d+ (recurrence rules|dates)\.$/),
    ]);
  });
});

describe('a line that is no property', () => {
  it('means nothing after a property that is not read, such as an address of iCloud', () => {
    const contents = readEntry(
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Lindenweg 4',
      '10999 Berlin',
      'Germany:geo:52.49,13.42',
    );
    expect(starts(contents)).toEqual(['2026-04-01T10:00']);
    expect(reasons(contents)).toEqual([]);
  });

  it('is reported after a text that is read', () => {
    expect(reasons(readEntry('DESCRIPTION:Bring', 'Tel: 030', 'your own cup'))).toEqual([
      expect.stringContaining('is not a property of the form NAME:value'),
    ]);
  });
});
