import fc from 'fast-check';
import ICAL from 'ical.js';

// Generates iCalendar files of one entry that write the constructs of RFC 5545 as programs do.

type StartKind = 'date' | 'floating' | 'utc' | 'zone';
type ListedForm = 'same' | 'utc';
type ChangeForm = 'one' | 'following' | 'cancelled';
type RuleParts = Record<string, string>;

const observance = (kind: string, from: string, to: string, start: string, more: string) => [
  `BEGIN:${kind}`,
  `DTSTART:${start}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  more,
  `END:${kind}`,
];

const define = (tzid: string, ...lines: string[][]) =>
  ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...lines.flat(), 'END:VTIMEZONE'].join('\r\n');

const outlook = (tzid: string) =>
  define(
    tzid,
    observance(
      'STANDARD',
      '+0200',
      '+0100',
      '16010101T030000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    ),
    observance(
      'DAYLIGHT',
      '+0100',
      '+0200',
      '16010101T020000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    ),
  );

const google = (tzid: string, from: string, to: string, spring: string, autumn: string) =>
  define(
    tzid,
    [`X-LIC-LOCATION:${tzid}`],
    observance(
      'DAYLIGHT',
      from,
      to,
      '19700308T020000',
      `RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=${spring}`,
    ),
    observance(
      'STANDARD',
      to,
      from,
      autumn === '-1SU' ? '19701025T030000' : '19701101T020000',
      `RRULE:FREQ=YEARLY;BYMONTH=${autumn === '-1SU' ? 10 : 11};BYDAY=${autumn}`,
    ),
  );

const own = (tzid: string) =>
  define(
    tzid,
    observance(
      'DAYLIGHT',
      '+0300',
      '+0430',
      '20250402T010000',
      'RDATE:20250402T010000\r\nRDATE:20260402T010000\r\nRDATE:20270402T010000',
    ),
    observance(
      'STANDARD',
      '+0430',
      '+0300',
      '20241003T020000',
      'RDATE:20241003T020000\r\nRDATE:20251003T020000\r\nRDATE:20261003T020000',
    ),
  );

interface CorpusZone {
  tzid: string;
  /** What the name stands for. */
  definition: string;
  /** Programs leave out the definition of names that others know. */
  isDefined: boolean;
}

const BERLIN = google('Europe/Berlin', '+0100', '+0200', '-1SU', '-1SU').replace(
  '19700308',
  '19700329',
);
const zone = (tzid: string, definition: string, isDefined = true): CorpusZone => ({
  tzid,
  definition,
  isDefined,
});

/** The names that the files use, with and without their definition. */
export const ZONES: CorpusZone[] = [
  zone('W. Europe Standard Time', outlook('W. Europe Standard Time')),
  zone('Europe/Berlin', BERLIN),
  zone('America/New_York', google('America/New_York', '-0500', '-0400', '2SU', '1SU')),
  zone('Head office', own('Head office')),
  zone('Customized Time Zone', own('Customized Time Zone')),
  zone('(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', BERLIN, false),
  zone('/mozilla.org/20070129_1/Europe/Berlin', BERLIN, false),
  zone('Romance Standard Time', BERLIN, false),
  zone('Europe/Berlin', BERLIN, false),
];

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const compare = (a: string | number, b: string | number) => Number(a) - Number(b) || 0;
const listOf = (value: fc.Arbitrary<string | number>, maxLength = 3) =>
  fc
    .uniqueArray(value, { minLength: 1, maxLength })
    .map((values) => values.toSorted(compare).join(','));
const signed = (max: number) =>
  fc
    .tuple(fc.integer({ min: 1, max }), fc.boolean())
    .map(([n, isNegative]) => (isNegative ? -n : n));

const weekdays = listOf(fc.constantFrom(...DAYS), 4);
const numbered = (max: number) =>
  listOf(fc.tuple(signed(max), fc.constantFrom(...DAYS)).map(([n, day]) => `${n}${day}`)).filter(
    (list) => !hasDayOfBothEnds(list),
  );
// ical.js counts a day twice that is counted from both ends.
const hasDayOfBothEnds = (list: string) =>
  DAYS.some((day) => new RegExp(`(^|,)\\d${day}`).test(list) && list.match(`-\\d${day}`));
const monthDays = listOf(signed(28));
const positiveMonthDays = listOf(fc.integer({ min: 1, max: 28 }));
const months = listOf(fc.integer({ min: 1, max: 12 }), 5);
const hours = listOf(fc.integer({ min: 0, max: 23 }));
const minutes = listOf(fc.integer({ min: 0, max: 59 }), 2);
const positions = listOf(fc.constantFrom(1, 2, -1), 2);
const interval = fc.integer({ min: 1, max: 4 }).map(String);
const wkst = fc.constantFrom('MO', 'SU', 'WE');

const parts = (FREQ: string, required: object, optional: object): fc.Arbitrary<RuleParts> =>
  fc
    .record(
      { FREQ: fc.constant(FREQ), ...required, ...optional } as Record<string, fc.Arbitrary<string>>,
      { requiredKeys: ['FREQ', ...Object.keys(required)] },
    )
    .map((record) => record as RuleParts);

/** The parts that RFC 5545 (3.3.10) allows with each frequency. */
// BYMONTHDAY of daily rules is positive: ical.js searches for a negative one for ever.
const ruleParts = fc.oneof(
  parts('SECONDLY', {}, { INTERVAL: fc.constantFrom('30', '90') }),
  parts('MINUTELY', {}, { INTERVAL: fc.constantFrom('15', '45') }),
  parts('HOURLY', {}, { INTERVAL: interval, BYDAY: weekdays }),
  parts('DAILY', {}, { INTERVAL: interval, BYDAY: weekdays }),
  parts('DAILY', {}, { BYMONTH: months, BYMONTHDAY: positiveMonthDays }),
  parts('DAILY', { BYDAY: weekdays }, { BYMONTH: months }),
  parts('DAILY', {}, { BYHOUR: hours, BYMINUTE: minutes }),
  parts('WEEKLY', {}, { INTERVAL: interval, BYDAY: weekdays, WKST: wkst }),
  parts('WEEKLY', { BYDAY: weekdays }, { INTERVAL: interval, BYMONTH: months, BYHOUR: hours }),
  parts('MONTHLY', {}, { INTERVAL: interval, BYMONTHDAY: monthDays }),
  parts('MONTHLY', { BYDAY: numbered(4) }, { INTERVAL: interval }),
  parts('MONTHLY', { BYDAY: weekdays }, { INTERVAL: interval, BYSETPOS: positions }),
  parts('YEARLY', {}, { BYMONTH: months }),
  parts('YEARLY', { BYMONTH: months, BYMONTHDAY: positiveMonthDays }, {}),
  parts('YEARLY', { BYDAY: numbered(4), BYMONTH: months }, {}),
  parts('YEARLY', { BYYEARDAY: listOf(signed(365)) }, {}),
);

const model = fc.record({
  kind: fc.constantFrom<StartKind>('date', 'floating', 'utc', 'zone', 'zone'),
  zone: fc.constantFrom(...ZONES),
  day: fc.integer({ min: -300, max: 300 }),
  minute: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
  length: fc.record({
    days: fc.integer({ min: 0, max: 2 }),
    minutes: fc.constantFrom(15, 60, 90, 600),
    form: fc.constantFrom('end', 'duration', 'weeks', 'none'),
  }),
  rule: fc.option(ruleParts, { freq: 6 }),
  limit: fc.record({
    form: fc.constantFrom('count', 'until', 'none'),
    count: fc.integer({ min: 1, max: 40 }),
  }),
  exclusions: fc.array(
    fc.record({ at: fc.nat(20), form: fc.constantFrom<ListedForm>('same', 'utc') }),
    { maxLength: 3 },
  ),
  additions: fc.array(
    fc.record({
      days: fc.integer({ min: 1, max: 60 }),
      minutes: fc.constantFrom(0, 45, 500),
      period: fc.constantFrom('no', 'no', 'end', 'duration'),
    }),
    { maxLength: 2 },
  ),
  changes: fc.uniqueArray(
    fc.record({
      at: fc.nat(12),
      days: fc.integer({ min: -1, max: 2 }),
      minutes: fc.constantFrom(0, 30, -60),
      form: fc.constantFrom<ChangeForm>('one', 'one', 'following', 'cancelled'),
    }),
    { maxLength: 2, selector: ({ at }) => at },
  ),
  style: fc.record({
    fold: fc.constantFrom(0, 20, 75),
    isQuoted: fc.boolean(),
    isLowerCase: fc.boolean(),
    end: fc.constantFrom('\r\n', '\n'),
    changesFirst: fc.boolean(),
  }),
});

type Model = typeof model extends fc.Arbitrary<infer Value> ? Value : never;

const FIRST = Date.UTC(2026, 2, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const toBasic = (at: number) =>
  new Date(at)
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
    .slice(0, 15);
const toBasicDate = (at: number) => toBasic(at).slice(0, 8);

/** Local times are numbers as if they were in UTC. */
function build({ style, ...entry }: Model): string {
  const { kind } = entry;
  const isDate = kind === 'date';
  const requested = FIRST + entry.day * DAY_MS + (isDate ? 0 : entry.minute * MINUTE_MS);
  const tzid =
    style.isQuoted || /[,:;]/.test(entry.zone.tzid) ? `"${entry.zone.tzid}"` : entry.zone.tzid;
  const parameter = isDate ? ';VALUE=DATE' : kind === 'zone' ? `;TZID=${tzid}` : '';
  const value = (at: number) =>
    isDate ? toBasicDate(at) : `${toBasic(at)}${kind === 'utc' ? 'Z' : ''}`;
  const property = (name: string, at: number, more = '') =>
    `${name}${parameter}${more}:${value(at)}`;
  const toUtc = (at: number) =>
    kind === 'zone' ? toUtcTime(at, entry.zone) : kind === 'utc' ? at : toUtcTime(at, HOME);

  const asked =
    entry.rule && !lacksDays(entry.rule, requested) ? withoutTimes(entry.rule, isDate) : null;
  // What a start that does not match its rule means is undefined.
  const first = asked ? (listStarts(toText(asked), requested, 2)[1] ?? requested) : requested;
  const rule = asked && listStarts(toText(asked), first, 1)[0] === first ? asked : null;
  const start = rule ? first : requested;
  const often = rule && /SECONDLY|MINUTELY|HOURLY/.test(rule.FREQ ?? '');
  const form = often && entry.limit.form === 'none' ? 'count' : entry.limit.form;
  const limit = form === 'count' ? `;COUNT=${entry.limit.count}` : '';
  const text = rule && toText(rule);
  const starts = text ? listStarts(text + limit, start) : [start];
  const lastAt = starts[Math.min(entry.limit.count, starts.length - 1)] ?? start;
  const untilForm = isDate ? 'date' : kind === 'floating' ? 'floating' : 'utc';
  const hasUntil = rule !== null && form === 'until';
  const until = !hasUntil
    ? ''
    : `;UNTIL=${untilForm === 'date' ? toBasicDate(lastAt) : untilForm === 'floating' ? toBasic(lastAt) : `${toBasic(toUtc(lastAt))}Z`}`;
  const kept = hasUntil ? starts.filter((at) => at <= lastAt) : starts;
  const pick = (at: number) => kept[at % kept.length] ?? start;

  const { length } = entry;
  const lengthMs = isDate
    ? Math.max(1, length.days) * DAY_MS
    : (length.days % 2) * DAY_MS + length.minutes * MINUTE_MS;
  const lines = (from: number) => {
    const duration = isDate
      ? `P${lengthMs / DAY_MS}D`
      : `P${length.days % 2 ? '1D' : ''}T${length.minutes}M`;
    if (length.form === 'none' && isDate) return [];
    if (length.form === 'weeks' && isDate) return ['DURATION:P1W'];
    // ical.js ignores the clock change between a floating start and end.
    const isExact = kind !== 'floating' || toUtc(from + lengthMs) - toUtc(from) === lengthMs;
    return length.form === 'end' && isExact
      ? [property('DTEND', from + lengthMs)]
      : [`DURATION:${duration}`];
  };
  const isChanged = (at: number) => entry.changes.some((change) => pick(change.at) === at);
  const exclusions = uniqueBy(
    entry.exclusions.map(({ at, form: listed }) => ({
      at: pick(at),
      form: kind === 'zone' ? listed : ('same' as const),
    })),
  ).filter(({ at }) => !isChanged(at));
  const additions = uniqueBy(
    (rule ? entry.additions : []).map((addition) => ({
      ...addition,
      at: start + addition.days * DAY_MS + (isDate ? 0 : addition.minutes * MINUTE_MS),
    })),
  ).filter(({ at }) => !starts.includes(at));
  const head = [
    'UID:one',
    'DTSTAMP:20260101T000000Z',
    `SUMMARY;LANGUAGE=de;X-NOTE="a:b;c,d":Chor\\, Probe\\; ${'lang '.repeat(12)}`,
  ];
  const changes = rule
    ? uniqueBy(entry.changes.map((change) => ({ ...change, at: pick(change.at) }))).map(
        (change) => {
          const { at } = change;
          const moved = at + change.days * DAY_MS + (isDate ? 0 : change.minutes * MINUTE_MS);
          const range = change.form === 'following' ? ';RANGE=THISANDFUTURE' : '';
          const id = property('RECURRENCE-ID', at, range);
          return [
            ...head,
            id,
            property('DTSTART', moved),
            ...lines(moved),
            ...(change.form === 'cancelled' ? ['STATUS:CANCELLED'] : []),
          ];
        },
      )
    : [];
  const series = [
    ...head,
    property('DTSTART', start),
    ...lines(start),
    ...(text ? [`RRULE:${text}${limit}${until}`] : []),
    ...exclusions.map(({ at, form: listed }) =>
      listed === 'same' ? property('EXDATE', at) : `EXDATE:${toBasic(toUtc(at))}Z`,
    ),
    ...additions.map(({ at, period }) =>
      period === 'no' || isDate || entry.changes.some(({ form: change }) => change === 'following')
        ? property('RDATE', at)
        : `RDATE;VALUE=PERIOD${parameter}:${value(at)}/${period === 'end' ? value(at + 2 * 3_600_000) : 'PT45M'}`,
    ),
  ];
  const entries = style.changesFirst ? [...changes, series] : [series, ...changes];
  const all = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Corpus//EN',
    ...(kind === 'zone' && entry.zone.isDefined ? entry.zone.definition.split('\r\n') : []),
    ...entries.flatMap((entryLines) => ['BEGIN:VEVENT', ...entryLines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ];
  return all
    .map((line) => fold(style.isLowerCase ? lowerName(line) : line, style.fold, style.end))
    .join(style.end);
}

/** Whether months of a yearly rule lack the day of its start. ical.js takes the first day of the next month then. */
const lacksDays = ({ FREQ, BYMONTH, BYMONTHDAY, BYDAY }: RuleParts, start: number) =>
  FREQ === 'YEARLY' && BYMONTH && !BYMONTHDAY && !BYDAY && new Date(start).getUTCDate() > 28;

const toText = (rule: RuleParts) =>
  Object.entries(rule)
    .map(([name, part]) => `${name}=${part}`)
    .join(';');

/** Parts of times are not allowed for whole days. */
function withoutTimes(rule: RuleParts, isDate: boolean): RuleParts {
  if (!isDate) return rule;
  const { BYHOUR, BYMINUTE, ...others } = rule;
  return {
    ...others,
    FREQ: /SECONDLY|MINUTELY|HOURLY/.test(rule.FREQ ?? '') ? 'DAILY' : (rule.FREQ ?? ''),
  };
}

/** The first starts of a rule, from which exclusions and changes are chosen. */
function listStarts(rule: string, start: number, max = 30): number[] {
  const iterator = ICAL.Recur.fromString(rule).iterator(
    ICAL.Time.fromJSDate(new Date(start), true),
  );
  const starts: number[] = [];
  for (let time = iterator.next(); time && starts.length < max; time = iterator.next())
    starts.push(time.toUnixTime() * 1000);
  return starts;
}

/** Reads the definition of a zone. */
export const parseZone = (definition: string): ICAL.Timezone =>
  new ICAL.Timezone(new ICAL.Component(ICAL.parse(definition)));

const zones = new Map<string, ICAL.Timezone>();
const HOME: CorpusZone = zone('Europe/Berlin', BERLIN);

function toUtcTime(at: number, { definition }: CorpusZone): number {
  const known = zones.get(definition) ?? parseZone(definition);
  zones.set(definition, known);
  const time = ICAL.Time.fromJSDate(new Date(at), true);
  time.zone = known;
  return time.toUnixTime() * 1000;
}

const uniqueBy = <Item extends { at: number }>(items: Item[]): Item[] => [
  ...new Map(items.map((item) => [item.at, item])).values(),
];

const lowerName = (line: string) => line.replace(/^[^:;]*/, (name) => name.toLowerCase());

const fold = (line: string, width: number, end: string) =>
  width === 0 ? line : (line.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(`${end} `);

/** Texts of files with one entry and changes of its occurrences. */
export const corpusFiles: fc.Arbitrary<string> = model.map(build);

/** The zone of floating times and whole days. */
export const HOME_DEFINITION = BERLIN;
