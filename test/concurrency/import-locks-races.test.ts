import type { PoolClient } from 'pg';
import { v7 } from 'uuid';
import type { Context } from '../../src/context.ts';
import { Prisma } from '../../src/db/generated/client.ts';
import { createBooking } from '../../src/features/bookings/service/create-booking.ts';
import { rescheduleBooking } from '../../src/features/bookings/service/reschedule-booking.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { waitUntilBlockedBy } from '../support/harness/lock-waits.ts';
import { type Entry, toCalendar } from '../support/imports/second-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** A room, and members with a membership each, in the order of the ids of their memberships. */
async function makeRoom({ bufferMinutes = 0 } = {}) {
  const { db } = app.ctx;
  const { room } = await makeSpace(app, { bufferMinutes });
  const plan = await db.plan.create({
    data: {
      name: `Plan ${v7()}`,
      benefits: { create: { resourceType: 'room', includedHours: 4, discountPercent: 0 } },
    },
  });
  const startsOn = new Date('2026-01-01');
  const [first, second] = [await makeMember(app), await makeMember(app)];
  const data = { planId: plan.id, startsOn };
  const { id } = await db.membership.create({ data: { ...data, memberId: first.id } });
  const { id: secondId } = await db.membership.create({ data: { ...data, memberId: second.id } });
  return { room, members: [first, second], membershipIds: [id, secondId] } as const;
}

type Room = Awaited<ReturnType<typeof makeRoom>>;

interface Hooks {
  /** What the statements return instead of being sent, if it is anything. */
  replace?: (sql: string) => unknown[] | undefined;
  /** `getPid` returns the process ID of the session of the transaction. */
  before?: (sql: string, getPid: () => Promise<number>) => Promise<void>;
  /** Whether each read of a resource returns what the first one returned. */
  keepsResource?: boolean;
}

/** A context with hooks around the hand-written statements of its transactions. It counts the attempts of an import. */
function hookContext(hooks: Hooks) {
  const { replace = () => undefined, before = async () => {}, keepsResource = false } = hooks;
  const counts = { attempts: 0 };
  let firstResource: Promise<unknown> | undefined;
  const db = app.ctx.db as Extract<Context['db'], { $extends: unknown }>;
  const prisma = db.$extends({
    query: {
      $executeRaw: ({ args, query }) => {
        if (args.sql.includes('foyer imports')) counts.attempts += 1;
        return query(args);
      },
      $queryRaw: async ({ args, query }) => {
        await before(args.sql, async () => {
          const [row] = await query(Prisma.sql`SELECT pg_backend_pid() AS pid`);
          return row.pid;
        });
        return replace(args.sql) ?? query(args);
      },
      $queryRawUnsafe: async ({ args, query }) => {
        const [sql] = args;
        await before(String(sql), async () => {
          const [row] = await query(['SELECT pg_backend_pid() AS pid']);
          return row.pid;
        });
        return replace(String(sql)) ?? query(args);
      },
      resource: {
        findUnique: ({ args, query }) => {
          if (!keepsResource) return query(args);
          firstResource ??= query(args);
          return firstResource as ReturnType<typeof query>;
        },
      },
    },
  });
  return { ctx: { ...app.ctx, db: prisma as unknown as Context['db'] }, counts };
}

const readPid = async (client: PoolClient): Promise<number> =>
  (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;

const importEntries = (ctx: Context, resourceId: string, ...entries: Entry[]) =>
  importBookings(ctx, {
    file: toCalendar(...entries),
    resource: { id: resourceId },
    pricing: 'by_rules',
  });

const toOrganizer = (member: { email: string } | undefined) => `ORGANIZER:mailto:${member?.email}`;

const isMembershipLock = (sql: string) => sql.includes('FROM memberships') && isLock(sql);
const isLock = (sql: string) => sql.includes('FOR NO KEY UPDATE');
const isMove = (sql: string) => sql.includes('title = r.title');
const isSearchOfNeighbours = (sql: string) => sql.includes('"bufferEnd"');

/** Work that locks a membership, and changes the buffer of a booking that ends at 10:00. */
const WORKS = {
  'a calendar is imported': async (ctx: Context, { room, members }: Room) => {
    const entry: Entry = ['1', '20260323T1000', toOrganizer(members[0])];
    return () => importEntries(ctx, room.id, entry);
  },
  'an import is undone': async (ctx: Context, { room, members }: Room) => {
    const importAt = (start: string) =>
      importEntries(app.ctx, room.id, ['1', start, toOrganizer(members[0])]);
    await importAt('20260325T0900');
    const { importId = '' } = await importAt('20260323T1000');
    return () => undoImport(ctx, { id: importId });
  },
};

describe.each(Object.entries(WORKS))('moving a booking while %s', (_, prepare) => {
  /** Counts the attempts of both while the booking is locked first, and its membership only once the import waits. */
  async function countAttempts(replace?: Hooks['replace']) {
    const made = await makeRoom({ bufferMinutes: 30 });
    const booking = await createBooking(app.ctx, {
      resourceId: made.room.id,
      memberId: made.members[0].id,
      startsAt: new Date('2026-03-23T09:00:00Z'),
      endsAt: new Date('2026-03-23T10:00:00Z'),
      override: true,
    });
    const imported = hookContext({ replace });
    const work = await prepare(imported.ctx, made);
    const other = { result: Promise.resolve<unknown>(null), moves: 0 };
    const moving = hookContext({
      before: async (sql, getPid) => {
        if (!isMembershipLock(sql)) return;
        other.moves += 1;
        if (other.moves > 1) return;
        other.result = work();
        await waitUntilBlockedBy(app.database.pool, await getPid(), other.result);
      },
    });
    await rescheduleBooking(moving.ctx, booking.id, {
      startsAt: new Date('2026-03-23T14:00:00Z'),
      endsAt: new Date('2026-03-23T15:00:00Z'),
      override: true,
    });
    await other.result;
    return imported.counts.attempts + other.moves;
  }

  it('runs each once', async () => {
    expect(await countAttempts()).toBe(2);
  });

  it('runs one again after a deadlock if the booking is locked after the membership (negative control)', async () => {
    let searches = 0;
    const skipFirst = (sql: string) => {
      if (!isSearchOfNeighbours(sql)) return undefined;
      searches += 1;
      return searches === 1 ? [] : undefined;
    };
    expect(await countAttempts(skipFirst)).toBe(3);
  });
});

describe('an import that moves a booking of one member and adds one of another', () => {
  /** Imports while another transaction locks the memberships in their order. Returns whether one of the two is ended. */
  async function hasDeadlock(replace?: Hooks['replace']) {
    const { room, members, membershipIds } = await makeRoom();
    const [first, second] = members;
    const moved = toOrganizer(second);
    await importEntries(app.ctx, room.id, ['moved', '20260323T0900', moved]);
    const { ctx, counts } = hookContext({ replace });
    const client = await app.database.pool.connect();
    const lock = (id: string) =>
      client.query('SELECT 1 FROM memberships WHERE id = $1 FOR NO KEY UPDATE', [id]);
    try {
      await client.query('BEGIN');
      await lock(membershipIds[0]);
      const imported = importEntries(
        ctx,
        room.id,
        ['moved', '20260324T0900', moved],
        ['added', '20260325T0900', toOrganizer(first)],
      );
      await waitUntilBlockedBy(app.database.pool, await readPid(client), imported);
      const error: { code?: string } = await lock(membershipIds[1]).then(
        () => ({}),
        (thrown) => thrown,
      );
      await client.query('COMMIT');
      expect(await imported).toMatchObject({ imported: 1, updated: 1 });
      return error.code === '40P01' || counts.attempts > 1;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('locks the memberships of both in their order', async () => {
    expect(await hasDeadlock()).toBe(false);
  });

  it('ends in a deadlock if it locks them one after the other (negative control)', async () => {
    let locks = 0;
    const skipFirst = (sql: string) => {
      if (!isMembershipLock(sql)) return undefined;
      locks += 1;
      return locks === 1 ? [] : undefined;
    };
    expect(await hasDeadlock(skipFirst)).toBe(true);
  });
});

/** Imports while another transaction has run these statements, and commits them once the import waits. */
async function importDuring(statements: [string, unknown[]][], work: () => Promise<unknown>) {
  const client = await app.database.pool.connect();
  try {
    await client.query('BEGIN');
    for (const [text, values] of statements) await client.query(text, values);
    const result = work().catch((error) => error);
    await waitUntilBlockedBy(app.database.pool, await readPid(client), result);
    await client.query('COMMIT');
    return await result;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const LOCK_IMPORTS = `SELECT pg_advisory_xact_lock(hashtext('foyer imports'))`;

const SET_PRICE = `UPDATE resources SET hourly_amount = 7700, currency = 'USD' WHERE id = $1`;

describe.each([
  ['another import', LOCK_IMPORTS],
  ['a booking of the member', 'SELECT 1 FROM memberships FOR NO KEY UPDATE'],
])('a price that changes while an import waits for %s', (_, lock) => {
  /** Imports five hours, of which a plan includes four. */
  async function importWhilePriceChanges(hooks: Hooks) {
    const { room, members } = await makeRoom();
    const entries = [10, 11, 12, 13, 14].map(
      (hour): Entry => [`${hour}`, `20260323T${hour}00`, toOrganizer(members[0])],
    );
    const { ctx } = hookContext(hooks);
    const statements: [string, unknown[]][] = [
      [lock, []],
      [SET_PRICE, [room.id]],
    ];
    const report = await importDuring(statements, () => importEntries(ctx, room.id, ...entries));
    const currencies = await app.ctx.db.booking.findMany({
      where: { resourceId: room.id },
      distinct: 'priceCurrency',
      select: { priceCurrency: true },
    });
    const { hourlyAmount: amount, currency } = room;
    return { report, currencies, earlier: { amount, currency } };
  }

  it('is the price of its bookings', async () => {
    const { report, currencies } = await importWhilePriceChanges({});
    expect(report).toMatchObject({ prices: { total: { amount: 7_700, currency: 'USD' } } });
    expect(currencies).toEqual([{ priceCurrency: 'USD' }]);
  });

  it('is not, if the import reads the resource only once (negative control)', async () => {
    const { report, earlier } = await importWhilePriceChanges({ keepsResource: true });
    expect(report).toMatchObject({ prices: { total: earlier } });
  });
});

describe('a price that changes while an import moves bookings', () => {
  it('is no price of this import, so that all its bookings have one currency', async () => {
    const { room } = await makeRoom();
    await importEntries(app.ctx, room.id, ['moved', '20260323T0900']);
    const { ctx } = hookContext({
      before: async (sql) => {
        if (isMove(sql)) await app.database.pool.query(SET_PRICE, [room.id]);
      },
    });
    const report = await importEntries(
      ctx,
      room.id,
      ['moved', '20260324T0900'],
      ['added', '20260325T0900'],
    );
    const { hourlyAmount: amount, currency } = room;
    expect(report).toMatchObject({
      imported: 1,
      updated: 1,
      prices: { total: { amount: 2 * amount, currency } },
    });
    const [resource] = await app.ctx.db.resource.findMany({ where: { id: room.id } });
    expect(resource).toMatchObject({ hourlyAmount: 7_700 });
  });
});

describe('an undo of an import', () => {
  /** Imports entries and then changes them by a second import, whose ID this returns. */
  async function importTwice(roomId: string, first: Entry[], second: Entry[]) {
    await importEntries(app.ctx, roomId, ...first);
    const { importId = '' } = await importEntries(app.ctx, roomId, ...second);
    return importId;
  }

  it('locks the bookings of all resources in the order of their ids', async () => {
    const one = (await makeRoom()).room;
    const other = (await makeRoom()).room;
    const [firstRoom, secondRoom] = one.id < other.id ? [one, other] : [other, one];
    const toEntries = (...more: string[]): Entry[] => [
      ['1', '20260323T0900', ...more],
      ['2', '20260324T0900', ...more],
    ];
    const importId = await importTwice(secondRoom.id, toEntries(), toEntries('SUMMARY:New title'));
    const bookings = await app.ctx.db.booking.findMany({
      where: { resourceId: secondRoom.id },
      orderBy: { id: 'asc' },
    });
    const [first = '', second = ''] = bookings.map(({ id }) => id);
    const { id: resourceId, locationId } = firstRoom;
    await app.ctx.db.booking.update({ where: { id: second }, data: { resourceId, locationId } });
    const client = await app.database.pool.connect();
    const lock = (id: string) =>
      client.query('SELECT 1 FROM bookings WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [id]);
    try {
      await client.query('BEGIN');
      await lock(first);
      const undone = undoImport(app.ctx, { id: importId });
      await waitUntilBlockedBy(app.database.pool, await readPid(client), undone);
      await lock(second);
      await client.query('COMMIT');
      await undone;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('gives a booking the price that changes while the undo waits for another one of the member', async () => {
    const { room, members } = await makeRoom();
    const [member] = members;
    const toEntry = (start: string): Entry => ['1', start, toOrganizer(member)];
    const importId = await importTwice(
      room.id,
      [toEntry('20260323T0900')],
      [toEntry('20260402T0900')],
    );
    // It uses the included hours of the first month, so the earlier price is no longer possible.
    await createBooking(app.ctx, {
      resourceId: room.id,
      memberId: member.id,
      startsAt: new Date('2026-03-24T09:00:00Z'),
      endsAt: new Date('2026-03-24T13:00:00Z'),
      override: true,
    });
    const statements: [string, unknown[]][] = [
      ['SELECT 1 FROM memberships FOR NO KEY UPDATE', []],
      [SET_PRICE, [room.id]],
    ];
    const undone = await importDuring(statements, () => undoImport(app.ctx, { id: importId }));
    expect(undone).toMatchObject({ report: { restored: 1, problems: [] } });
    const booking = await app.ctx.db.booking.findFirst({
      where: { importUid: '1', resourceId: room.id },
    });
    expect(booking).toMatchObject({ priceAmount: 7_700, priceCurrency: 'USD' });
  });
});

describe('a time zone of the location that changes while an import waits', () => {
  it('stops it, since it has read the times of the file in the earlier one', async () => {
    const { room } = await makeRoom();
    const change = `UPDATE locations SET time_zone = 'America/New_York' WHERE id = $1`;
    const statements: [string, unknown[]][] = [
      [LOCK_IMPORTS, []],
      [change, [room.locationId]],
    ];
    const error = await importDuring(statements, () =>
      importEntries(app.ctx, room.id, ['1', '20260323T1000']),
    );
    expect(error).toMatchObject({ code: 'CONFLICT', details: { reason: 'TRY_AGAIN' } });
    expect(await app.ctx.db.booking.count({ where: { resourceId: room.id } })).toBe(0);
  });
});
