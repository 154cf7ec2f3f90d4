import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { DomainError } from '../../src/errors.ts';
import { read } from '../support/factories/calendar-files.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

/** The content of a file without line numbers. */
const saying = (file: Uint8Array) => {
  const { occurrences, problems } = read(file);
  return {
    occurrences: occurrences.map(({ line, ...occurrence }) => occurrence),
    problems: problems.map(({ what }) => what),
  };
};

const FILES = ['google.ics', 'outlook.ics', 'nextcloud.ics', 'apple.ics'];
const unfolded = (name: string) =>
  fixture(name)
    .toString('latin1')
    .replace(/\r?\n[ \t]/g, '');

test('reads lines folded anywhere, even within a character', () => {
  const folding = fc.record({
    name: fc.constantFrom(...FILES),
    places: fc.array(fc.nat(6000), { maxLength: 200 }),
    fold: fc.constantFrom('\r\n ', '\n ', '\r\n\t', '\r '),
  });
  checkProperty(
    fc.property(folding, ({ name, places, fold }) => {
      const bytes = unfolded(name);
      // A fold must not split a line break or begin a line.
      const at = new Set(
        places.filter(
          (place) =>
            /[^\r\n]/.test(bytes[place] ?? '\n') && /[^\r\n]/.test(bytes[place - 1] ?? '\n'),
        ),
      );
      const folded = [...bytes].map((byte, index) => (at.has(index) ? fold + byte : byte)).join('');
      expect(saying(Buffer.from(folded, 'latin1'))).toEqual(saying(fixture(name)));
    }),
    { numRuns: propertyRuns(20) },
  );
});

test('reads any line breaks, byte order mark and UTF-16 alike', () => {
  for (const name of FILES) {
    const text = fixture(name).toString().replace(/\r\n/g, '\n');
    const forms = [
      Buffer.from(text),
      Buffer.from(text.replaceAll('\n', '\r\n')),
      Buffer.from(text.replaceAll('\n', '\r')),
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    ];
    for (const form of forms) expect(saying(form)).toEqual(saying(fixture(name)));
  }
});

test('reads or rejects any bytes in bounded time', () => {
  const damage = fc.record({
    name: fc.constantFrom(...FILES),
    at: fc.nat(4000),
    cut: fc.nat(40),
    put: fc.uint8Array({ maxLength: 20 }),
  });
  checkProperty(
    fc.property(damage, ({ name, at, cut, put }) => {
      const bytes = fixture(name);
      const damaged = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
      try {
        const { occurrences } = read(damaged);
        expect(occurrences.every(({ startsAt, endsAt }) => endsAt > startsAt)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
        expect(error).toMatchObject({ code: 'BAD_REQUEST', details: { line: expect.any(Number) } });
      }
    }),
    {
      numRuns: propertyRuns(100),
      examples: [[{ name: 'google.ics', at: 659, cut: 1, put: new Uint8Array() }]], // a changed occurrence of a broken rule
    },
  );
});

test('keeps the local time of a weekly meeting all year in any zone', () => {
  const meeting = fc.record({
    zone: fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/Santiago',
    ),
    hour: fc.integer({ min: 4, max: 22 }), // no clock changes there
    day: fc.integer({ min: 1, max: 28 }),
  });
  checkProperty(
    fc.property(meeting, ({ zone, hour, day }) => {
      const start = `2026${'03'}${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}3000`;
      const lines = [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:1',
        `DTSTART;TZID=${zone}:${start}`,
        'DURATION:PT1H',
        'RRULE:FREQ=WEEKLY',
        'END:VEVENT',
        'END:VCALENDAR',
      ];
      const { occurrences } = read(Buffer.from(lines.join('\n')));
      const walls = occurrences.map(({ startsAt }) =>
        Temporal.Instant.fromEpochMilliseconds(+startsAt).toZonedDateTimeISO(zone),
      );
      expect(walls.length).toBeGreaterThan(45);
      expect(walls.every((wall) => wall.hour === hour && wall.minute === 30)).toBe(true);
      expect(new Set(walls.map(({ dayOfWeek }) => dayOfWeek)).size).toBe(1);
    }),
    { numRuns: propertyRuns(10) },
  );
});
