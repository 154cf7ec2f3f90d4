import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Viewer } from '../../src/auth/viewer.ts';
import { type Context, createQueues } from '../../src/context.ts';
import { createFairQueue } from '../../src/core/fair-queue.ts';
import { DAY_MS } from '../../src/core/time/time-zone.ts';
import {
  addImportFilePart,
  purgeImportFiles,
} from '../../src/features/imports/service/file-parts.ts';
import { importCalendar } from '../../src/imports/import-calendar.ts';
import type { ImportReport } from '../../src/imports/report.ts';
import type { Credential } from '../support/clients/api.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const google = readFileSync(new URL('./google.ics', import.meta.url));

/** Runs a mutation. Returns its payload, or the extensions of its error. */
async function run<Payload>(name: string, input: object, payload: string): Promise<Payload> {
  const inputType = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${inputType}!) { ${name}(input: $input) { ${payload} } }`;
  const { data, errors } = await app.graphql(document, { input }, owner);
  return ((data as Record<string, unknown> | null)?.[name] ?? errors?.[0]?.extensions) as Payload;
}

interface Report {
  report: { importId: string | null; imported: number; unchanged: number; skipped: number };
}

const runImport = (name: string, input: object) =>
  run<Report>(
    name,
    input,
    'report { dryRun importId imported unchanged skipped lines { line what outcome reason } notes { text } }',
  );

const undo = (id: string | null) =>
  run('undoImport', { id }, 'import { state kind fileName resource } report { removed }');

const dumpEvents = () => app.ctx.db.event.findMany({ orderBy: { id: 'asc' } });

const addPart = (content: Uint8Array, position: number, fileId?: string) =>
  run<{ fileId: string }>(
    'addImportFilePart',
    { fileId, position, content: Buffer.from(content).toString('base64') },
    'fileId',
  );

/** Sends a file in parts of 1,000 bytes, the first one twice. */
async function sendFile(bytes: Uint8Array): Promise<string> {
  const { fileId } = await addPart(bytes.subarray(0, 1_000), 0);
  for (let part = 0; part * 1_000 < bytes.length; part++)
    await addPart(bytes.subarray(part * 1_000, (part + 1) * 1_000), part, fileId);
  return fileId;
}

test('imports events that were sent in parts, after a dry run, and undoes it', async () => {
  const { location } = await makeSpace(app);
  const before = await dumpEvents();
  const fileId = await sendFile(google);
  const input = { fileId, fileName: 'google.ics', locationId: location.id };
  const preview = await runImport('importEvents', { ...input, dryRun: true });
  expect(preview.report).toMatchObject({ dryRun: true, importId: null });
  expect(preview.report.imported).toBeGreaterThan(0);
  expect(await dumpEvents()).toEqual(before);

  const { report } = await runImport('importEvents', { ...input, publish: true });
  expect(report).toEqual({ ...preview.report, dryRun: false, importId: expect.any(String) });
  const where = { importUid: { not: null }, locationId: location.id };
  const events = await app.ctx.db.event.findMany({ where });
  expect(events).toHaveLength(report.imported);
  expect(events.every(({ status }) => status === 'published')).toBe(true);
  expect(await app.ctx.db.importFilePart.count()).toBe(0);
  expect(await runImport('importEvents', input)).toMatchObject({ code: 'NOT_FOUND' });

  const text = { file: google.toString(), locationId: location.id };
  const again = await runImport('importEvents', text);
  expect(again.report).toMatchObject({ imported: 0, unchanged: report.imported });
  expect(await undo(report.importId)).toEqual({
    import: { state: 'UNDONE', kind: 'EVENTS', fileName: 'google.ics', resource: null },
    report: { removed: report.imported },
  });
  expect(await dumpEvents()).toEqual(before);
});

test('imports the bookings of a resource, and undoes it', async () => {
  const { room } = await makeSpace(app);
  const input = { fileId: await sendFile(google), resourceId: room.id };
  const preview = await runImport('importBookings', { ...input, dryRun: true });
  expect(await app.ctx.db.booking.count({ where: { resourceId: room.id } })).toBe(0);
  const { report } = await runImport('importBookings', input);
  expect(report).toEqual({ ...preview.report, dryRun: false, importId: expect.any(String) });
  expect(report.imported).toBeGreaterThan(0);
  const where = { resourceId: room.id, status: { not: 'cancelled' as const } };
  expect(await app.ctx.db.booking.count({ where })).toBe(report.imported);
  expect(await undo(report.importId)).toMatchObject({
    import: { state: 'UNDONE', kind: 'BOOKINGS', fileName: null, resource: room.name },
    report: { removed: report.imported },
  });
  expect(await app.ctx.db.booking.count({ where })).toBe(0);
});

test('lets only the sender of a file add to it and import it', async () => {
  const { room } = await makeSpace(app);
  const { fileId } = await addPart(google.subarray(0, 1_000), 0);
  const input = { fileId, resourceId: room.id };
  const sender = owner;
  owner = { cookie: await app.signIn((await createStaffUser(app, 'manager')).email) };
  expect(await addPart(google.subarray(1_000), 1, fileId)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await runImport('importBookings', input)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await runImport('importBookings', { ...input, fileId: v7() })).toMatchObject({
    code: 'NOT_FOUND',
  });
  // An older version says nothing about the sender.
  await app.ctx.db.importFilePart.updateMany({ data: { sentById: null } });
  await addPart(google.subarray(1_000), 1, fileId);
  owner = sender;
  expect(await runImport('importBookings', input)).toMatchObject({ code: 'NOT_FOUND' });
  await app.ctx.db.importFilePart.updateMany({ data: { sentById: null } });
  const { report } = await runImport('importBookings', input);
  expect(report.imported).toBeGreaterThan(0);
});

test('rejects incomplete and expired files, and calendars with too many entries', async () => {
  const { location, room } = await makeSpace(app);
  const before = await dumpEvents();
  const { fileId } = await addPart(google.subarray(0, 1_000), 0);
  await addPart(google.subarray(2_000), 2, fileId);
  expect(await runImport('importBookings', { fileId, resourceId: room.id })).toMatchObject({
    reason: 'IMPORT_FILE_INCOMPLETE',
  });
  const locationId = location.id;
  expect(await runImport('importEvents', { fileId, file: 'x', locationId })).toMatchObject({
    code: 'VALIDATION',
  });
  expect(await addPart(google, 1)).toMatchObject({ code: 'VALIDATION' });
  expect(await addPart(google, 1, v7())).toMatchObject({ code: 'NOT_FOUND' });

  const now = app.ctx.now();
  await purgeImportFiles(app.ctx);
  expect(await app.ctx.db.importFilePart.count()).toBe(2);
  await purgeImportFiles({ ...app.ctx, now: () => new Date(+now + 2 * DAY_MS) });
  expect(await app.ctx.db.importFilePart.count()).toBe(0);

  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  const entries = Array.from({ length: 5_001 }, (_, n) =>
    ['BEGIN:VEVENT', `UID:${n}`, `DTSTART:${day}`, 'SUMMARY:A', 'END:VEVENT'].join('\n'),
  );
  const file = ['BEGIN:VCALENDAR', ...entries, 'END:VCALENDAR'].join('\n');
  const { fileId: large } = await addPart(Buffer.from(file).subarray(0, 90_000), 0);
  for (let part = 1; part * 90_000 < file.length; part++)
    await addPart(Buffer.from(file).subarray(part * 90_000, (part + 1) * 90_000), part, large);
  expect(await runImport('importEvents', { fileId: large, locationId })).toMatchObject({
    reason: 'IMPORT_TOO_LARGE',
  });
  expect(await dumpEvents()).toEqual(before);
});

describe('of imports at once', () => {
  const EMPTY_REPORT = { rows: [], notes: [] } as unknown as ImportReport;

  /** Starts four imports, of two accounts. Returns the most files that were in memory at once, and the order in which they were read. */
  async function importAtOnce(ctx: Context) {
    const [a, b] = await Promise.all(['manager', 'owner'].map(createViewer));
    let reading = 0;
    let most = 0;
    const order: string[] = [];
    const importAs = (viewer: Viewer | undefined) =>
      importCalendar({ ...ctx, viewer: viewer as Viewer }, { file: 'x' }, async () => {
        order.push(viewer === a ? 'a' : 'b');
        reading += 1;
        most = Math.max(most, reading);
        await setImmediate();
        reading -= 1;
        return EMPTY_REPORT;
      });
    await Promise.all([a, a, a, b].map(importAs));
    return { most, order };
  }

  const createViewer = async (role: string) => {
    const { email } = await createStaffUser(app, role as 'manager');
    await app.signIn(email);
    const session = await app.ctx.db.session.findFirstOrThrow({ where: { user: { email } } });
    const { userId: id, id: sessionId } = session;
    return { kind: 'staff', id, name: email, role, sessionId } as Viewer;
  };

  test('one reads its file at a time', async () => {
    const { imports } = createQueues(1);
    const ctx = { ...app.ctx, queues: { ...app.ctx.queues, imports } };
    expect(await importAtOnce(ctx)).toEqual({ most: 1, order: ['a', 'a', 'a', 'b'] });
    // Without places, all are in memory at once.
    const unlimited = createFairQueue({ places: 4, perCaller: 4 });
    const control = { ...ctx, queues: { ...ctx.queues, imports: unlimited } };
    expect(await importAtOnce(control)).toMatchObject({ most: 4 });
  });

  test('one that waited needs the rights of then, and keeps its file', async () => {
    const viewer = (await createViewer('manager')) as Viewer & { id: string };
    const ctx = { ...app.ctx, viewer, queues: { ...app.ctx.queues, ...createQueues(1) } };
    const begin = () =>
      addImportFilePart(ctx, { position: 0, content: google.toString('base64') } as never);
    const fileId = await begin();
    let finish = () => {};
    const first = importCalendar(ctx, { file: 'x' }, async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return EMPTY_REPORT;
    });
    const second = importCalendar(ctx, { fileId }, async () => EMPTY_REPORT);
    const third = importCalendar(ctx, { file: 'x' }, async () => EMPTY_REPORT);
    for (let count = 0; count < 3; count += 1) await begin();
    const where = { sentById: viewer.id };
    expect(await app.ctx.db.importFilePart.count({ where: { ...where, fileId } })).toBe(1);
    expect(await app.ctx.db.importFilePart.count({ where })).toBe(3);
    await app.ctx.db.user.update({ where: { id: viewer.id }, data: { role: 'front_desk' } });
    finish();
    const results = await Promise.allSettled([first, second, third]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'FORBIDDEN' } },
      { reason: { code: 'FORBIDDEN' } },
    ]);
    expect(ctx.queues.importFiles.size).toBe(0);
    await app.ctx.db.importFilePart.deleteMany({ where });
  });
});

test('keeps two files of each sender, and gives up the oldest for another', async () => {
  const { room } = await makeSpace(app);
  const begin = async (content = 'x') => (await addPart(Buffer.from(content), 0)).fileId;
  await app.ctx.db.importFilePart.deleteMany();
  const manager = { cookie: await app.signIn((await createStaffUser(app, 'manager')).email) };
  const [first, second] = [await begin(), await begin()];
  const sender = owner;
  owner = manager;
  const others = await begin();
  owner = sender;
  const third = await begin(google.toString());
  const files = await app.ctx.db.importFilePart.findMany({ orderBy: { fileId: 'asc' } });
  expect(files.map(({ fileId }) => fileId)).toEqual([second, others, third]);
  expect(await addPart(google, 1, first)).toMatchObject({ code: 'NOT_FOUND' });
  const { report } = await runImport('importBookings', { fileId: third, resourceId: room.id });
  expect(report.imported).toBeGreaterThan(0);
});
