import {
  calendar,
  read,
  readEntry,
  reasons,
  spans,
  starts,
} from '../support/factories/calendar-files.ts';

describe('repetition', () => {
  const weekly = (rule: string, ...more: string[]) =>
    readEntry(
      'DTSTART;TZID=Europe/Berlin:20260302T090000',
      'DTEND;TZID=Europe/Berlin:20260302T100000',
      `RRULE:${rule}`,
      ...more,
    );

  test('without an end is expanded for one year', () => {
    expect(starts(weekly('FREQ=WEEKLY')).at(-1)).toBe('2027-03-01T08:00');
  });

  test('that began long ago is expanded for the last year only', () => {
    const contents = readEntry('DTSTART:20010101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY');
    expect(starts(contents)[0]).toBe('2025-03-02T10:00');
    expect(contents.occurrences).toHaveLength(730);
  });

  test('that has ended is reported', () => {
    const contents = readEntry(
      'DTSTART:20010101T100000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=5',
    );
    expect(reasons(contents)).toEqual([
      '3: It has no occurrences within a year before or after today.',
    ]);
  });

  test('with an UNTIL in UTC includes the occurrence at that time and none after it', () => {
    expect(starts(weekly('FREQ=WEEKLY;UNTIL=20260330T070000Z')).at(-1)).toBe('2026-03-30T07:00');
    expect(starts(weekly('FREQ=WEEKLY;UNTIL=20260330T065959Z')).at(-1)).toBe('2026-03-23T08:00');
  });

  test('with an UNTIL date includes that day', () => {
    expect(starts(weekly('FREQ=WEEKLY;UNTIL=20260316'))).toHaveLength(3);
  });

  test('with BYSETPOS selects the last weekday of the month, not a start that does not match', () => {
    const contents = weekly('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;UNTIL=20260601T000000Z');
    expect(starts(contents)).toEqual([
      '2026-03-02T08:00',
      '2026-03-31T07:00',
      '2026-04-30T07:00',
      '2026-05-29T07:00',
    ]);
  });

  test('on 29 February occurs in leap years only', () => {
    const contents = readEntry('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY');
    expect(contents.occurrences).toEqual([]);
  });

  test('in a skipped hour is an hour later on that day only', () => {
    const contents = readEntry(
      'DTSTART;TZID=Europe/Berlin:20260328T023000',
      'DURATION:PT15M',
      'RRULE:FREQ=DAILY;COUNT=3',
    );
    expect(starts(contents)).toEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']);
  });

  test('in a repeated hour uses the first one', () => {
    const contents = readEntry(
      'DTSTART;TZID=Europe/Berlin:20261024T023000',
      'DURATION:PT15M',
      'RRULE:FREQ=DAILY;COUNT=3',
    );
    expect(starts(contents)).toEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']);
  });

  test('of whole days counts days, and an EXDATE with a time excludes its day', () => {
    const contents = readEntry(
      'DTSTART;VALUE=DATE:20261024',
      'RRULE:FREQ=DAILY;COUNT=3',
      'EXDATE;TZID=Europe/Berlin:20261024T000000',
    );
    expect(spans(contents)).toEqual([
      '2026-10-24T22:00 2026-10-25T23:00',
      '2026-10-25T23:00 2026-10-26T23:00',
    ]);
    expect(contents.occurrences[0]?.uid).toBe('one/20261025');
  });

  test('an EXDATE in UTC or as a date excludes a start written in a zone', () => {
    const contents = weekly(
      'FREQ=WEEKLY;COUNT=4',
      'EXDATE:20260309T080000Z',
      'EXDATE;VALUE=DATE:20260323',
    );
    expect(starts(contents)).toEqual(['2026-03-02T08:00', '2026-03-16T08:00']);
  });

  test('a replacement without its series is read on its own with the same UID', () => {
    const override = [
      'UID:one',
      'RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000',
      'DTSTART:20260310T100000Z',
      'DURATION:PT1H',
    ];
    const alone = read(calendar(override));
    const master = [
      'UID:one',
      'DTSTART;TZID=Europe/Berlin:20260302T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=2',
    ];
    const together = read(calendar(master, override));
    expect(alone.occurrences.map(({ uid }) => uid)).toEqual(['one/20260309T080000Z']);
    expect(together.occurrences.map(({ uid }) => uid)).toEqual([
      'one/20260302T080000Z',
      'one/20260309T080000Z',
    ]);
  });

  test.each([
    ['every second', 'FREQ=SECONDLY'],
    ['a million times', 'FREQ=MINUTELY;COUNT=1000000'],
    ['every hour of two years', 'FREQ=HOURLY'],
    [
      'every second of the year by parts',
      `FREQ=YEARLY;BYHOUR=${[...Array(24).keys()]};BYMINUTE=${[...Array(60).keys()]};BYSECOND=${[...Array(60).keys()]};BYYEARDAY=${Array.from({ length: 366 }, (_, day) => day + 1)}`,
    ],
  ])('skips an entry with %s', (_, rule) => {
    const contents = weekly(rule);
    expect(contents.occurrences).toEqual([]);
    expect(contents.problems[0]?.reason).toContain('repeats too often');
  });

  test('says of an entry of long ago that it takes too long to count, not that it repeats too often now', () => {
    const lines = ['UID:one', 'DTSTART:19700101T100000Z', 'DURATION:PT1H'];
    const { problems } = read(calendar([...lines, 'RRULE:FREQ=DAILY;COUNT=30000']));
    expect(problems).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('began too long ago') }),
    ]);
  });

  test('expands only a few excessive rules per file', () => {
    const rule = ['DTSTART:20200101T100000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'];
    const entries = Array.from({ length: 400 }, (_, n) => [`UID:${n}`, ...rule]);
    const reasons = read(calendar(...entries)).problems.map(({ reason }) => reason);
    expect(reasons).toHaveLength(400);
    expect(reasons.filter((reason) => reason.includes('was not expanded'))).toHaveLength(395);
  });

  test('on days that never occur ends as well', () => {
    for (const freq of ['SECONDLY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']) {
      const contents = weekly(`FREQ=${freq};BYMONTH=2;BYMONTHDAY=30`);
      expect(contents.occurrences.length).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    'FREQ=SOMETIMES',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=YEARLY;BYMONTH=13',
    'INTERVAL=2',
    'FREQ=WEEKLY;UNTIL=soon',
    'D1 #10',
  ])('reports the unsupported rule %s', (rule) => {
    const contents = weekly(rule);
    expect(contents.occurrences).toEqual([]);
    expect(contents.problems).toHaveLength(1);
    expect(contents.problems[0]?.line).toBe(8);
  });
});
