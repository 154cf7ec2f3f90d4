import { createRequire } from 'node:module';
import { isTimeZone } from '../../src/core/time/time-zone.ts';
import { readCalendarInSteps } from '../../src/imports/calendar/read-calendar.ts';
import { WINDOWS_ZONES } from '../../src/imports/calendar/windows-zones.ts';
import { findIanaName } from '../../src/imports/calendar/zone-names.ts';
import { read, reasons, starts } from '../support/factories/calendar-files.ts';

/** A file with entries at noon on these days in a zone, and the definitions of zones. */
const fileWith = (tzid: string, days: string[], ...definitions: string[][]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...definitions.flat(),
      ...days.flatMap((day) => [
        'BEGIN:VEVENT',
        `UID:${day}`,
        `DTSTART;TZID=${tzid}:${day}T120000`,
        'DURATION:PT1H',
        'END:VEVENT',
      ]),
      'END:VCALENDAR',
    ].join('\n'),
  );

const SUMMER = '20260715';
const WINTER = '20261215';

/** The hours in UTC of noon in summer and in winter. */
const readHours = (tzid: string, ...definition: string[]) =>
  starts(read(fileWith(tzid, [SUMMER, WINTER], definition))).map((start) => start.slice(11));

const observance = (kind: string, from: string, to: string, ...lines: string[]) => [
  `BEGIN:${kind}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...lines,
  `END:${kind}`,
];

const define = (tzid: string, ...observances: string[][]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...observances.flat(),
  'END:VTIMEZONE',
];

/** The summer time of Europe with other offsets, as most programs write it. */
const europe = (standard: string, summer: string, more = '') => [
  observance(
    'DAYLIGHT',
    ...([standard, summer] as const),
    'DTSTART:19700329T020000',
    `RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU${more}`,
  ),
  observance(
    'STANDARD',
    ...([summer, standard] as const),
    'DTSTART:19701025T030000',
    `RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU${more}`,
  ),
];

describe('a zone that the file defines', () => {
  it.each([
    ['GMT', europe('+0000', '+0100'), ['11:00', '12:00']],
    ['EST', europe('-0500', '-0400'), ['16:00', '17:00']],
    ['Europe/lisbon', europe('+0100', '+0200'), ['10:00', '11:00']],
    ['Head office', europe('+0100', '+0200'), ['10:00', '11:00']],
    ['Customized Time Zone', europe('+0200', '+0300'), ['09:00', '10:00']],
    ['W. Europe Standard Time 1', europe('+0200', '+0300'), ['09:00', '10:00']],
    [
      'Europe/Berlin',
      [observance('STANDARD', '+0300', '+0300', 'DTSTART:19700101T000000')],
      ['09:00', '09:00'],
    ],
    ['Lotus', europe('+0100', '+0200', ';BYHOUR=2;BYMINUTE=0'), ['10:00', '11:00']],
    ['Blanks', europe('+0100', '+0200', '; INTERVAL=1; WKST=MO;'), ['10:00', '11:00']],
    ['Counted', europe('+0100', '+0200', ';COUNT=80'), ['10:00', '11:00']],
    ['Position', europe('+0100', '+0200', ';BYSETPOS=1'), ['10:00', '11:00']],
  ] as const)('is what its definition says: %s', (tzid, observances, hours) => {
    expect(readHours(tzid, ...define(tzid, ...observances))).toEqual(hours);
  });

  it('may be defined by the times of its changes, of which the first is not the beginning', () => {
    const listed = [
      observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:20260329T020000', 'RDATE:20270328T020000'),
      observance('STANDARD', '+0200', '+0100', 'DTSTART:20261025T030000'),
    ];
    const days = ['20260301', SUMMER, WINTER];
    expect(starts(read(fileWith('Ours', days, define('Ours', ...listed))))).toEqual([
      '2026-03-01T11:00',
      '2026-07-15T10:00',
      '2026-12-15T11:00',
    ]);
  });

  it('changes on the weekday on which it began if its rule names weeks but no days', () => {
    // It began on a Monday, and 1970 on a Thursday.
    const [summer, winter] = [13, 44].map((week) => `RRULE:FREQ=YEARLY;BYWEEKNO=${week}`);
    const zone = define(
      'Weeks',
      observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:16010101T020000', summer ?? ''),
      observance('STANDARD', '+0200', '+0100', 'DTSTART:16010101T030000', winter ?? ''),
    );
    expect(starts(read(fileWith('Weeks', ['20260322', '20260324'], zone)))).toEqual([
      '2026-03-22T11:00',
      '2026-03-24T10:00',
    ]);
  });

  it('is not another one whose name differs only in upper and lower case', () => {
    const definitions = [
      define('Europe/Lisbon', ...europe('+0000', '+0100')),
      define('Europe/lisbon', ...europe('+0100', '+0200')),
    ];
    const hours = (tzid: string) => starts(read(fileWith(tzid, [SUMMER], ...definitions)));
    expect(hours('Europe/Lisbon')).toEqual(['2026-07-15T11:00']);
    expect(hours('Europe/lisbon')).toEqual(['2026-07-15T10:00']);
    expect(hours('EUROPE/LISBON')).toEqual(['2026-07-15T11:00']);
  });

  it.each([
    ['every second', 'FREQ=SECONDLY'],
    ['every day', 'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU'],
    [
      'every minute of a day',
      `FREQ=YEARLY;BYHOUR=${[...Array(24).keys()]};BYMINUTE=${[...Array(60).keys()]}`,
    ],
    ['by an invalid rule', 'FREQ=OFTEN'],
  ])('is unknown if it changes %s', (_, rule) => {
    const odd = observance(
      'STANDARD',
      '+0100',
      '+0200',
      'DTSTART:16010101T000000',
      `RRULE:${rule}`,
    );
    const contents = read(fileWith('Odd', [SUMMER], define('Odd', odd)));
    expect(reasons(contents)).toEqual([expect.stringContaining('"Odd" is unknown')]);
  });
});

describe('many zones that a file defines', () => {
  const fixed = (hours: number) => [
    observance(
      'STANDARD',
      '+0000',
      `+${String(hours).padStart(2, '0')}00`,
      'DTSTART:19700101T000000',
    ),
  ];

  it('are read up to 100, of which repeated definitions count once', () => {
    const others = Array.from({ length: 99 }, (_, n) => define(`Zone ${n}`, ...fixed(n % 12)));
    const last = define('Last', ...fixed(5));
    const once = read(fileWith('Last', [SUMMER], ...others, last));
    expect(starts(once)).toEqual(['2026-07-15T07:00']);
    const calendars = [...others, ...others, last].map((zone) => fileWith('Last', [], zone));
    const merged = [...calendars, fileWith('Last', [SUMMER], last)];
    expect(starts(read(Buffer.from(merged.join('\n'))))).toEqual(['2026-07-15T07:00']);
    const more = read(fileWith('Last', [SUMMER], ...others, define('More', ...fixed(4)), last));
    expect(reasons(more)).toEqual([expect.stringContaining('"Last" is unknown')]);
  });

  it('are read once for all spellings, with a pause after each rule', () => {
    const zones = ['A', 'B', 'C'].map((name) => define(name, ...europe('+0100', '+0200')));
    const dates = ['A', 'a', 'B', 'b', 'C', 'c'].map(
      (zone) => `EXDATE;TZID=${zone}:20260715T120000`,
    );
    const entry = ['BEGIN:VEVENT', 'UID:x', 'DTSTART:20260715T120000Z', 'DURATION:PT1H', ...dates];
    const countSteps = (...definitions: string[][]) => {
      const lines = [
        'BEGIN:VCALENDAR',
        ...definitions.flat(),
        ...entry,
        'END:VEVENT',
        'END:VCALENDAR',
      ];
      const file = Buffer.from(lines.join('\n'));
      const steps = readCalendarInSteps(file, {
        now: new Date('2026-03-01'),
        findZone: () => 'UTC',
      });
      return [...steps].length;
    };
    const [none, all] = [countSteps(), countSteps(...zones)];
    expect(all - none).toBe(3 + 3 * (2 + 1) + 1); // for each component, rule and zone, and the entry
  });
});

describe('a definition that only reduces the rules of the zone with its name', () => {
  const from1601 = (kind: string, from: string, to: string, rule: string) =>
    observance(kind, from, to, 'DTSTART:16010101T030000', `RRULE:FREQ=YEARLY;${rule}`);
  it.each([
    [
      'one rule since 1601, as Outlook writes it',
      'W. Europe Standard Time',
      '10:00',
      '11:00',
      [
        from1601('STANDARD', '+0200', '+0100', 'INTERVAL=1;BYDAY=-1SU;BYMONTH=10'),
        from1601('DAYLIGHT', '+0100', '+0200', 'INTERVAL=1;BYDAY=-1SU;BYMONTH=3'),
      ],
    ],
    [
      'a rule of former years',
      'America/Mexico_City',
      '18:00',
      '18:00',
      [
        from1601('DAYLIGHT', '-0600', '-0500', 'BYDAY=1SU;BYMONTH=4'),
        from1601('STANDARD', '-0500', '-0600', 'BYDAY=-1SU;BYMONTH=10'),
      ],
    ],
    [
      'the changes of a year before',
      'Europe/Berlin',
      '10:00',
      '11:00',
      [
        observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:20250330T020000'),
        observance('STANDARD', '+0200', '+0100', 'DTSTART:20251026T030000'),
      ],
    ],
    [
      'one change, in UTC',
      'Europe/Berlin',
      '10:00',
      '11:00',
      [observance('DAYLIGHT', '+0100', '+0200', 'DTSTART:20260329T010000Z')],
    ],
    [
      'standard time',
      'Europe/Berlin',
      '10:00',
      '11:00',
      [observance('STANDARD', '+0100', '+0100', 'DTSTART:19700101T000000')],
    ],
    ['nothing', 'Europe/Berlin', '10:00', '11:00', []],
    [
      'the summer of the south',
      'Australia/Sydney',
      '02:00',
      '01:00',
      [
        from1601('STANDARD', '+1100', '+1000', 'BYDAY=1SU;BYMONTH=4'),
        from1601('DAYLIGHT', '+1000', '+1100', 'BYDAY=1SU;BYMONTH=10'),
      ],
    ],
  ] as const)('is replaced by the known zone: %s', (_, tzid, summer, winter, observances) => {
    expect(readHours(tzid, ...define(tzid, ...observances))).toEqual([summer, winter]);
  });

  it('is replaced by the zone of its X-LIC-LOCATION', () => {
    const [zone = '', ...others] = define('Ours', ...europe('+0100', '+0200'));
    const hours = readHours('Ours', zone, 'X-LIC-LOCATION:Europe/Berlin', ...others);
    expect(hours).toEqual(['10:00', '11:00']);
  });
});

describe('the name of a zone without a definition', () => {
  it.each([
    ['Europe/Berlin', '10:00'],
    ['"Europe/Berlin"', '10:00'],
    ['W. Europe Standard Time', '10:00'],
    ['W. Europe Standard Time 1', '10:00'],
    ['Eastern Standard Time', '16:00'],
    ['South Sudan Standard Time', '10:00'],
    ['/mozilla.org/20070129_1/Europe/Berlin', '10:00'],
    ['/citadel.org/20210210_1/America/Argentina/Buenos_Aires', '15:00'],
    ['"tzone://Microsoft/Utc"', '12:00'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', '10:00'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', '10:00'],
    ['"(UTC+01:00) Bruxelles, Copenhague, Madrid, Paris"', '10:00'],
    ['"(GMT+01.00) Sarajevo/Warsaw/Zagreb"', '10:00'],
    ['"(UTC) Dublin, Edinburgh, Lisbon, London"', '11:00'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', '16:00'],
    ['"(UTC-08:00) Pacific Time (US & Canada)"', '19:00'],
    ['"(UTC-07:00) Chihuahua, La Paz, Mazatlan"', '19:00'],
    ['"(UTC-04:00) Georgetown, La Paz, Manaus, San Juan"', '16:00'],
    ['"(UTC+05:00) Astana"', '07:00'],
    ['"(UTC+09:00) Osaka, Sapporo, Tokyo"', '03:00'],
  ])('%s is known', (tzid, time) => {
    expect(starts(read(fileWith(tzid, [SUMMER])))).toEqual([`2026-07-15T${time}`]);
  });

  it.each(['Nowhere', '"(UTC+01:00) La La Land"', 'Customized Time Zone'])('%s is not', (tzid) => {
    expect(reasons(read(fileWith(tzid, [SUMMER])))[0]).toContain('is unknown');
  });
});

const require = createRequire(import.meta.url);

interface MapZone {
  _other: string;
  _type: string;
  _territory: string;
}

describe('the list of the zones of Windows', () => {
  const rows = WINDOWS_ZONES.trim()
    .split('\n')
    .map((line) => line.split(' | '));

  it('is that of CLDR', () => {
    const { supplemental } = require('cldr-core/supplemental/windowsZones.json') as {
      supplemental: { windowsZones: { mapTimezones: { mapZone: MapZone }[] } };
    };
    const current = supplemental.windowsZones.mapTimezones
      .filter(({ mapZone }) => mapZone._territory === '001')
      .map(({ mapZone }) => [mapZone._other, mapZone._type]);
    expect(rows.map(([name, zone]) => [name, zone]).toSorted()).toEqual(current.toSorted());
  });

  it('has zones that exist, by each of their names', () => {
    for (const [name = '', zone = '', offset = '', labels = ''] of rows) {
      expect(isTimeZone(zone)).toBe(true);
      expect(findIanaName(name)).toBe(name === 'UTC' ? name : zone);
      for (const label of labels.split('; '))
        expect(findIanaName(`(UTC${offset}) ${label}`)).toBe(zone);
    }
  });
});
