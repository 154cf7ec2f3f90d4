import fc from 'fast-check';
import ICAL from 'ical.js';
import {
  corpusFiles,
  HOME_DEFINITION,
  parseZone,
  ZONES,
} from '../support/factories/calendar-corpus.ts';
import { calendar, read } from '../support/factories/calendar-files.ts';
import { formatSpan, readWithIcalJs } from '../support/factories/reference-calendar.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

beforeAll(() => {
  for (const { tzid, definition, isDefined } of ZONES)
    if (!isDefined) ICAL.TimezoneService.register(parseZone(definition), tzid);
});
afterAll(() => ICAL.TimezoneService.reset());

const home = parseZone(HOME_DEFINITION);
const readReference = (text: string) => readWithIcalJs(text, home);
const readFoyer = (text: string) =>
  read(Buffer.from(text))
    .occurrences.map(({ startsAt, endsAt }) => formatSpan(+startsAt, +endsAt))
    .toSorted();

const DAY_MS = 86_400_000;
/** The days on which a clock of the corpus changes. */
const CHANGES = (
  '2025-03-09 2025-03-30 2025-04-02 2025-10-03 2025-10-26 2025-11-02 ' +
  '2026-03-08 2026-03-29 2026-04-02 2026-10-03 2026-10-25 2026-11-01'
)
  .split(' ')
  .map((day) => Date.parse(day));
const isNearChange = (at: number) =>
  CHANGES.some((day) => at > day - DAY_MS && at < day + 2 * DAY_MS);
const isComparable = (span: string) =>
  !span.split(' ').some((at) => isNearChange(Date.parse(`${at}Z`)));

const following = (day: string, newDay: string) => [
  'UID:one',
  `RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:${day}`,
  `DTSTART;VALUE=DATE:${newDay}`,
];
/** The later of two changes of all following occurrences is the first in the file. */
const changedTwice = calendar(
  ['UID:one', 'DTSTART;VALUE=DATE:20260601', 'RRULE:FREQ=WEEKLY;COUNT=9'],
  following('20260706', '20260709'),
  following('20260615', '20260616'),
).toString();

const everyHalfMinute = calendar([
  'UID:one',
  'DTSTART:20260601T100000Z',
  'DURATION:PT1M',
  'RRULE:FREQ=SECONDLY;INTERVAL=30;COUNT=3',
]).toString();

test('a calendar of any construct has the same occurrences as in ical.js', () => {
  checkProperty(
    fc.property(corpusFiles, (text) => {
      const [foyer, reference] = [readFoyer(text), readReference(text)];
      expect(foyer.filter(isComparable)).toEqual(reference.filter(isComparable));
    }),
    {
      numRuns: propertyRuns(45),
      examples: [[changedTwice], [everyHalfMinute]],
    },
  );
});

/** What the corpus leaves out, because ical.js reads it in another way. */
const DIFFERENCES: [
  what: string,
  right: 'Foyer' | 'either',
  why: string,
  lines: string[],
  starts: string[],
][] = [
  [
    'a start that does not match its rule',
    'either',
    'RFC 5545 leaves it open; the entry shows its start, so it takes place',
    ['RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=2'],
    ['0401T10:00', '0403T10:00', '0410T10:00'],
  ],
  [
    'periods and dates without a rule',
    'Foyer',
    'DTSTART is the first of the set (3.8.5.2)',
    ['RDATE;VALUE=PERIOD:20260402T100000Z/PT1H', 'RDATE:20260403T100000Z'],
    ['0401T10:00', '0402T10:00', '0403T10:00'],
  ],
  [
    'the same date excluded twice',
    'Foyer',
    'the later ones are excluded too',
    [
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE:20260402T100000Z',
      'EXDATE:20260402T100000Z',
      'EXDATE:20260403T100000Z',
    ],
    ['0401T10:00', '0404T10:00'],
  ],
  [
    'a date as the end of a rule of times',
    'Foyer',
    'programs write it and mean the whole day',
    ['RRULE:FREQ=DAILY;UNTIL=20260402'],
    ['0401T10:00', '0402T10:00'],
  ],
  [
    'an UNTIL in UTC of floating times',
    'Foyer',
    'it is a moment, which is at noon in Berlin',
    ['DTSTART:20260401T120000', 'DTEND:20260401T130000', 'RRULE:FREQ=DAILY;UNTIL=20260402T100000Z'],
    ['0401T10:00', '0402T10:00'],
  ],
  [
    'lists of a rule out of order',
    'Foyer',
    'the order of a list means nothing (3.3.10)',
    ['RRULE:FREQ=DAILY;BYHOUR=16,10;COUNT=3'],
    ['0401T10:00', '0401T16:00', '0402T10:00'],
  ],
  [
    'BYMONTHDAY of a yearly rule without BYMONTH',
    'Foyer',
    'it is in every month (3.3.10)',
    ['RRULE:FREQ=YEARLY;BYMONTHDAY=1;COUNT=3'],
    ['0401T10:00', '0501T10:00', '0601T10:00'],
  ],
  [
    'negative BYMONTHDAY with BYMONTH',
    'Foyer',
    'it counts from the end of each month',
    [
      'DTSTART:20261117T100000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=MONTHLY;BYMONTH=10,11;BYMONTHDAY=-14,-1;UNTIL=20271130T235959Z',
    ],
    ['1117T10:00', '1130T10:00'],
  ],
  [
    'a numbered weekday of the year',
    'Foyer',
    '1 April is the 13th Wednesday of 2026',
    ['RRULE:FREQ=YEARLY;BYDAY=13WE,20MO;COUNT=2'],
    ['0401T10:00', '0518T10:00'],
  ],
  [
    'a weekday of a yearly rule that is counted from both ends of a month',
    'Foyer',
    'a rule is a set of days, so COUNT counts it once',
    [
      'DTSTART:20270113T100000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=YEARLY;BYMONTH=1,2;BYDAY=-3WE,2WE,1MO;COUNT=3',
    ],
    ['0113T10:00', '0201T10:00', '0210T10:00'],
  ],
  [
    'BYWEEKNO with BYDAY',
    'Foyer',
    'only the days of these weeks (3.3.10)',
    ['RRULE:FREQ=YEARLY;BYWEEKNO=14,20;BYDAY=WE;COUNT=2'],
    ['0401T10:00', '0513T10:00'],
  ],
  [
    'BYHOUR of rules of hours and minutes',
    'Foyer',
    'COUNT counts occurrences only',
    ['RRULE:FREQ=HOURLY;BYHOUR=4,10;BYDAY=WE,TH;COUNT=3'],
    ['0401T10:00', '0402T04:00', '0402T10:00'],
  ],
  [
    'BYMONTH of a monthly rule',
    'Foyer',
    'every second month from April is never July',
    ['RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTH=4,7,8;COUNT=2'],
    ['0401T10:00', '0801T10:00'],
  ],
  [
    'a repeated hour',
    'Foyer',
    'the first one (3.3.5)',
    ['DTSTART;TZID=Romance Standard Time:20261025T023000', 'DURATION:PT10M'],
    ['1025T00:30'],
  ],
  [
    'a month of a yearly rule without the day of its start',
    'Foyer',
    'invalid dates are ignored and not counted (3.3.10)',
    ['DTSTART:20260331T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY;BYMONTH=1,3,4;COUNT=2'],
    ['0331T10:00', '0131T10:00'],
  ],
  [
    'a clock change between a floating start and end',
    'Foyer',
    'all occurrences have the exact duration of the first (3.8.5.3)',
    ['DTSTART:20260328T120000', 'DTEND:20260329T120000', 'RRULE:FREQ=WEEKLY;COUNT=2'],
    ['0328T11:00', '0404T10:00'],
  ],
  [
    'an excluded occurrence that is changed',
    'either',
    'RFC 5545 leaves it open; Foyer keeps what is written in full',
    [
      'RRULE:FREQ=DAILY;COUNT=2',
      'EXDATE:20260402T100000Z',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:one',
      'RECURRENCE-ID:20260402T100000Z',
      'DTSTART:20260402T120000Z',
      'DURATION:PT1H',
    ],
    ['0401T10:00', '0402T12:00'],
  ],
  [
    'an empty rule',
    'Foyer',
    'programs write it for entries that do not repeat',
    ['RRULE:'],
    ['0401T10:00'],
  ],
  [
    'a date without VALUE=DATE',
    'Foyer',
    'the value says what it is',
    ['DTSTART:20260401', 'DTEND:20260402'],
    ['0331T22:00'],
  ],
  [
    'the lines of an address of iCloud',
    'Foyer',
    'they belong to a property that is not read',
    ['X-APPLE-STRUCTURED-LOCATION;X-TITLE=Lindenweg 4', '10999 Berlin', 'Germany:geo:52.49,13.42'],
    ['0401T10:00'],
  ],
  [
    'the name of a Windows zone without its definition',
    'Foyer',
    'ical.js knows no zones',
    ['DTSTART;TZID=Pacific Standard Time:20260401T030000', 'DURATION:PT1H'],
    ['0401T10:00'],
  ],
];

test.each(DIFFERENCES)('%s: %s is right, since %s', (_what, _right, _why, lines, starts) => {
  const hasStart = lines.some((line) => /^DTSTART/.test(line) && !lines.includes('END:VEVENT'));
  const start = hasStart ? [] : ['DTSTART:20260401T100000Z', 'DTEND:20260401T110000Z'];
  const text = calendar(['UID:one', ...start, ...lines]).toString();
  const foyer = readFoyer(text);
  expect(foyer.map((span) => span.slice(5, 16).replace('-', ''))).toEqual(starts);
  expect(readReferenceOrFail(text)).not.toEqual(foyer);
});

function readReferenceOrFail(text: string): string[] | null {
  try {
    return readReference(text);
  } catch {
    return null;
  }
}
