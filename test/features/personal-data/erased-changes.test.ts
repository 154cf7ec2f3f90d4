import { v7 } from 'uuid';
import { runInTransaction } from '../../../src/context.ts';
import { purgeRejectedAttempts } from '../../../src/features/check-ins/service/attempt-log.ts';
import { erasePersonalData } from '../../../src/features/personal-data/service/erase.ts';
import { enforceRetention } from '../../../src/features/personal-data/service/retention.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { recordCreated, recordUpdated } from '../../../src/journal/record-changes.ts';
import { makeMember } from '../../support/factories/people.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

// What programs that copy data read when personal data is removed. The mirror of the documentation is tested with all nouns.

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  token = await app.token('webhooks:read', 'bookings:read', 'check-ins:read');
});
afterAll(() => app.stop());

interface Listed {
  type: ChangeType;
  deleted: boolean;
  redacted: boolean;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const PAST = new Date('2026-01-05T09:00:00Z');
const HOUR_MS = 3_600_000;

/** Bookings of a guest in the past, recorded as when they were made. */
async function makeBookings(count: number, guestEmail: string): Promise<string[]> {
  const { room } = await makeSpace(app);
  const data = Array.from({ length: count }, (_, n) => {
    const startsAt = new Date(PAST.getTime() - n * HOUR_MS);
    const endsAt = new Date(startsAt.getTime() + HOUR_MS);
    return {
      ...{ id: v7(), resourceId: room.id, locationId: room.locationId, startsAt, endsAt },
      ...{ occupiedUntil: endsAt, guestName: 'Nora Lind', guestEmail, notes: 'Call Nora Lind' },
    };
  });
  const ids = data.map(({ id }) => id);
  await runInTransaction(app.ctx, async (ctx) => {
    await ctx.db.booking.createMany({ data });
    await recordCreated(ctx, 'booking.created', ids);
  });
  return ids;
}

const ERASED = { guest: { name: 'Deleted person', email: null }, notes: null, title: null };

describe('the changes of an erased guest', () => {
  it('say what became of past bookings, and keep what was created', async () => {
    const email = `${v7()}@example.org`;
    const [id = ''] = await makeBookings(1, email);
    await erasePersonalData(app.ctx, { email });
    const changes = await listLatest(id);
    expect(changes.map(({ type, redacted, deleted }) => [type, redacted, deleted])).toEqual([
      ['booking.created', true, false],
      ['booking.erased', true, false],
    ]);
    expect(changes[0]?.before).toBeNull();
    expect(changes[0]?.after).toMatchObject({ status: 'confirmed', guest: null, notes: null });
    expect(changes[1]?.after).toMatchObject(ERASED);
    expect(JSON.stringify(changes)).not.toMatch(/Nora|@example/);
  });

  it('are recorded for more than a thousand bookings', async () => {
    const email = `${v7()}@example.org`;
    const ids = await makeBookings(1_050, email);
    await erasePersonalData(app.ctx, { email });
    const where = { subjectId: { in: ids }, redacted: true };
    expect(await app.ctx.db.change.count({ where: { ...where, type: 'booking.erased' } })).toBe(
      1_050,
    );
    expect(await app.ctx.db.change.count({ where: { ...where, type: 'booking.created' } })).toBe(
      1_050,
    );
  });
});

describe('the retention job', () => {
  const later = () => ({ ...app.ctx, now: () => new Date('2036-01-01T00:00:00Z') });

  it('records that names were removed, and redacts earlier changes', async () => {
    const [id = ''] = await makeBookings(1, `${v7()}@example.org`);
    await app.ctx.db.retentionSetting.create({
      data: { policy: 'changes', days: null, updatedAt: app.clock.now },
    });
    await enforceRetention(later());
    const changes = await listLatest(id);
    expect(changes.map(({ type, redacted }) => [type, redacted])).toEqual([
      ['booking.created', true],
      ['booking.erased', true],
    ]);
    expect(changes[1]?.after).toMatchObject(ERASED);
  });

  it('rewrites only the changes that contain personal data', async () => {
    const [id = ''] = await makeBookings(1, `${v7()}@example.org`);
    await runInTransaction(app.ctx, (ctx) =>
      recordUpdated(ctx, 'booking.checked_in', [id], () =>
        ctx.db.booking.update({ where: { id }, data: { checkedInAt: PAST } }),
      ),
    );
    expect(await listLatest(id)).toHaveLength(2); // both have their positions
    const before = await findVersions('changes', 'subject_id', [id]);
    await enforceRetention(later());
    const after = await findVersions('changes', 'subject_id', [id]);
    const rewritten = after.filter((version) => !before.includes(version));
    expect([before.length, after.length, rewritten.length]).toEqual([2, 3, 2]);
    expect((await listLatest(id)).map(({ type, redacted }) => [type, redacted])).toEqual([
      ['booking.created', true],
      ['booking.checked_in', false],
      ['booking.erased', true],
    ]);
  });

  it('changes at most a hundred bookings in one transaction', async () => {
    const ids = await makeBookings(230, `${v7()}@example.org`);
    await enforceRetention(later());
    const versions = await findVersions('bookings', 'id', ids);
    const sizes = [...new Set(versions)].map(
      (one) => versions.filter((version) => version === one).length,
    );
    expect(versions).toHaveLength(230);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  });

  it('records what it deletes, without personal data', async () => {
    const { location } = await makeSpace(app);
    const { id: memberId } = await makeMember(app);
    const attempt = await app.ctx.db.checkIn.create({
      data: {
        ...{ locationId: location.id, result: 'expired', subject: 'member', memberId },
        ...{ label: 'Nora Lind', occurredAt: PAST, createdAt: PAST, actor: 'anonymous' },
      },
    });
    expect(await purgeRejectedAttempts(later())).toBeGreaterThan(0);
    const [change] = await listLatest(attempt.id);
    expect(change).toMatchObject({
      type: 'check_in.deleted',
      deleted: true,
      redacted: true,
      before: { result: 'expired', label: null },
      after: null,
    });
  });
});

/** The transactions that last wrote the rows. */
const findVersions = async (table: string, column: string, ids: string[]): Promise<string[]> =>
  (
    await app.ctx.db.$queryRawUnsafe<{ version: string }[]>(
      `SELECT xmin::text AS version FROM ${table} WHERE ${column} = ANY ($1::uuid[]) ORDER BY id`,
      ids,
    )
  ).map(({ version }) => version);

/** The changes of an object, however many others there are. */
async function listLatest(subjectId: string): Promise<Listed[]> {
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { changes(first: 10, filter: { subjectIds: [$id] }) {
      nodes { type deleted: isDeleted redacted: isRedacted before after } } }`,
    { id: subjectId },
    { token },
  );
  expect(errors).toEqual([]);
  return data.changes.nodes;
}
