import fc from 'fast-check';
import type { Context } from '../../../src/context.ts';
import { createLoadSpreader } from '../../../src/core/load-spreading.ts';
import {
  acknowledgeHeartbeat,
  createDeviceGateway,
  type DeviceGateway,
  getDisplayState,
} from '../../../src/features/displays/service/device-gateway.ts';
import { compactContentChanges } from '../../../src/features/displays/service/device-lookup.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { serverUrl } from '../../support/harness/database.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

// Instances cache what displays show. After any change, an instance with a warm cache must return the same as a fresh one.

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

interface Instance {
  ctx: Context;
  gateway: DeviceGateway;
}

/** Creates what a new process would have: empty caches. */
function createInstance(pipelinedSql: Context['pipelinedSql'] = app.ctx.pipelinedSql): Instance {
  const ctx = { ...app.ctx, pipelinedSql, now: () => now };
  const writeBehind = { addBuffer: () => () => {} };
  const loadSpreader = createLoadSpreader();
  return { ctx, gateway: createDeviceGateway({ ...ctx, writeBehind, loadSpreader }) };
}

const getState = async ({ ctx, gateway }: Instance, token: string): Promise<string> =>
  (await getDisplayState(ctx, gateway, token)).json;

/** The states of all screens without the delay to the next poll, which is random. */
const getStates = (instance: Instance) =>
  Promise.all(
    tokens.map(async (token) =>
      (await getState(instance, token)).replace(/"poll_after_seconds":\d+,/, ''),
    ),
  );

type Change = (ctx: Context, pick: (max: number) => number) => Promise<unknown>;

const pickRow = async <Row>(
  table: { findMany(query: object): Promise<Row[]>; count(): Promise<number> },
  pick: (max: number) => number,
): Promise<Row> => {
  const skip = pick((await table.count()) - 1);
  const [row] = await table.findMany({ orderBy: { id: 'asc' }, skip, take: 1 });
  if (row === undefined) throw new Error('the demo has none');
  return row;
};

const pickDetail = (pick: (max: number) => number) =>
  (['nothing', 'initials', 'name', 'title'] as const)[pick(3)] ?? 'title';

const CHANGES: Record<string, Change> = {
  'a booking gets another title': async ({ db }, pick) => {
    const { id } = await pickRow(db.booking, pick);
    return db.booking.update({ where: { id }, data: { title: `Title ${pick(99)}` } });
  },
  'a booking is cancelled': async ({ db }, pick) => {
    const { id } = await pickRow(db.booking, pick);
    return db.booking.update({ where: { id }, data: { status: 'cancelled' } });
  },
  'a booking is created': async ({ db }, pick) => {
    const room = await pickRow(db.resource, pick);
    const startsAt = new Date(Date.parse('2027-01-01T00:00:00Z') + pick(100_000) * HOUR);
    const endsAt = new Date(startsAt.getTime() + HOUR);
    return db.booking
      .create({
        data: {
          resourceId: room.id,
          locationId: room.locationId,
          guestName: 'Guest',
          startsAt,
          endsAt,
          occupiedUntil: endsAt,
        },
      })
      .catch(() => {}); // the room is booked
  },
  'a booking of today ends earlier': async ({ db }, pick) => {
    const rows = await db.booking.findMany({
      where: { startsAt: { gte: new Date(BEGIN), lt: new Date(BEGIN + 24 * HOUR) } },
      orderBy: { id: 'asc' },
    });
    const row = rows[pick(rows.length - 1)];
    const endsAt = row && new Date((row.startsAt.getTime() + row.endsAt.getTime()) / 2);
    return row && db.booking.update({ where: { id: row.id }, data: { endsAt } });
  },
  'a booking is deleted': async ({ db }, pick) => {
    const { id } = await pickRow(db.booking, pick);
    return db.booking.delete({ where: { id } }).catch(() => {}); // a check-in refers to it
  },
  'an event gets another title': async ({ db }, pick) => {
    const { id } = await pickRow(db.event, pick);
    return db.event.update({ where: { id }, data: { title: `Evening ${pick(99)}` } });
  },
  'an event is unpublished': async ({ db }, pick) => {
    const { id } = await pickRow(db.event, pick);
    return db.event.update({ where: { id }, data: { status: 'draft' } });
  },
  'an event is published': async ({ db }, pick) => {
    const { id } = await pickRow(db.event, pick);
    return db.event.update({ where: { id }, data: { status: 'published' } }).catch(() => {});
  },
  'a room gets another name': async ({ db }, pick) => {
    const { id } = await pickRow(db.resource, pick);
    return db.resource.update({ where: { id }, data: { name: `Room ${pick(99)}` } });
  },
  'a member gets another name': async ({ db }, pick) => {
    const { id } = await pickRow(db.member, pick);
    return db.member.update({ where: { id }, data: { name: `Zoe Name${pick(99)}` } });
  },
  'a location gets another name': async ({ db }, pick) => {
    const { id } = await pickRow(db.location, pick);
    return db.location.update({ where: { id }, data: { name: `Location ${pick(99)}` } });
  },
  'a location shows more or less of bookings by members': async ({ db }, pick) => {
    const { id } = await pickRow(db.location, pick);
    return db.location.update({
      where: { id },
      data: { memberBookingsOnDisplays: pickDetail(pick) },
    });
  },
  'a location shows more or less of bookings for guests': async ({ db }, pick) => {
    const { id } = await pickRow(db.location, pick);
    return db.location.update({
      where: { id },
      data: { guestBookingsOnDisplays: pickDetail(pick) },
    });
  },
  'a location moves to another zone': async ({ db }, pick) => {
    const { id } = await pickRow(db.location, pick);
    const timeZone = pick(1) === 0 ? 'Asia/Tokyo' : 'Europe/Paris';
    return db.location.update({ where: { id }, data: { timeZone } });
  },
  'a location gets other hours': async ({ db }, pick) => {
    const { id: locationId } = await pickRow(db.location, pick);
    await db.openingHours.deleteMany({ where: { locationId } });
    const weekdays = [1, 2, 3, 4, 5, 6, 7].slice(pick(7));
    const opensMinute = 60 * pick(12);
    const closesMinute = 1440 - 60 * pick(11);
    return db.openingHours.createMany({
      data: weekdays.map((weekday) => ({ locationId, weekday, opensMinute, closesMinute })),
    });
  },
  'a location closes later on a day': async ({ db }, pick) => {
    const { id } = await pickRow(db.openingHours, pick).catch(() => ({ id: null }));
    return id && db.openingHours.update({ where: { id }, data: { closesMinute: 1380 + pick(60) } });
  },
  'a location closes for some days': async ({ db }, pick) => {
    const { id: locationId } = await pickRow(db.location, pick);
    const startsOn = new Date(now.getTime() + 24 * HOUR * (pick(3) - 1));
    const endsOn = new Date(startsOn.getTime() + 24 * HOUR * pick(2));
    return db.closure.create({ data: { locationId, startsOn, endsOn } });
  },
  'a closure is extended': async ({ db }, pick) => {
    const { id, endsOn } = await pickRow(db.closure, pick).catch(() => ({
      id: null,
      endsOn: null,
    }));
    return (
      id && db.closure.update({ where: { id }, data: { endsOn: new Date(+endsOn + HOUR * 24) } })
    );
  },
  'closures are deleted': async ({ db }, pick) => {
    const { id: locationId } = await pickRow(db.location, pick);
    return db.closure.deleteMany({ where: { locationId } });
  },
  'an announcement is created': async ({ db }, pick) => {
    const { id } = await pickRow(db.location, pick);
    const startsAt = new Date(BEGIN + pick(48) * HOUR);
    const endsAt = new Date(startsAt.getTime() + (1 + pick(24)) * HOUR);
    const locationId = pick(1) === 0 ? id : null;
    return db.announcement.create({ data: { title: 'Notice', locationId, startsAt, endsAt } });
  },
  'an announcement moves to another location': async ({ db }, pick) => {
    const { id } = await pickRow(db.announcement, pick);
    const location = await pickRow(db.location, pick);
    const locationId = pick(1) === 0 ? location.id : null;
    return db.announcement.update({ where: { id }, data: { locationId } });
  },
  'an announcement is deleted': async ({ db }, pick) => {
    if ((await db.announcement.count()) < 2) return;
    const { id } = await pickRow(db.announcement, pick);
    return db.announcement.delete({ where: { id } });
  },
  'a display gets another name': async ({ db }, pick) => {
    const { id } = await pickRow(db.display, pick);
    return db.display.update({ where: { id }, data: { name: `Screen ${pick(99)}` } });
  },
  'changes are compacted': (ctx) => compactContentChanges(ctx),
};

const NAMES = Object.keys(CHANGES);

describe('the cache of display contents', () => {
  it('is never stale, after any sequence of changes', async () => {
    const steps = fc.array(
      fc.record({
        change: fc.constantFrom(...NAMES),
        pick: fc.infiniteStream(fc.nat()),
        hours: fc.constantFrom(0, 0, 0, 0.25, 1, -1, 7, 24),
      }),
      { minLength: 10, maxLength: 25 },
    );
    await checkProperty(
      fc.asyncProperty(steps, async (steps) => {
        now = new Date(BEGIN);
        const warm = createInstance();
        await getStates(warm);
        for (const { change, pick, hours } of steps) {
          const pickNumber = (max: number) => (max <= 0 ? 0 : pick.next().value % (max + 1));
          await CHANGES[change]?.(app.ctx, pickNumber);
          now = new Date(now.getTime() + hours * HOUR);
          expect([change, await getStates(warm)]).toEqual([
            change,
            await getStates(createInstance()),
          ]);
        }
      }),
      { numRuns: propertyRuns(4), endOnFailure: true },
    );
  });

  it('costs one statement per poll while nothing changes', async () => {
    now = new Date(BEGIN);
    let statements = 0;
    const { pipelinedSql } = app.ctx;
    const counting = createInstance((statement, values) => {
      statements += 1;
      return pipelinedSql(statement, values);
    });
    await getStates(counting);
    statements = 0;
    for (let poll = 0; poll < 5; poll += 1)
      await acknowledgeHeartbeat(counting.ctx, counting.gateway, tokens[0] ?? '');
    expect(statements).toBe(5);
    statements = 0;
    await Promise.all(Array.from({ length: 100 }, () => getStates(counting)));
    expect(statements).toBeLessThan(5);
  });

  // The embedded database has one connection, so transactions cannot overlap.
  if (serverUrl) {
    const transaction = (work: (tx: Context['db']) => Promise<void>) => {
      const { db } = app.ctx;
      if (!('$transaction' in db)) throw new Error('already in a transaction');
      return db.$transaction(work);
    };

    it('is renewed after a long transaction commits', async () => {
      now = new Date(BEGIN);
      const warm = createInstance();
      await getStates(warm);
      const { db } = app.ctx;
      const { id } = await db.location.findFirstOrThrow({ where: { slug: 'kreuzberg' } });
      await transaction(async (tx) => {
        await tx.location.update({ where: { id }, data: { name: 'Late' } });
        // Another change commits first and is compacted before the long transaction is visible.
        await db.announcement.create({ data: { title: 'Soon', startsAt: now } });
        await compactContentChanges(app.ctx);
        expect((await getStates(warm)).join()).toContain('Soon');
      });
      expect((await getStates(warm)).join()).toContain('Late');
    });

    it('has an announcement for all locations that commits after a location was created', async () => {
      now = new Date(BEGIN);
      const warm = createInstance();
      const { db } = app.ctx;
      let token = '';
      await transaction(async (tx) => {
        await tx.announcement.create({ data: { title: 'To all locations', startsAt: now } });
        const data = { slug: 'annex', name: 'Annex', timeZone: 'Europe/Berlin' };
        const { id: locationId } = await db.location.create({ data });
        ({ deviceToken: token } = await app.display({ name: 'New', kind: 'welcome', locationId }));
        expect(await getState(warm, token)).not.toContain('To all locations');
      });
      expect(await getState(warm, token)).toContain('To all locations');
    });

    it('has the new name of a member who was renamed while being booked', async () => {
      now = new Date(BEGIN);
      const warm = createInstance();
      const { db } = app.ctx;
      const data = { name: 'Old Name', email: 'renamed@example.org', code: 'RENAMED' };
      const { id: memberId } = await db.member.create({ data });
      const room = await db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
      await db.location.update({
        where: { id: room.locationId },
        data: { memberBookingsOnDisplays: 'name' },
      });
      const startsAt = new Date('2027-06-01T09:00:00Z');
      const endsAt = new Date('2027-06-01T10:00:00Z');
      now = new Date('2027-06-01T08:00:00Z');
      await transaction(async (tx) => {
        await tx.member.update({ where: { id: memberId }, data: { name: 'New Name' } });
        const { id: resourceId, locationId } = room;
        const when = { startsAt, endsAt, occupiedUntil: endsAt };
        await db.booking.create({ data: { resourceId, locationId, memberId, ...when } });
        expect((await getStates(warm)).join()).toContain('Old N.');
      });
      expect((await getStates(warm)).join()).toContain('New N.');
    });
  }
});
