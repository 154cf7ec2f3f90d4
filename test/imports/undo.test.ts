import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { v7 } from 'uuid';
import { updateBooking } from '../../src/features/bookings/service/change-booking.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { DEPENDENTS } from '../../src/features/imports/service/undo-members.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { importEvents } from '../../src/imports/import-events.ts';
import { importMemberFile } from '../../src/imports/import-member-file.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import { makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { dumpTables } from '../support/imports/dump.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

const HEADER = 'name,email,phone,company,status,team,plan';
const importList = async (rows: string[], options = {}) => {
  const file = Buffer.from([HEADER, ...rows].join('\n'));
  const report = await importMembers(app.ctx, { file, createTeams: true, ...options });
  return { ...report, id: report.importId ?? '' };
};

/** A list that adds members with a team and a plan, changes a member, and has a problem. */
async function importEverything() {
  const plan = await app.ctx.db.plan.create({ data: { name: `Plan ${v7()}` } });
  const known = await makeMember(app);
  const before = await dumpTables(app.ctx);
  const team = `Team ${v7()}`;
  const report = await importList(
    [
      `Ada,ada-${v7()}@example.org,,,active,${team},"${plan.name}"`,
      `Grace,grace-${v7()}@example.org,123,Navy,paused,,`,
      `Another Name,${known.email},+49 30 1,Other Ltd,former,${team},"${plan.name}"`,
      'Nobody,no address,,,,,',
    ],
    { update: true },
  );
  return { before, report, known };
}

test('gives everything back as it was before the import', async () => {
  const { before, report } = await importEverything();
  expect(report).toMatchObject({ imported: 2, updated: 1, skipped: 1 });
  const after = await dumpTables(app.ctx);
  expect(after.members).not.toEqual(before.members);
  const { report: preview } = await undoImport(app.ctx, { id: report.id, dryRun: true });
  expect(preview).toEqual({ removed: 2, restored: 1, notes: [], problems: [] });
  expect(await dumpTables(app.ctx)).toEqual(after);

  const undone = await undoImport(app.ctx, { id: report.id });
  expect(undone).toMatchObject({ report: preview, import: { state: 'undone' } });
  expect(await dumpTables(app.ctx)).toEqual(before);
  await expect(undoImport(app.ctx, { id: report.id })).rejects.toMatchObject({
    details: { reason: 'IMPORT_ENDED' },
  });
});

test('keeps what was changed since, and says so', async () => {
  const { report, known } = await importEverything();
  await app.ctx.db.member.update({ where: { id: known.id }, data: { phone: '+49 30 2' } });
  const undone = await undoImport(app.ctx, { id: report.id });
  expect(undone.report.notes).toEqual([
    { line: 4, reason: 'Changed since the import, so it stays: phone.' },
  ]);
  expect(await app.ctx.db.member.findUniqueOrThrow({ where: { id: known.id } })).toMatchObject({
    ...{ name: known.name, company: known.company, phone: '+49 30 2', status: 'active' },
  });
});

test('leaves everything if something depends on a member, and says what', async () => {
  const { room: resource, location } = await makeSpace(app);
  const { report } = await importEverything();
  const { db } = app.ctx;
  const entries = await db.importRow.findMany({
    where: { importId: report.id, outcome: 'imported' },
    orderBy: { line: 'asc' },
  });
  const memberId = entries[0]?.subjectId ?? '';
  await db.user.create({
    data: { memberId, name: 'Ada', email: `${v7()}@example.org` },
  });
  const startsAt = new Date('2031-03-01T10:00:00Z');
  const endsAt = new Date('2031-03-01T11:00:00Z');
  await db.booking.create({
    data: {
      ...{
        resourceId: resource.id,
        locationId: location.id,
        memberId: entries[1]?.subjectId ?? '',
      },
      ...{ startsAt, endsAt, occupiedUntil: endsAt },
    },
  });
  const before = await dumpTables(app.ctx);
  const problems = [
    { line: 2, reason: 'The member has signed in.' },
    { line: 3, reason: 'The member has a booking.' },
  ];
  const { report: preview } = await undoImport(app.ctx, { id: report.id, dryRun: true });
  expect(preview.problems).toEqual(problems);
  await expect(undoImport(app.ctx, { id: report.id })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', details: { reason: 'IMPORT_IN_USE', problems } },
  });
  expect(await dumpTables(app.ctx)).toEqual(before);
});

test('keeps a team that others have joined', async () => {
  const team = `Team ${v7()}`;
  const report = await importList([`Ada,ada-${v7()}@example.org,,,,${team},`]);
  const { id: teamId } = await app.ctx.db.team.findUniqueOrThrow({ where: { name: team } });
  await app.ctx.db.member.create({
    data: { name: 'Joan', email: `${v7()}@example.org`, code: v7(), teamId },
  });
  await expect(undoImport(app.ctx, { id: report.id })).rejects.toMatchObject({
    details: { problems: [{ line: 1, reason: `The team "${team}" has other members.` }] },
  });
});

test('checks every table that refers to members', async () => {
  // Their rows are deleted with the member, or are no use of the membership.
  const goWithTheMember = [
    ...['lookup_handles', 'member_email_changes', 'sign_in_links', 'unconfirmed_visitor_emails'],
  ];
  const tables = await app.ctx.db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid = 'members'::regclass`;
  expect(tables.map(({ name }) => name).sort()).toEqual(
    [...Object.keys(DEPENDENTS), ...goWithTheMember].sort(),
  );
});

test('undoes a list that was imported in batches', async () => {
  const before = await dumpTables(app.ctx);
  const rows = Array.from({ length: 30 }, (_, n) => `Ada,batch-${n}@example.org,,,,,`);
  const text = [HEADER, ...rows].join('\n');
  const { importId = '', ...report } = await importMemberFile(
    app.ctx,
    () => Readable.from([Buffer.from(text)]),
    { batchRows: 20, onRow: () => {} },
  );
  expect(report.imported).toBe(30);
  const undone = await undoImport(app.ctx, { id: importId });
  expect(undone).toMatchObject({
    import: { importedCount: 30, state: 'undone' },
    report: { removed: 30 },
  });
  expect(await dumpTables(app.ctx)).toEqual(before);
});

test('deletes drafts of events, but none that was changed since', async () => {
  const { location } = await makeSpace(app);
  const before = await dumpTables(app.ctx);
  const input = { file: fixture('google.ics'), locationId: location.id };
  const first = await importEvents(app.ctx, input);
  expect(first.imported).toBeGreaterThan(0);
  await undoImport(app.ctx, { id: first.importId ?? '' });
  expect(await dumpTables(app.ctx)).toEqual(before);

  const second = await importEvents(app.ctx, input);
  expect(second.imported).toBe(first.imported);
  const { id: eventId } = await app.ctx.db.event.findFirstOrThrow({
    where: { importUid: { not: null } },
  });
  await app.ctx.db.ticketType.create({ data: { eventId, name: 'Guest' } });
  await expect(undoImport(app.ctx, { id: second.importId ?? '' })).rejects.toMatchObject({
    details: { reason: 'IMPORT_IN_USE' },
  });
  // The journal can be shorter than the list of imports.
  await app.ctx.db.ticketType.deleteMany({ where: { eventId } });
  await app.ctx.db.event.update({ where: { id: eventId }, data: { summary: 'Changed in Foyer' } });
  await app.ctx.db.change.deleteMany({ where: { subjectId: eventId } });
  await expect(undoImport(app.ctx, { id: second.importId ?? '' })).rejects.toMatchObject({
    details: { problems: [{ reason: expect.stringContaining('the journal no longer contains') }] },
  });
});

test('cancels bookings, which can then be imported again', async () => {
  const { room: resource } = await makeSpace(app);
  const input = { file: fixture('google.ics'), resource: { slug: resource.slug } };
  const first = await importBookings(app.ctx, input);
  expect(first.imported).toBeGreaterThan(0);
  const { report } = await undoImport(app.ctx, { id: first.importId ?? '' });
  expect(report).toMatchObject({ removed: first.imported, problems: [] });
  const where = { resourceId: resource.id, status: { not: 'cancelled' as const } };
  expect(await app.ctx.db.booking.count({ where })).toBe(0);
  const second = await importBookings(app.ctx, input);
  expect(second.imported).toBe(first.imported);
  const { id } = await app.ctx.db.booking.findFirstOrThrow({
    where: { ...where, status: 'confirmed' },
  });
  await updateBooking(app.ctx, id, { title: 'Another title' });
  await expect(undoImport(app.ctx, { id: second.importId ?? '' })).rejects.toMatchObject({
    details: { problems: [{ reason: 'The booking was changed since.' }] },
  });
});
