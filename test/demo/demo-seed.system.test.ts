import type { Context } from '../../src/context.ts';
import { isDatabaseEmpty, seedDemo } from '../../src/demo/seed.ts';
import {
  clearDemoSpace,
  createDisplayTokens,
  readDemoCheckIns,
  readDemoSpace,
  toLocalTime,
} from '../support/factories/demo-space.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const ORDINARY_DAY = '2026-06-10T09:00:00Z';
const secrets = { passwordHash: 'not-a-hash', displayTokens: createDisplayTokens(1, 2, 3, 4, 5) };

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const at = (now: string): Context => ({ ...database.ctx, now: () => new Date(now) });

describe('the demo space, once seeded', () => {
  beforeAll(async () => {
    await clearDemoSpace(database.ctx.db);
    await seedDemo(at(ORDINARY_DAY), secrets);
  });

  it('shows in the audit log what staff did in the last days', async () => {
    const all = await database.ctx.db.change.findMany({ orderBy: { sequence: 'asc' } });
    const changes = all.slice(-4);
    expect(all[0]?.type).toBe('location.created');
    expect(changes.map(({ type, actorKind }) => `${type} by ${actorKind}`)).toEqual([
      'mailing.created by staff',
      'mailing.sent by staff',
      'plan.updated by staff',
      'email_template.updated by staff',
    ]);
    const mailing = await database.ctx.db.mailing.findFirstOrThrow();
    expect(mailing).toMatchObject({ status: 'sent', sentCount: 6, failedCount: 0 });
  });

  it('contains the documented data', async () => {
    const { locations, resources, members, users, bookings, events, displays } =
      await readDemoSpace(database.ctx.db);

    expect(new Set(locations.map(({ timeZone }) => timeZone)).size).toBe(2);
    expect(resources).toHaveLength(12);
    expect(tally(resources.map(({ type }) => type))).toEqual({ room: 7, desk: 3, equipment: 2 });
    expect(members).toHaveLength(40);
    expect(tally(members.map(({ status }) => status))).toEqual({
      active: 35,
      paused: 2,
      former: 3,
    });
    const { plans, memberships, openingHours } = await readDemoSpace(database.ctx.db);
    expect(plans.map(({ name }) => name)).toEqual(['Nomad', 'Resident', 'Studio']);
    const today = new Date(ORDINARY_DAY.slice(0, 10));
    const current = memberships.filter(({ endsOn }) => endsOn === null || endsOn >= today);
    expect(
      tally(current.map(({ plan, team }) => `${plan.name}${team ? ' of a team' : ''}`)),
    ).toEqual({
      Nomad: 10,
      Resident: 6,
      'Studio of a team': 8,
    });
    const covered = members.filter(({ id, teamId }) =>
      current.some((row) => row.memberId === id || (row.teamId !== null && row.teamId === teamId)),
    );
    expect(covered.length).toBeGreaterThan(28);
    expect(covered.length).toBeLessThan(36);
    expect(tally(openingHours.map(({ location }) => location.slug))).toEqual({
      alfama: 6,
      kreuzberg: 6,
    });
    const ruled = Object.fromEntries(resources.map((resource) => [resource.slug, resource]));
    expect(ruled).toMatchObject({
      saal: { freeCancellationHours: 24, requiresApproval: true, noShowMinutes: null },
      'phone-booth': { noShowMinutes: 15, requiresApproval: false },
    });
    expect(new Set(resources.map(({ gridMinutes }) => gridMinutes))).toEqual(new Set([15, 30, 60]));
    for (const { minMinutes, maxMinutes, gridMinutes } of resources) {
      expect([minMinutes % gridMinutes, maxMinutes % gridMinutes]).toEqual([0, 0]);
    }
    expect(users.map(({ email, role, passwordHash }) => [email, role, passwordHash])).toEqual([
      ['ada@example.org', 'owner', 'not-a-hash'],
      ['fred@example.org', 'front_desk', 'not-a-hash'],
      ['mona@example.org', 'manager', 'not-a-hash'],
    ]);
    expect(bookings.some(({ member }) => member?.email === 'ben@example.org')).toBe(true);
    expect(bookings.some(({ guestName }) => guestName !== null)).toBe(true);
    expect(Object.keys(tally(bookings.map(({ status }) => status))).sort()).toEqual([
      'cancelled',
      'confirmed',
      'no_show',
      'pending',
    ]);
    expect(tally(events.map(({ status }) => status))).toEqual({
      published: 12,
      cancelled: 1,
      draft: 1,
    });
    const left = Object.fromEntries(
      events.map(({ slug, capacity, reservedCount }) => [
        slug,
        capacity === null ? null : capacity - reservedCount,
      ]),
    );
    expect(left).toMatchObject({ 'screen-printing': 1, 'type-night': 0, 'open-house': null });
    expect(events.find(({ visibility }) => visibility === 'members')?.slug).toBe(
      'founders-breakfast',
    );
    expect(displays.map(({ kind }) => kind).sort()).toEqual([
      'event_board',
      'kiosk',
      'room_panel',
      'room_panel',
      'welcome',
    ]);
  });

  it('gives the first token to the door display of the Atelier', async () => {
    const first = await database.ctx.db.display.findFirst({
      where: { tokenHash: secrets.displayTokens[0].hash },
    });
    expect(first?.name).toBe('Atelier door');
  });

  it('is not seeded twice', async () => {
    const before = await readDemoSpace(database.ctx.db);
    const others = { ...secrets, displayTokens: createDisplayTokens(6, 7, 8, 9, 10) };
    await expect(seedDemo(at(ORDINARY_DAY), others)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readDemoSpace(database.ctx.db)).toEqual(before);
  });
});

describe('the demo space', () => {
  beforeEach(() => clearDemoSpace(database.ctx.db));

  it('has the visits of a day at both locations up to the current time, the same every Wednesday', async () => {
    const dayAt = async (now: string) => {
      await clearDemoSpace(database.ctx.db);
      await seedDemo(at(now), secrets);
      return (await readDemoCheckIns(database.ctx.db)).map(
        ({ location, occurredAt, checkedOutAt, subject, label, result }) => ({
          at: location.slug,
          from: toLocalTime(occurredAt, location.timeZone).toPlainTime().toString(),
          until:
            checkedOutAt && toLocalTime(checkedOutAt, location.timeZone).toPlainTime().toString(),
          who: [subject, label, result],
        }),
      );
    };
    const afternoon = await dayAt('2026-06-10T15:10:00Z');
    expect(await dayAt('2026-02-11T16:10:00Z')).toEqual(afternoon);
    for (const place of ['kreuzberg', 'alfama']) {
      const here = afternoon.filter((it) => it.at === place);
      expect(
        here.filter(({ until, who }) => until === null && who[2] === 'admitted').length,
      ).toBeGreaterThan(5);
      expect(here.filter(({ until }) => until !== null).length).toBeGreaterThan(3);
      expect(here.filter(({ who }) => who[2] !== 'admitted').length).toBeGreaterThan(1);
      const kinds = new Set(here.map(({ who }) => who[0]));
      for (const kind of ['member', 'visitor', 'day_pass']) expect(kinds).toContain(kind);
    }
    const morning = await dayAt('2026-06-10T07:15:00Z');
    expect(morning.length).toBeGreaterThan(5);
    expect(morning.length).toBeLessThan(afternoon.length);

    // At night and on Sundays only members with a key are checked in.
    for (const closed of ['2026-06-10T22:40:00Z', '2026-06-14T12:00:00Z']) {
      const day = await dayAt(closed);
      expect(day.length).toBeGreaterThan(12);
      const open = day.filter(({ until, who }) => until === null && who[2] === 'admitted');
      expect(open.length).toBeLessThan(4);
    }
  });

  it('is rejected by a database with data, which does not change', async () => {
    await database.ctx.db.member.create({
      data: { name: 'Zoe', email: 'zoe@example.org', code: 'ZOE' },
    });
    await expect(seedDemo(at(ORDINARY_DAY), secrets)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'NOT_EMPTY' },
    });
    expect(await database.ctx.db.location.count()).toBe(0);
    expect(await database.ctx.db.member.count()).toBe(1);
  });

  it('leaves the database empty if any part fails', async () => {
    const sameTwice = { ...secrets, displayTokens: createDisplayTokens(1, 2, 3, 4, 4) };
    await expect(seedDemo(at(ORDINARY_DAY), sameTwice)).rejects.toThrow();
    expect(await isDatabaseEmpty(database.ctx)).toBe(true);
    expect(await database.ctx.db.booking.count()).toBe(0);
  });
});

function tally(words: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
