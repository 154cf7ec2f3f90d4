import fc from 'fast-check';
import type { Context } from '../../../src/context.ts';
import {
  acknowledgeHeartbeat,
  getDisplayState,
} from '../../../src/features/displays/device-api.ts';
import { compactContentChanges } from '../../../src/features/displays/device-lookup.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { serverUrl } from '../../support/templates.ts';

// Instances keep what displays show. Whatever happens to the data, and whenever one asks, an instance that has been asked
// before answers as one does that knows nothing yet.

let app: TestApp;
let tokens: string[];
let now: Date;

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-03-18T06:00:00Z');

beforeAll(async () => {
  app = await startApp();
  const { db } = app.ctx;
  const atelier = await db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
  const { locationId } = atelier;
  const screens = [
    { name: 'Door', kind: 'room_panel' as const, locationId, resourceId: atelier.id },
    { name: 'Board', kind: 'event_board' as const, locationId },
    { name: 'Hello', kind: 'welcome' as const, locationId },
  ];
  const made = await Promise.all(screens.map((screen) => app.display(screen)));
  tokens = made.map(({ deviceToken }) => deviceToken);
});
afterAll(() => app.stop());

/** A process of its own has statements of its own. */
const instance = (): Context => {
  const { pipelinedSql } = app.ctx;
  return {
    ...app.ctx,
    now: () => now,
    pipelinedSql: (statement, values) => pipelinedSql(statement, values),
  };
};

/** All but the time of the next poll, which is left to chance. */
const shown = (ctx: Context) =>
  Promise.all(
    tokens.map(async (token) =>
      (await getDisplayState(ctx, token)).json.replace(/"poll_after_seconds":\d+,/, ''),
    ),
  );

type Change = (ctx: Context, dice: (most: number) => number) => Promise<unknown>;

const any = async <Row>(
  table: { findMany(query: object): Promise<Row[]>; count(): Promise<number> },
  dice: (most: number) => number,
): Promise<Row> => {
  const skip = dice((await table.count()) - 1);
  const [row] = await table.findMany({ orderBy: { id: 'asc' }, skip, take: 1 });
  if (row === undefined) throw new Error('the demo space has some');
  return row;
};

const CHANGES: Record<string, Change> = {
  'a booking gets another title': async ({ db }, dice) => {
    const { id } = await any(db.booking, dice);
    return db.booking.update({ where: { id }, data: { title: `Title ${dice(99)}` } });
  },
  'a booking is cancelled': async ({ db }, dice) => {
    const { id } = await any(db.booking, dice);
    return db.booking.update({ where: { id }, data: { status: 'cancelled' } });
  },
  'a booking is made': async ({ db }, dice) => {
    const room = await any(db.resource, dice);
    const startsAt = new Date(Date.parse('2027-01-01T00:00:00Z') + dice(100_000) * HOUR);
    const endsAt = new Date(startsAt.getTime() + HOUR);
    return db.booking
      .create({
        data: {
          resourceId: room.id,
          locationId: room.locationId,
          guestName: 'Somebody',
          startsAt,
          endsAt,
          occupiedUntil: endsAt,
        },
      })
      .catch(() => {}); // the room is taken
  },
  'a booking of today ends earlier': async ({ db }, dice) => {
    const rows = await db.booking.findMany({
      where: { startsAt: { gte: new Date(BEGIN), lt: new Date(BEGIN + 24 * HOUR) } },
      orderBy: { id: 'asc' },
    });
    const row = rows[dice(rows.length - 1)];
    const endsAt = row && new Date((row.startsAt.getTime() + row.endsAt.getTime()) / 2);
    return row && db.booking.update({ where: { id: row.id }, data: { endsAt } });
  },
  'a booking is deleted': async ({ db }, dice) => {
    const { id } = await any(db.booking, dice);
    return db.booking.delete({ where: { id } }).catch(() => {}); // somebody has checked in by it
  },
  'an event gets another title': async ({ db }, dice) => {
    const { id } = await any(db.event, dice);
    return db.event.update({ where: { id }, data: { title: `Evening ${dice(99)}` } });
  },
  'an event is taken back': async ({ db }, dice) => {
    const { id } = await any(db.event, dice);
    return db.event.update({ where: { id }, data: { status: 'draft' } });
  },
  'an event is published': async ({ db }, dice) => {
    const { id } = await any(db.event, dice);
    return db.event.update({ where: { id }, data: { status: 'published' } }).catch(() => {});
  },
  'a room gets another name': async ({ db }, dice) => {
    const { id } = await any(db.resource, dice);
    return db.resource.update({ where: { id }, data: { name: `Room ${dice(99)}` } });
  },
  'a member gets another name': async ({ db }, dice) => {
    const { id } = await any(db.member, dice);
    return db.member.update({ where: { id }, data: { name: `Zoe Name${dice(99)}` } });
  },
  'a location gets another name': async ({ db }, dice) => {
    const { id } = await any(db.location, dice);
    return db.location.update({ where: { id }, data: { name: `House ${dice(99)}` } });
  },
  'a location moves to another zone': async ({ db }, dice) => {
    const { id } = await any(db.location, dice);
    const timeZone = dice(1) === 0 ? 'Asia/Tokyo' : 'Europe/Paris';
    return db.location.update({ where: { id }, data: { timeZone } });
  },
  'a location gets other hours': async ({ db }, dice) => {
    const { id: locationId } = await any(db.location, dice);
    await db.openingHours.deleteMany({ where: { locationId } });
    const weekdays = [1, 2, 3, 4, 5, 6, 7].slice(dice(7));
    const opensMinute = 60 * dice(12);
    const closesMinute = 1440 - 60 * dice(11);
    return db.openingHours.createMany({
      data: weekdays.map((weekday) => ({ locationId, weekday, opensMinute, closesMinute })),
    });
  },
  'a location closes later on a day': async ({ db }, dice) => {
    const { id } = await any(db.openingHours, dice).catch(() => ({ id: null }));
    return id && db.openingHours.update({ where: { id }, data: { closesMinute: 1380 + dice(60) } });
  },
  'a location is shut for some days': async ({ db }, dice) => {
    const { id: locationId } = await any(db.location, dice);
    const startsOn = new Date(now.getTime() + 24 * HOUR * (dice(3) - 1));
    const endsOn = new Date(startsOn.getTime() + 24 * HOUR * dice(2));
    return db.closure.create({ data: { locationId, startsOn, endsOn } });
  },
  'a location is shut for longer': async ({ db }, dice) => {
    const { id, endsOn } = await any(db.closure, dice).catch(() => ({ id: null, endsOn: null }));
    return (
      id && db.closure.update({ where: { id }, data: { endsOn: new Date(+endsOn + HOUR * 24) } })
    );
  },
  'a location is not shut after all': async ({ db }, dice) => {
    const { id: locationId } = await any(db.location, dice);
    return db.closure.deleteMany({ where: { locationId } });
  },
  'something is announced': async ({ db }, dice) => {
    const { id } = await any(db.location, dice);
    const startsAt = new Date(BEGIN + dice(48) * HOUR);
    const endsAt = new Date(startsAt.getTime() + (1 + dice(24)) * HOUR);
    const locationId = dice(1) === 0 ? id : null;
    return db.announcement.create({ data: { title: 'News', locationId, startsAt, endsAt } });
  },
  'what is announced goes to another place': async ({ db }, dice) => {
    const { id } = await any(db.announcement, dice);
    const location = await any(db.location, dice);
    const locationId = dice(1) === 0 ? location.id : null;
    return db.announcement.update({ where: { id }, data: { locationId } });
  },
  'an announcement is deleted': async ({ db }, dice) => {
    if ((await db.announcement.count()) < 2) return;
    const { id } = await any(db.announcement, dice);
    return db.announcement.delete({ where: { id } });
  },
  'a display gets another name': async ({ db }, dice) => {
    const { id } = await any(db.display, dice);
    return db.display.update({ where: { id }, data: { name: `Screen ${dice(99)}` } });
  },
  'changes are counted': (ctx) => compactContentChanges(ctx),
};

const NAMES = Object.keys(CHANGES);

describe('what an instance keeps of displays', () => {
  it('is never older than the request, whatever happens in whatever order', async () => {
    const steps = fc.array(
      fc.record({
        change: fc.constantFrom(...NAMES),
        dice: fc.infiniteStream(fc.nat()),
        hours: fc.constantFrom(0, 0, 0, 0.25, 1, -1, 7, 24),
      }),
      { minLength: 10, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        now = new Date(BEGIN);
        const old = instance();
        await shown(old);
        for (const { change, dice, hours } of steps) {
          const roll = (most: number) => (most <= 0 ? 0 : dice.next().value % (most + 1));
          await CHANGES[change]?.(app.ctx, roll);
          now = new Date(now.getTime() + hours * HOUR);
          expect([change, await shown(old)]).toEqual([change, await shown(instance())]);
        }
      }),
      { numRuns: propertyRuns(4), endOnFailure: true },
    );
  });

  it('costs one statement a poll while nothing changes', async () => {
    now = new Date(BEGIN);
    let statements = 0;
    const { pipelinedSql } = app.ctx;
    const counting: Context = {
      ...app.ctx,
      now: () => now,
      pipelinedSql: (statement, values) => {
        statements += 1;
        return pipelinedSql(statement, values);
      },
    };
    await shown(counting);
    statements = 0;
    for (let poll = 0; poll < 5; poll += 1) await acknowledgeHeartbeat(counting, tokens[0] ?? '');
    expect(statements).toBe(5);
    statements = 0;
    await Promise.all(Array.from({ length: 100 }, () => shown(counting)));
    expect(statements).toBeLessThan(5);
  });

  // The embedded database has one connection, on which no two transactions are under way.
  if (serverUrl) {
    const transaction = (work: (tx: Context['db']) => Promise<void>) => {
      const { db } = app.ctx;
      if (!('$transaction' in db)) throw new Error('tests begin outside of one');
      return db.$transaction(work);
    };

    it('is read anew after a change was made by a transaction that took long', async () => {
      now = new Date(BEGIN);
      const old = instance();
      await shown(old);
      const { db } = app.ctx;
      const { id } = await db.location.findFirstOrThrow({ where: { slug: 'kreuzberg' } });
      await transaction(async (tx) => {
        await tx.location.update({ where: { id }, data: { name: 'Late' } });
        // Others change something meanwhile, and are counted before this one is there to be seen.
        await db.announcement.create({ data: { title: 'Soon', startsAt: now } });
        await compactContentChanges(app.ctx);
        expect((await shown(old)).join()).toContain('Soon');
      });
      expect((await shown(old)).join()).toContain('Late');
    });

    it('knows what was announced to all while its location was only being made', async () => {
      now = new Date(BEGIN);
      const old = instance();
      const { db } = app.ctx;
      let token = '';
      await transaction(async (tx) => {
        await tx.announcement.create({ data: { title: 'To everybody', startsAt: now } });
        const data = { slug: 'annex', name: 'Annex', timeZone: 'Europe/Berlin' };
        const { id: locationId } = await db.location.create({ data });
        ({ deviceToken: token } = await app.display({ name: 'New', kind: 'welcome', locationId }));
        expect((await getDisplayState(old, token)).json).not.toContain('To everybody');
      });
      expect((await getDisplayState(old, token)).json).toContain('To everybody');
    });

    it('knows the new name of somebody who came to its location while being renamed', async () => {
      now = new Date(BEGIN);
      const old = instance();
      const { db } = app.ctx;
      const data = { name: 'Old Name', email: 'renamed@example.org', code: 'RENAMED' };
      const { id: memberId } = await db.member.create({ data });
      const room = await db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
      const startsAt = new Date('2027-06-01T09:00:00Z');
      const endsAt = new Date('2027-06-01T10:00:00Z');
      now = new Date('2027-06-01T08:00:00Z');
      await transaction(async (tx) => {
        await tx.member.update({ where: { id: memberId }, data: { name: 'New Name' } });
        const { id: resourceId, locationId } = room;
        const when = { startsAt, endsAt, occupiedUntil: endsAt };
        await db.booking.create({ data: { resourceId, locationId, memberId, ...when } });
        expect((await shown(old)).join()).toContain('Old N.');
      });
      expect((await shown(old)).join()).toContain('New N.');
    });
  }
});
