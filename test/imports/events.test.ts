import { readFileSync } from 'node:fs';
import { importEvents } from '../../src/imports/import-events.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

let database: TestDatabase;
let mitte: string;
let alfama: string;
beforeAll(async () => {
  database = await openTestDatabase();
  const create = (slug: string, name: string, timeZone: string) =>
    database.ctx.db.location.create({ data: { slug, name, timeZone } });
  mitte = (await create('mitte', 'Foyer Mitte', 'Europe/Berlin')).id;
  alfama = (await create('alfama', 'Foyer Alfama', 'Europe/Lisbon')).id;
});
afterAll(() => database.close());
beforeEach(() => database.ctx.db.event.deleteMany());

const NOW = new Date('2026-03-01T12:00:00Z');
const importFile = (
  file: Uint8Array,
  options: { dryRun?: boolean; locationId?: string; publish?: boolean } = {},
) => importEvents({ ...database.ctx, now: () => NOW }, { file, ...options });

const calendar = (...entries: string[][]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...entries.flatMap((lines, n) => ['BEGIN:VEVENT', `UID:${n}`, ...lines, 'END:VEVENT']),
      'END:VCALENDAR',
    ].join('\n'),
  );

const events = () =>
  database.ctx.db.event.findMany({ orderBy: [{ startsAt: 'asc' }, { importUid: 'asc' }] });

test('imports drafts with tags, and private ones for members only', async () => {
  const report = await importFile(fixture('google.ics'), { locationId: mitte });
  expect(report).toMatchObject({ imported: 7, unchanged: 0, skipped: 1 });
  const all = await events();
  expect(all.every(({ status, locationId }) => status === 'draft' && locationId === mitte)).toBe(
    true,
  );
  expect(
    all.filter(({ visibility }) => visibility === 'members').map(({ title }) => title),
  ).toEqual(['Interview']);
  expect(all.find(({ title }) => title === 'Open house')).toMatchObject({
    slug: 'open-house-2026-03-29',
    tags: ['open day', 'community'],
  });
});

test('publishes events if asked, and keeps place and web page', async () => {
  const entry = ['SUMMARY:Yoga', 'DTSTART:20260701T080000Z', 'DURATION:PT1H'];
  const file = calendar([
    ...entry,
    'URL:https://yoga.example',
    'LOCATION:Roof',
    'DESCRIPTION:Mats',
  ]);
  await importFile(file, { locationId: mitte, publish: true });
  expect(await events()).toMatchObject([
    {
      status: 'published',
      publishedAt: NOW,
      description: 'Mats\n\nRoof\n\nhttps://yoga.example',
    },
  ]);
});

test('finds the location by name or slug and uses its zone for floating times', async () => {
  const at = (place: string) => [
    'SUMMARY:Yoga',
    'DTSTART:20260701T080000',
    'DURATION:PT1H',
    `LOCATION:${place}`,
  ];
  await importFile(
    calendar(at('foyer mitte'), at('ALFAMA'), at('Foyer Alfama\\, Beco do Farol 3\\, Lisboa')),
  );
  expect(
    (await events()).map(({ locationId, startsAt, slug }) => [
      locationId,
      startsAt.toISOString(),
      slug,
    ]),
  ).toEqual([
    [mitte, '2026-07-01T06:00:00.000Z', 'yoga-2026-07-01'],
    [alfama, '2026-07-01T07:00:00.000Z', expect.stringMatching(/^yoga-2026-07-01-[0-9a-f]{8}$/)],
    [alfama, '2026-07-01T07:00:00.000Z', expect.stringMatching(/^yoga-2026-07-01-[0-9a-f]{8}$/)],
  ]);
});

test('skips an entry without a known location or default', async () => {
  const entry = ['SUMMARY:Yoga', 'DTSTART:20260701T080000Z', 'DURATION:PT1H'];
  const report = await importFile(calendar(entry, [...entry, 'LOCATION:The moon']));
  expect(report.rows.map(({ reason }) => reason)).toEqual([
    'It has no location.',
    'There is no location named "The moon".',
  ]);
  expect(await events()).toEqual([]);
});

test('skips an entry without a title', async () => {
  const report = await importFile(calendar(['DTSTART:20260701']), { locationId: mitte });
  expect(report.rows).toEqual([
    { line: 2, what: 'Untitled, Wed, 1 Jul 2026', outcome: 'skipped', reason: 'It has no title.' },
  ]);
});

test.each([
  ['Größe & Maß: Ühung!', 'groesse-and-mass-uehung-2026-07-01'],
  ['日本語', 'event-2026-07-01'],
  ['x'.repeat(500), `${'x'.repeat(60)}-2026-07-01`],
])('creates the slug of %s', async (title, slug) => {
  await importFile(calendar([`SUMMARY:${title}`, 'DTSTART:20260701']), { locationId: mitte });
  const shown = title.length > 200 ? `${title.slice(0, 199)}…` : title;
  expect(await events()).toMatchObject([{ title: shown, slug }]);
});

test('makes duplicate slugs unique', async () => {
  const reserved = {
    slug: 'yoga-2026-07-01',
    title: 'Yoga',
    locationId: mitte,
    startsAt: NOW,
    endsAt: new Date(+NOW + 1),
  };
  await database.ctx.db.event.create({ data: reserved });
  const report = await importFile(calendar(['SUMMARY:Yoga', 'DTSTART:20260701']), {
    locationId: mitte,
  });
  expect(report).toMatchObject({ imported: 1 });
  expect((await events()).at(-1)?.slug).toMatch(/^yoga-2026-07-01-[0-9a-f]{8}$/);
});

test('adds nothing in a second run', async () => {
  await importFile(fixture('google.ics'), { locationId: mitte });
  const before = await events();
  const report = await importFile(fixture('google.ics'), { locationId: mitte });
  expect(report).toMatchObject({ imported: 0, unchanged: 7, skipped: 1 });
  expect(await events()).toEqual(before);
});

test('adds everything once in concurrent runs', async () => {
  const run = () => importFile(fixture('google.ics'), { locationId: mitte });
  const reports = await Promise.all([run(), run()]);
  expect(reports.map(({ imported }) => imported).toSorted()).toEqual([0, 7]);
  expect(await events()).toHaveLength(7);
});

test('reports the same in a dry run and changes nothing', async () => {
  const rehearsal = await importFile(fixture('nextcloud.ics'), { locationId: mitte, dryRun: true });
  expect(await events()).toEqual([]);
  const report = await importFile(fixture('nextcloud.ics'), { locationId: mitte });
  expect({ ...rehearsal, importId: report.importId }).toEqual({ ...report, dryRun: true });
  expect(report).toMatchObject({ imported: 4, skipped: 4 });
});

test('changes nothing for an invalid file', async () => {
  await expect(importFile(fixture('sign-in-page.ics'))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(await events()).toEqual([]);
});

test('rejects an unknown default location', async () => {
  const unknown = importFile(fixture('google.ics'), {
    locationId: '00000000-0000-7000-8000-000000000000',
  });
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
