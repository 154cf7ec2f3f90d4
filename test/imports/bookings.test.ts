import { readFileSync } from 'node:fs';
import { personName } from '../../src/core/validation.ts';
import { bookingRow } from '../../src/features/bookings/rows.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

let database: TestDatabase;
let ids: { locationId: string; resourceId: string };
beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database.ctx;
  const place = { slug: 'mitte', name: 'Foyer Mitte', timeZone: 'Europe/Berlin' };
  const { id: locationId } = await db.location.create({ data: place });
  const room = {
    slug: 'spree',
    name: 'Spree',
    type: 'room',
    bufferMinutes: 15,
    locationId,
  } as const;
  const { id: resourceId } = await db.resource.create({ data: room });
  ids = { locationId, resourceId };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.ctx.db.booking.deleteMany();
  await database.ctx.db.member.deleteMany();
});

const NOW = new Date('2026-03-01T12:00:00Z');
const importFile = (file: Uint8Array, options: { dryRun?: boolean } = {}) =>
  importBookings(
    { ...database.ctx, now: () => NOW },
    { file, resource: { slug: 'spree' }, ...options },
  );

/** Entries of one hour on 1 April, by their start in UTC. */
const entriesAt = (...entries: [uid: string, time: string, ...more: string[]][]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...entries.flatMap(([uid, time, ...more]) => [
        'BEGIN:VEVENT',
        `UID:${uid}`,
        `SUMMARY:${uid}`,
        `DTSTART:20260401T${time}00Z`,
        'DURATION:PT1H',
        ...more,
        'END:VEVENT',
      ]),
      'END:VCALENDAR',
    ].join('\r\n'),
  );

const bookings = () => database.ctx.db.booking.findMany({ orderBy: { startsAt: 'asc' } });
const book = (from: string, until: string, status: 'confirmed' | 'cancelled' = 'confirmed') =>
  database.ctx.db.booking.create({
    data: {
      ...ids,
      guestName: 'Zoe',
      title: 'Rehearsal',
      status,
      startsAt: new Date(from),
      endsAt: new Date(until),
      occupiedUntil: new Date(new Date(until).getTime() + 15 * 60_000),
    },
  });

test("imports a calendar as free confirmed bookings with the resource's buffer", async () => {
  const report = await importFile(fixture('google.ics'));
  expect(report).toMatchObject({ imported: 7, unchanged: 0, skipped: 1 });
  const [interview, standUp] = await bookings();
  expect(interview).toMatchObject({
    status: 'confirmed',
    priceAmount: 0,
    resourceId: ids.resourceId,
  });
  expect(standUp).toMatchObject({
    title: 'Stand-up',
    startsAt: new Date('2026-03-16T08:00:00Z'),
    endsAt: new Date('2026-03-16T08:30:00Z'),
    occupiedUntil: new Date('2026-03-16T08:45:00Z'),
    importUid: '7kukuqrfedlm2f9t0vr42q6q2s@google.com/20260316T080000Z',
  });
});

test('reports each entry with line, title and local time', async () => {
  const { rows } = await importFile(fixture('google.ics'));
  expect(rows.slice(0, 2).map(({ line, what }) => [line, what])).toEqual([
    [26, 'Stand-up, Mon, 16 Mar 2026, 09:00'],
    [26, 'Stand-up, Mon, 23 Mar 2026, 09:00'],
  ]);
  expect(rows.find(({ outcome }) => outcome === 'skipped')).toEqual({
    line: 58,
    what: 'Stand-up',
    outcome: 'skipped',
    reason: 'It was cancelled before it was imported, so there is nothing to do.',
  });
});

test('assigns bookings to members by address and others to guests', async () => {
  const { id } = await database.ctx.db.member.create({
    data: { name: 'Ada', email: 'ada@example.org', code: 'A' },
  });
  await importFile(
    entriesAt(
      ['organizer', '0800', 'ORGANIZER;CN=Ada:mailto:ADA@example.org'],
      [
        'attendee',
        '1000',
        'ORGANIZER;CN=Ben:mailto:ben@example.org',
        'ATTENDEE:mailto:ada@example.org',
      ],
      ['without an organizer', '0600', 'ATTENDEE:mailto:ada@example.org'],
      ['guest', '1200', 'ORGANIZER;CN=Ben:mailto:ben@example.org'],
      ['nameless', '1400', 'ORGANIZER:mailto:cleo@example.org'],
      ['nobody', '1600'],
      ['private', '1800', 'CLASS:PRIVATE', 'DESCRIPTION:Salary'],
    ),
  );
  expect(await bookings()).toMatchObject([
    { memberId: id, guestName: null, guestEmail: null },
    { memberId: id, guestName: null, guestEmail: null },
    { memberId: null, guestName: 'Ben', guestEmail: 'ben@example.org' },
    { memberId: null, guestName: 'Ben', guestEmail: 'ben@example.org' },
    { memberId: null, guestName: 'cleo@example.org', guestEmail: 'cleo@example.org' },
    { memberId: null, guestName: 'nobody', guestEmail: null },
    { memberId: null, guestName: 'Guest', title: null, notes: 'private\nSalary' },
  ]);
});

test('skips entries that conflict with a booking and reports it', async () => {
  await book('2026-04-01T10:30:00Z', '2026-04-01T11:30:00Z');
  const report = await importFile(
    entriesAt(['before', '0900'], ['within', '1045'], ['after', '1130']),
  );
  expect(report).toMatchObject({ imported: 2, skipped: 1 });
  expect(
    report.rows.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason),
  ).toEqual(['The slot is taken by a booking, Wed, 1 Apr 2026, 12:30 – 13:30.']);
});

test('shortens texts to the limits of their fields, and says so', async () => {
  const organizer = `ORGANIZER;CN=${'n'.repeat(300)}:mailto:ben@example.org`;
  const file = entriesAt(
    ['t'.repeat(3_000), '0900', `DESCRIPTION:${'\u{1F4C5}'.repeat(30_000)}`, organizer],
    ['s'.repeat(3_000), '1000', 'CLASS:PRIVATE'],
    ['u'.repeat(150), '1100'],
  );
  const report = await importFile(file);
  const stored = await bookings();
  for (const { title, notes, guestName } of stored) {
    expect(bookingRow.columns.title.schema.parse(title)).toBe(title);
    expect(bookingRow.columns.notes.schema.parse(notes)).toBe(notes);
    expect(personName.parse(guestName)).toBe(guestName);
  }
  expect(stored.map(({ title }) => title?.length)).toEqual([200, undefined, 150]);
  expect(stored[1]?.notes).toHaveLength(3_000);
  expect(report.notes.at(-1)?.text).toBe(
    'A text of the entry was too long and was shortened. The same is true of 1 more entry.',
  );
  expect(await importFile(file)).toMatchObject({ unchanged: 3, updated: 0 });
});

test('imports meetings that are back to back, whose buffers end where the next one begins', async () => {
  await book('2026-04-01T08:00:00Z', '2026-04-01T09:00:00Z');
  const report = await importFile(
    entriesAt(['third', '1100'], ['first', '0900'], ['second', '1000'], ['last', '1205']),
  );
  expect(report).toMatchObject({ imported: 4, skipped: 0 });
  const occupied = (await bookings()).map(({ occupiedUntil }) =>
    occupiedUntil.toISOString().slice(11, 16),
  );
  expect(occupied).toEqual(['09:00', '10:00', '11:00', '12:05', '13:20']);
});

test('an undone import gives back times and buffers', async () => {
  const listSlots = async () =>
    (await bookings())
      .filter(({ status }) => status !== 'cancelled')
      .map(({ startsAt, occupiedUntil }) =>
        [startsAt, occupiedUntil].map((time) => time.toISOString().slice(11, 16)).join('-'),
      );
  const undo = ({ importId }: { importId?: string | null }) =>
    undoImport({ ...database.ctx, now: () => NOW }, { id: importId ?? '' });

  await book('2026-04-01T08:00:00Z', '2026-04-01T09:00:00Z');
  await importFile(entriesAt(['moved', '0900'], ['other', '1400']));
  expect(await listSlots()).toEqual(['08:00-09:00', '09:00-10:15', '14:00-15:15']);
  const second = await importFile(
    entriesAt(['moved', '1300'], ['other', '1400'], ['new', '1005'], ['next', '1505']),
  );
  expect(await listSlots()).toEqual([
    ...['08:00-09:15', '10:05-11:20', '13:00-14:00', '14:00-15:05', '15:05-16:20'],
  ]);
  expect((await undo(second)).report).toMatchObject({ removed: 2, restored: 1, notes: [] });
  expect(await listSlots()).toEqual(['08:00-09:00', '09:00-10:15', '14:00-15:15']);
  await importFile(entriesAt(['moved', '0900', 'STATUS:CANCELLED'], ['other', '1430']));
  expect(await listSlots()).toEqual(['08:00-09:15', '14:30-15:45']);
});

test('ignores cancelled bookings', async () => {
  await book('2026-04-01T10:00:00Z', '2026-04-01T11:00:00Z', 'cancelled');
  expect(await importFile(entriesAt(['one', '1000']))).toMatchObject({ imported: 1, skipped: 0 });
});

test('imports the earlier of two conflicting entries and reports its line for the other', async () => {
  const report = await importFile(entriesAt(['late', '1030'], ['early', '1000']));
  expect(report.rows).toEqual([
    {
      line: 2,
      what: 'late, Wed, 1 Apr 2026, 12:30',
      outcome: 'skipped',
      reason: 'The slot is taken by a booking, Wed, 1 Apr 2026, 12:00 – 13:00 (line 8).',
    },
    { line: 8, what: 'early, Wed, 1 Apr 2026, 12:00', outcome: 'imported' },
  ]);
});

test('requests tentative entries, and skips those that are marked as free time', async () => {
  const report = await importFile(
    entriesAt(
      ['perhaps', '0800', 'STATUS:TENTATIVE'],
      ['free', '1000', 'TRANSP:TRANSPARENT'],
      ['certain', '1000'],
    ),
  );
  expect(report).toMatchObject({ imported: 2, skipped: 1 });
  expect(report.rows.find(({ outcome }) => outcome === 'skipped')?.reason).toBe(
    'It is marked as free time, so it blocks nothing.',
  );
  expect((await bookings()).map(({ title, status }) => [title, status])).toEqual([
    ['perhaps', 'pending'],
    ['certain', 'confirmed'],
  ]);
});

test('keeps a series together, also with what a later import adds', async () => {
  const weekly = (count: number): Parameters<typeof entriesAt>[0] => [
    'weekly',
    '0800',
    `RRULE:FREQ=WEEKLY;COUNT=${count}`,
  ];
  await importFile(entriesAt(weekly(2), ['single', '1200']));
  await importFile(entriesAt(weekly(3)));
  const all = await bookings();
  const series = all.filter(({ title }) => title === 'weekly').map(({ seriesId }) => seriesId);
  expect(series).toHaveLength(3);
  expect(new Set(series).size).toBe(1);
  expect(all.find(({ title }) => title === 'single')?.seriesId).toBe(null);
  expect(
    await database.ctx.db.bookingSeries.findMany({ where: { id: series[0] ?? '' } }),
  ).toMatchObject([{ rule: 'FREQ=WEEKLY;COUNT=2', minutes: 60 }]);
});

test('keeps place and web page, and says that nobody owes anything', async () => {
  const report = await importFile(
    entriesAt(['one', '1000', 'LOCATION:Room 7', 'URL:https://meet.example/1', 'DESCRIPTION:Tea']),
  );
  expect(await bookings()).toMatchObject([
    { notes: 'Tea\nRoom 7\nhttps://meet.example/1', priceAmount: 0, membershipId: null },
  ]);
  expect(report.notes).toEqual([{ line: null, text: expect.stringContaining('free of charge') }]);
});

test('does not import a cancelled booking again', async () => {
  await importFile(entriesAt(['one', '1000']));
  await database.ctx.db.booking.updateMany({ data: { status: 'cancelled' } });
  expect(await importFile(entriesAt(['one', '1000']))).toMatchObject({ imported: 0, skipped: 1 });
});

test('adds everything once in concurrent runs', async () => {
  const reports = await Promise.all([
    importFile(fixture('google.ics')),
    importFile(fixture('google.ics')),
  ]);
  expect(reports.map(({ imported, unchanged }) => [imported, unchanged]).toSorted()).toEqual([
    [0, 7],
    [7, 0],
  ]);
  expect(await bookings()).toHaveLength(7);
});

test('reports the same in a dry run and changes nothing', async () => {
  await book('2026-03-16T08:00:00Z', '2026-03-16T09:00:00Z');
  const rehearsal = await importFile(fixture('google.ics'), { dryRun: true });
  expect(await bookings()).toHaveLength(1);
  const report = await importFile(fixture('google.ics'));
  expect({ ...rehearsal, importId: report.importId }).toEqual({ ...report, dryRun: true });
  expect(report).toMatchObject({ imported: 6, skipped: 2 });
});

test('changes nothing for an invalid file', async () => {
  await expect(importFile(fixture('cut-off.ics'))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    details: { line: 9 },
  });
  expect(await bookings()).toEqual([]);
});

test('rejects an unknown resource', async () => {
  const unknown = importBookings(database.ctx, {
    file: fixture('google.ics'),
    resource: { slug: 'nowhere' },
  });
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('imports many bookings', async () => {
  const rules = Array.from(
    { length: 3 },
    (_, n) =>
      [`s${n}`, `${String(n * 2).padStart(2, '0')}00`, 'RRULE:FREQ=DAILY'] as [
        string,
        string,
        string,
      ],
  );
  const report = await importFile(entriesAt(...rules));
  expect(report.imported).toBe(1005); // 335 days
  expect(await importFile(entriesAt(...rules))).toMatchObject({ imported: 0, unchanged: 1005 });
});
