import { v7 } from 'uuid';
import type { Database } from '../../src/db/database.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { deleteMembers } from '../../src/features/members/service/members.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { importEvents } from '../../src/imports/import-events.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import { makeSpace } from '../support/factories/space.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

async function importOne() {
  const email = `${v7()}@example.org`;
  const { importId = '' } = await importMembers(app.ctx, {
    file: Buffer.from(`name,email\nAda,${email}`),
  });
  const { id: memberId } = await app.ctx.db.member.findUniqueOrThrow({ where: { email } });
  return { importId, memberId };
}

/** Runs some work while a transaction has run a statement and is not committed yet. */
async function whileUncommitted(sql: string, values: unknown[], work: () => Promise<unknown>) {
  const client = await app.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql, values);
    const result = work().then(
      (value) => value ?? 'done',
      (error) => error,
    );
    await waitForLock();
    await client.query('COMMIT');
    return await result;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const INSERT_BOOKING = `
  INSERT INTO bookings (id, resource_id, location_id, member_id, guest_name, starts_at, ends_at, occupied_until)
  VALUES ($1, $2, $3, $4, $5, '2031-03-01T10:00:00Z', '2031-03-01T11:00:00Z', '2031-03-01T11:00:00Z')`;

async function whileBooking(memberId: string, work: () => Promise<unknown>) {
  const { location, room } = await makeSpace(app);
  return whileUncommitted(INSERT_BOOKING, [v7(), room.id, location.id, memberId, null], work);
}

/** Waits until a session waits for a lock of another. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const [row] = await app.ctx.db.$queryRaw<{ waits: boolean }[]>`
      SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`;
    if (row?.waits) return;
  }
}

describe('undoing an import while someone books for a member', () => {
  it('finds the booking and changes nothing', async () => {
    const { importId, memberId } = await importOne();
    const result = await whileBooking(memberId, () => undoImport(app.ctx, { id: importId }));
    expect(result).toMatchObject({
      details: {
        ...{ reason: 'IMPORT_IN_USE' },
        problems: [{ line: 2, reason: 'The member has a booking.' }],
      },
    });
    expect(await app.ctx.db.booking.count({ where: { memberId } })).toBe(1);
  });

  it('is stopped by the foreign key if it checks before it locks', async () => {
    const { memberId } = await importOne();
    const result = await whileBooking(memberId, async () => {
      expect(await app.ctx.db.booking.count({ where: { memberId } })).toBe(0);
      await deleteMembers(app.ctx, [memberId]);
    });
    expect(String(result)).toMatch(/violates foreign key constraint/);
    expect(await app.ctx.db.member.count({ where: { id: memberId } })).toBe(1);
  });

  it('lets the booking fail if the member is gone', async () => {
    const { importId, memberId } = await importOne();
    await undoImport(app.ctx, { id: importId });
    await expect(whileBooking(memberId, async () => {})).rejects.toMatchObject({ code: '23503' });
  });
});

describe('importing a calendar again', () => {
  const toFile = (start: string) =>
    Buffer.from(
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:A\nDTSTART:${start}\nDURATION:PT1H\nEND:VEVENT\nEND:VCALENDAR`,
    );
  const now = () => new Date('2031-02-01T10:00:00Z');

  /** A room with an imported booking, and the calendar with its entry at another time. */
  async function importBooking() {
    const { location, room } = await makeSpace(app);
    const importAt = (start: string, db = app.ctx.db) =>
      importBookings({ ...app.ctx, db, now }, { file: toFile(start), resource: { id: room.id } });
    await importAt('20310301T080000Z');
    const booking = await app.ctx.db.booking.findFirstOrThrow({ where: { resourceId: room.id } });
    const read = () => app.ctx.db.booking.findUnique({ where: { id: booking.id } });
    return {
      ...{ location, room, booking, read },
      importAt: (db = app.ctx.db) => importAt('20310301T100000Z', db),
    };
  }

  const RENAME_BOOKING = `UPDATE bookings SET title = 'In Foyer' WHERE id = $1`;

  it('keeps what someone changes meanwhile', async () => {
    const { booking, read, importAt } = await importBooking();
    const report = await whileUncommitted(RENAME_BOOKING, [booking.id], importAt);
    expect(report).toMatchObject({ updated: 0, skipped: 1 });
    expect(await read()).toMatchObject({ title: 'In Foyer', startsAt: booking.startsAt });
  });

  it('overwrites that if it does not lock before it reads', async () => {
    const { booking, read, importAt } = await importBooking();
    const isLock = /FROM bookings WHERE id = ANY \(\$1::uuid\[\]\) ORDER BY id FOR NO KEY UPDATE/;
    const { prisma } = rewriteTransactions({ prisma: app.ctx.db } as Database, (text) =>
      isLock.test(text) ? text.replace('FOR NO KEY UPDATE', '') : text,
    );
    const report = await whileUncommitted(RENAME_BOOKING, [booking.id], () => importAt(prisma));
    expect(report).toMatchObject({ updated: 1, skipped: 0 });
    expect(await read()).toMatchObject({
      ...{ title: 'A', startsAt: new Date('2031-03-01T10:00:00Z') },
    });
  });

  it('does not say that it changed what someone deletes meanwhile', async () => {
    const { booking, read, importAt } = await importBooking();
    const report = await whileUncommitted(
      'DELETE FROM bookings WHERE id = $1',
      [booking.id],
      importAt,
    );
    expect(report).toMatchObject({
      updated: 0,
      rows: [{ outcome: 'skipped', reason: expect.stringContaining('It was deleted while') }],
    });
    expect(await read()).toBeNull();
  });

  it('does not say so of an event either', async () => {
    const { location } = await makeSpace(app);
    const importAt = (start: string) =>
      importEvents({ ...app.ctx, now }, { file: toFile(start), locationId: location.id });
    await importAt('20310301T080000Z');
    const event = await app.ctx.db.event.findFirstOrThrow({ where: { locationId: location.id } });
    const report = await whileUncommitted('DELETE FROM events WHERE id = $1', [event.id], () =>
      importAt('20310301T100000Z'),
    );
    expect(report).toMatchObject({
      updated: 0,
      rows: [{ outcome: 'skipped', reason: expect.stringContaining('It was deleted while') }],
    });
  });

  it('runs again if someone books the new slot meanwhile', async () => {
    const { location, room, booking, read, importAt } = await importBooking();
    const values = [v7(), room.id, location.id, null, 'Zoe'];
    const report = await whileUncommitted(INSERT_BOOKING, values, importAt);
    expect(report).toMatchObject({
      updated: 0,
      rows: [{ outcome: 'skipped', reason: expect.stringContaining('The slot is taken by') }],
    });
    expect(await read()).toMatchObject({ title: 'A', startsAt: booking.startsAt });
  });
});

describe('a customer number that another member gets while a list is imported', () => {
  const INSERT_MEMBER = `INSERT INTO members (id, name, email, code, customer_number) VALUES ($1, 'Zoe', $2, $3, $4)`;

  async function importMeanwhile(rejectProblems: boolean, listMore = (_: string) => ['']) {
    const emails = [`${v7()}@example.org`, `${v7()}@example.org`];
    const number = v7().slice(-8);
    const earlierNumber = v7().slice(-8);
    const importRows = (rows: string[], options = {}) =>
      importMembers(app.ctx, {
        file: Buffer.from(['name,email,customer number', ...rows].join('\n')),
        ...options,
      });
    await importRows([`Ada,${emails[0]},${earlierNumber}`, `Grace,${emails[1]},`]);
    const values = [v7(), `${v7()}@example.org`, v7().slice(-10), number];
    const result = await whileUncommitted(INSERT_MEMBER, values, () =>
      importRows([`New,${emails[0]},${number}`, `New,${emails[1]},`, ...listMore(earlierNumber)], {
        update: true,
        rejectProblems,
      }),
    );
    const members = await app.ctx.db.member.findMany({ where: { email: { in: emails } } });
    const names = members.map(({ email, name }) => [emails.indexOf(email), name]);
    return { result, names: Object.fromEntries(names), number, earlierNumber };
  }

  it('is a problem of its line', async () => {
    const { result, names, number } = await importMeanwhile(false);
    expect(result).toMatchObject({
      updated: 1,
      skipped: 1,
      rows: [
        { line: 2, reason: `The customer number ${number} is already in use.` },
        { line: 3, outcome: 'updated' },
      ],
    });
    expect(names).toEqual({ 0: 'Ada', 1: 'New' });
  });

  it('is named by a line with the earlier number of its member', async () => {
    const { result, earlierNumber } = await importMeanwhile(false, (earlier) => [
      `Zed,${v7()}@example.org,${earlier}`,
    ]);
    expect(result).toMatchObject({
      rows: [
        { line: 2, outcome: 'skipped' },
        { line: 3, outcome: 'updated' },
        {
          line: 4,
          reason: `Another member has the customer number ${earlierNumber}. Line 2 gives that member another one, but is skipped too: correct it first.`,
        },
      ],
    });
  });

  it('stops an import without problems', async () => {
    const { result, names } = await importMeanwhile(true);
    expect(result).toMatchObject({
      details: { reason: 'IMPORT_HAS_PROBLEMS', problems: [{ line: 2 }] },
    });
    expect(names).toEqual({ 0: 'Ada', 1: 'Grace' });
  });
});
