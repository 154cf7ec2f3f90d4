import { v7 } from 'uuid';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { deleteMembers } from '../../src/features/members/service/members.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import { makeSpace } from '../support/factories/space.ts';
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

/** Runs some work while a transaction has inserted a booking of the member and is not committed yet. */
async function whileBooking(memberId: string, work: () => Promise<unknown>) {
  const { location, room } = await makeSpace(app);
  const client = await app.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO bookings (id, resource_id, location_id, member_id, starts_at, ends_at, occupied_until)
       VALUES ($1, $2, $3, $4, '2031-03-01T10:00:00Z', '2031-03-01T11:00:00Z', '2031-03-01T11:00:00Z')`,
      [v7(), room.id, location.id, memberId],
    );
    const result = work().then(
      () => 'done',
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
