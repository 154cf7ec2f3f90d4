import { readFileSync } from 'node:fs';
import {
  calendar,
  read,
  readEntry,
  reasons,
  spans,
  starts,
} from '../support/factories/calendar-files.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));
const readFixture = (name: string) => read(fixture(name));

describe('a Google calendar', () => {
  const contents = readFixture('google.ics');

  test('keeps the local time when clocks go forward, without excluded and cancelled occurrences', () => {
    const series = contents.occurrences.filter(({ uid }) => uid.startsWith('7kukuq'));
    expect(spans({ ...contents, occurrences: series })).toEqual([
      '2026-03-16T08:00 2026-03-16T08:30',
      '2026-03-23T08:00 2026-03-23T08:30',
      '2026-03-30T07:00 2026-03-30T07:30',
      '2026-04-27T07:00 2026-04-27T07:30',
      '2026-04-14T12:00 2026-04-14T13:00',
    ]);
  });

  test('identifies a moved occurrence by its original start', () => {
    const moved = contents.occurrences.find(({ title }) => title === 'Stand-up (moved)');
    expect(moved?.uid).toBe('7kukuqrfedlm2f9t0vr42q6q2s@google.com/20260413T070000Z');
  });

  test('lists the cancelled occurrence and the excluded date with their lines', () => {
    expect(contents.problems).toEqual([]);
    expect(contents.cancelled).toEqual([
      {
        ...{ uid: '7kukuqrfedlm2f9t0vr42q6q2s@google.com/20260420T070000Z' },
        ...{ line: 58, what: 'Stand-up', kind: 'occurrence' },
      },
      {
        ...{ uid: '7kukuqrfedlm2f9t0vr42q6q2s@google.com/20260406T070000Z' },
        ...{ line: 26, what: 'Stand-up', kind: 'excluded_date' },
      },
    ]);
  });

  test('reads whole days from midnight to midnight, even with 23 hours', () => {
    const day = contents.occurrences.find(({ title }) => title === 'Open house');
    expect(day).toMatchObject({
      allDay: true,
      startsAt: new Date('2026-03-28T23:00:00Z'),
      endsAt: new Date('2026-03-29T22:00:00Z'),
      categories: ['Open Day', 'Community'],
    });
  });

  test('unfolds and unescapes texts, and distinguishes people from rooms and calendars', () => {
    expect(contents.occurrences[0]).toMatchObject({
      line: 26,
      title: 'Stand-up',
      description: 'Stand-up of the team, every Monday.\nBring coffee; and a smile 😀 — as ever.',
      location: 'Spree, Foyer Mitte',
      organizer: null,
      attendees: [{ name: 'Ada Lovelace', email: 'ada@example.org' }],
    });
  });

  test('recognizes private entries', () => {
    expect(
      contents.occurrences.filter(({ isPrivate }) => isPrivate).map(({ title }) => title),
    ).toEqual(['Interview']);
  });
});

describe('an Outlook calendar', () => {
  const contents = readFixture('outlook.ics');

  test('reads a Windows zone by its IANA rules, across the autumn change', () => {
    expect(starts(contents).slice(0, 3)).toEqual([
      '2026-10-13T08:00',
      '2026-10-20T08:00',
      '2026-10-27T09:00',
    ]);
  });

  test('reads a zone of its own by the definition in the file', () => {
    const call = contents.occurrences.find(({ title }) => title === 'Call with New York');
    expect(call?.startsAt).toEqual(new Date('2026-03-12T13:00:00Z'));
  });

  test('reads several whole days', () => {
    expect(spans(contents).at(-1)).toBe('2026-12-23T23:00 2026-12-26T23:00');
  });

  test('reads the organizer, but not rooms or people who declined', () => {
    expect(contents.occurrences[0]).toMatchObject({
      organizer: { name: 'Hopper, Grace', email: 'grace.hopper@example.org' },
      attendees: [],
      title: 'Jour fixe Büro',
      description: null,
    });
    expect(contents.occurrences[3]?.organizer).toEqual({ name: 'Unknown', email: null });
  });
});

describe('a Nextcloud calendar', () => {
  const contents = readFixture('nextcloud.ics');

  test('reads DURATION, RDATE and floating times in the zone of the location', () => {
    expect(spans(contents)).toEqual([
      '2026-03-05T17:30 2026-03-05T19:00',
      '2026-03-12T17:30 2026-03-12T19:00',
      '2026-04-02T16:30 2026-04-02T18:00',
      '2026-07-01T06:00 2026-07-01T07:00',
    ]);
    expect(contents.occurrences[0]?.categories).toEqual(['Verein', 'Offen, für alle']);
  });

  test('reports entries that are cancelled, too short or not events', () => {
    expect(contents.problems).toEqual([
      { line: 37, what: 'Rückwärts', reason: 'It ends before it starts.' },
      { line: 44, what: 'Ohne Dauer', reason: 'It has no duration: it ends when it starts.' },
      { line: 51, what: 'Milch kaufen', reason: 'It is a VTODO, not an event.' },
    ]);
    expect(contents.cancelled).toMatchObject([{ line: 29, what: 'Sommerfest', kind: 'entry' }]);
  });
});

describe('an Apple calendar and another in one file', () => {
  const contents = readFixture('apple.ics');

  test('applies a change to this and following occurrences', () => {
    expect(starts(contents).slice(0, 4)).toEqual([
      '2026-03-03T21:00',
      '2026-03-10T20:00',
      '2026-03-25T21:00',
      '2026-03-18T21:00',
    ]);
    expect(contents.occurrences[2]?.title).toBe('Life drawing (Wednesdays)');
  });

  test('reads the second calendar, with a prefix before its zone', () => {
    expect(starts(contents).at(-1)).toBe('2026-04-01T08:00');
  });

  test('reports an unknown zone', () => {
    expect(reasons(contents)).toEqual([
      '38: Its time zone "Middle-earth/Shire" is unknown, and the file has no valid definition of it.',
    ]);
  });
});

describe('encodings', () => {
  test('Windows-1252 with quoted-printable texts', () => {
    expect(readFixture('outlook-2003.vcs').occurrences[0]).toMatchObject({
      title: 'Gespräch über Möbel',
      location: 'Café Größe',
    });
  });

  test('UTF-16 with its mark', () => {
    expect(readFixture('utf16.ics').occurrences[0]?.title).toBe('Besprechung mit Zoë Ω');
  });

  test('UTF-16 without a mark', () => {
    const unmarked = fixture('utf16.ics').subarray(2);
    expect(read(unmarked).occurrences[0]?.title).toBe('Besprechung mit Zoë Ω');
    expect(read(Buffer.from(unmarked).swap16()).occurrences[0]?.title).toBe(
      'Besprechung mit Zoë Ω',
    );
  });

  test('UTF-8 with its mark', () => {
    expect(readFixture('bom.ics').occurrences[0]?.title).toBe('Größe');
  });

  test('decodes a stray Latin-1 byte without affecting other lines', () => {
    const text = calendar([
      'UID:1',
      'SUMMARY:Größe',
      'LOCATION:Caf#',
      'DTSTART:20260401T100000Z',
      'DURATION:PT1H',
    ]);
    text[text.indexOf('#')] = 0xe9;
    expect(read(text).occurrences[0]).toMatchObject({ title: 'Größe', location: 'Café' });
  });

  test('removes control characters', () => {
    const contents = readEntry(
      'LOCATION:a\0b\x1b[31mc',
      'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:d=00e=1B=0Af',
    );
    expect(contents.occurrences[0]).toMatchObject({ location: 'ab[31mc', description: 'de\nf' });
  });
});

describe('rejects an invalid file with the line', () => {
  test.each([
    ['a web page', fixture('sign-in-page.ics'), 1, 'a web page or XML, not iCalendar'],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004'), 1, 'unpack it if it is an archive'],
    ['a very large calendar', Buffer.alloc(50_000_000, 'X'), 1, 'larger than 16 MB'],
    ['lines without end', Buffer.from('a\r'.repeat(1_000_002)), 1, 'more than 1000000 lines'],
    [
      'entries without end',
      Buffer.from(`BEGIN:VCALENDAR${'\nbegin:vevent\nend:vevent'.repeat(60_001)}`),
      1,
      'more than 60000 entries',
    ],
    [
      'folded entries without end',
      Buffer.from(`BEGIN:VCALENDAR${'\nBE\n GIN:A\nEND:A'.repeat(60_001)}\nEND:VCALENDAR`),
      1,
      'more than 60000 entries',
    ],
    ['a file that was cut off', fixture('cut-off.ics'), 9, 'BEGIN:VEVENT has no END'],
    ['nothing', Buffer.alloc(0), 1, 'empty'],
    ['blank lines', Buffer.from('\r\n\r\n'), 1, 'empty'],
    [
      'an entry with the END of another',
      Buffer.from('BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VTODO\nEND:VCALENDAR'),
      3,
      'VEVENT of line 2',
    ],
    ['an end without a beginning', Buffer.from('END:VCALENDAR'), 1, 'expected here'],
    ['text alone', Buffer.from('hello\nworld'), 1, 'expected here'],
    [
      'an entry after the calendar',
      Buffer.from('BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT'),
      3,
      'expected here',
    ],
  ])('%s', (_, file, line, words) => {
    const expectedError = expect.objectContaining({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(words),
      details: { reason: 'UNREADABLE_FILE', line },
    });
    expect(() => read(file)).toThrow(expectedError);
  });
});

test('skips one invalid entry and reports its line', () => {
  const contents = readFixture('one-bad-entry.ics');
  expect(contents.occurrences.map(({ title }) => title)).toEqual(['Good']);
  expect(contents.problems).toEqual([
    { line: 15, what: 'Bad date', reason: 'DTSTART "2026-04-01 10:00" is not a date or time.' },
    {
      line: 22,
      what: 'Text that was not folded',
      reason: 'Line 22 is not a property of the form NAME:value.',
    },
    { line: 26, what: 'No start', reason: 'It has no DTSTART.' },
  ]);
});

describe('oddities', () => {
  test('a whole day with its own date as end lasts one day', () => {
    const contents = readEntry('DTSTART;VALUE=DATE:20260401', 'DTEND;VALUE=DATE:20260401');
    expect(spans(contents)).toEqual(['2026-03-31T22:00 2026-04-01T22:00']);
  });

  test('a date without VALUE=DATE is a whole day', () => {
    expect(readEntry('DTSTART:20260401').occurrences[0]?.allDay).toBe(true);
  });

  test('a date that does not exist is reported', () => {
    expect(reasons(readEntry('DTSTART:20260230T100000Z'))).toEqual([
      '6: DTSTART "20260230T100000Z" is not a date or time.',
    ]);
  });

  test.each(['P', 'PT', 'one hour', 'P1H', '-PT1H', 'P99999999999D', 'PT0S'])(
    'the duration %s is reported',
    (length) => {
      const contents = readEntry('DTSTART:20260401T100000Z', `DURATION:${length}`);
      expect(contents.occurrences).toEqual([]);
      expect(contents.problems).toHaveLength(1);
    },
  );

  test('imports nothing from a calendar with METHOD:CANCEL', () => {
    const withdrawn = Buffer.from(
      calendar(['UID:1', 'DTSTART:20260401']).toString().replace('VERSION:2.0', 'METHOD:CANCEL'),
    );
    expect(read(withdrawn)).toMatchObject({
      occurrences: [],
      cancelled: [{ uid: '1', kind: 'entry' }],
    });
  });

  test('uses the newer of two duplicate entries', () => {
    const contents = read(
      calendar(
        ['UID:1', 'SEQUENCE:1', 'SUMMARY:Old', 'DTSTART:20260401'],
        ['UID:1', 'SEQUENCE:2', 'SUMMARY:New', 'DTSTART:20260402'],
      ),
    );
    expect(contents.occurrences.map(({ title }) => title)).toEqual(['New']);
    expect(reasons(contents)).toEqual(['3: It is a duplicate of line 9.']);
  });

  test.each([
    ['DTSTAMP', 'DTSTAMP:20260102T000000Z', 'DTSTAMP:20260103T000000Z'],
    ['LAST-MODIFIED', 'LAST-MODIFIED:20260102T000000Z', 'LAST-MODIFIED:20260103T000000Z'],
  ])('uses the newer of two duplicate entries with the same SEQUENCE by %s', (_, old, recent) => {
    const entry = (title: string, ...lines: string[]) => [
      ...['UID:1', 'SEQUENCE:1', `SUMMARY:${title}`, 'DTSTART:20260401', ...lines],
    ];
    for (const entries of [
      [entry('Old', old), entry('New', recent)],
      [entry('New', recent), entry('Old', old)],
    ])
      expect(read(calendar(...entries)).occurrences).toMatchObject([{ title: 'New' }]);
  });

  test('notes lines outside of the calendar, as caches add them', () => {
    const file = calendar(['UID:1', 'DTSTART:20260401']).toString();
    const { occurrences, notes } = read(Buffer.from(`hello\n${file}X-COMMENT:Cached\n<!-- 1 -->`));
    expect(occurrences).toHaveLength(1);
    expect(notes).toEqual([
      {
        line: 1,
        text: 'This line is outside of the calendar, so it is not read. The same is true of 2 more lines.',
      },
    ]);
  });

  test('a time without an end is reported, unless there is a default', () => {
    const file = calendar(['UID:1', 'DTSTART:20260401T100000Z'], ['UID:2', 'DTSTART:20260402']);
    expect(reasons(read(file))).toEqual(['3: It has no end. Give it one in the calendar program.']);
    const contents = read(file, { defaultMinutes: 60 });
    expect(spans(contents)[0]).toBe('2026-04-01T10:00 2026-04-01T11:00');
    expect(contents.notes).toEqual([
      { line: 3, text: 'The entry has no end, so Foyer uses 60 minutes.' },
    ]);
  });

  test('periods of RDATE have their own ends', () => {
    const contents = readEntry(
      'RDATE;VALUE=PERIOD:20260402T080000Z/PT2H,20260403T080000Z/20260403T083000Z',
      'RDATE;VALUE=PERIOD:20260401T100000Z/PT15M',
      'RDATE;TZID=Europe/Berlin:20260404T100000',
    );
    expect(spans(contents)).toEqual([
      '2026-04-01T10:00 2026-04-01T10:15',
      '2026-04-02T08:00 2026-04-02T10:00',
      '2026-04-03T08:00 2026-04-03T08:30',
      '2026-04-04T08:00 2026-04-04T09:00',
    ]);
    expect(reasons(readEntry('RDATE;VALUE=PERIOD:20260402T080000Z/soon'))).toEqual([
      '8: RDATE "soon" is not a duration.',
    ]);
  });

  test('derives a stable UID for an entry without one', () => {
    const entry = ['SUMMARY:One', 'DTSTART:20260401T100000Z', 'DURATION:PT1H'];
    const [first] = read(calendar(entry)).occurrences;
    const [second] = read(
      calendar(['UID:other', 'DTSTART:20260401'], [...entry].reverse()),
    ).occurrences.slice(1);
    expect(first?.uid).toMatch(/^derived:/);
    expect(second?.uid).toBe(first?.uid);
  });

  test('shortens a long UID and keeps it unique', () => {
    const uid = (end: string) =>
      read(calendar([`UID:${'x'.repeat(9000)}${end}`, 'DTSTART:20260401'])).occurrences[0]?.uid;
    expect(uid('a')).toHaveLength(71);
    expect(uid('a')).not.toBe(uid('b'));
  });
});

describe('an entry that calendar programs write in their own way', () => {
  const readOne = (...lines: string[]) => readEntry(...lines).occurrences[0];

  test('is tentative or transparent', () => {
    expect(readOne()).toMatchObject({ isTentative: false, isTransparent: false });
    expect(readOne('STATUS:TENTATIVE', 'TRANSP:OPAQUE')).toMatchObject({
      isTentative: true,
      isTransparent: false,
    });
    expect(readOne('TRANSP:TRANSPARENT')).toMatchObject({ isTransparent: true });
    expect(readOne('X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE')).toMatchObject({ isTentative: true });
    expect(readOne('X-MICROSOFT-CDO-BUSYSTATUS:FREE')).toMatchObject({ isTransparent: true });
  });

  test('has HTML as its description, of which the text and the links remain', () => {
    const html =
      '<html><body><p>Bring &amp\\; share</p><ul><li>tea</li></ul><a href="https://a.example/x?y=1">Agenda</a><br>Ada</body></html>';
    const text = 'Bring & share\n\n * tea\n\nAgenda [https://a.example/x?y=1]\nAda';
    expect(readOne(`DESCRIPTION:${html}`)?.description).toBe(text);
    expect(readOne(`X-ALT-DESC;FMTTYPE=text/html:${html}`)?.description).toBe(text);
    expect(readOne('DESCRIPTION:a < b\\, ask <ada@example.org>')?.description).toBe(
      'a < b, ask <ada@example.org>',
    );
  });

  test('has a web page, if it is one', () => {
    expect(readOne('URL:https://meet.example/1')?.url).toBe('https://meet.example/1');
    expect(readOne('URL:javascript:alert(1)')?.url).toBe(null);
  });

  test.each([
    ['single', []],
    ['repeated', ['RRULE:FREQ=DAILY;COUNT=3']],
  ])('is %s and too long ago or too far away', (_, rule) => {
    for (const day of ['20250220', '20270302'])
      expect(readEntry(`DTSTART:${day}T100000Z`, 'DURATION:PT1H', ...rule).occurrences).toEqual([]);
    for (const day of ['20250302', '20270227'])
      expect(
        readEntry(`DTSTART:${day}T100000Z`, 'DURATION:PT1H', ...rule).occurrences.length,
      ).toBeGreaterThan(0);
  });

  test('belongs to a series, with its rule, unless it is single', () => {
    const series = readEntry('RRULE:FREQ=WEEKLY;COUNT=2').occurrences.map(({ series }) => series);
    expect(series).toEqual([
      expect.objectContaining({ uid: 'one', rule: 'FREQ=WEEKLY;COUNT=2', minutes: 60 }),
      expect.objectContaining({ uid: 'one' }),
    ]);
    expect(readOne()?.series).toBe(null);
  });
});
