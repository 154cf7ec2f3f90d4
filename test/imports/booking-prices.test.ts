import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import { HOUR_MS } from '../../src/core/time/time-zone.ts';
import type { Booking } from '../../src/db/generated/client.ts';
import { createBooking } from '../../src/features/bookings/service/create-booking.ts';
import { rescheduleBooking } from '../../src/features/bookings/service/reschedule-booking.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { type Entry as CalendarEntry, toCalendar } from '../support/imports/second-imports.ts';

const RUNS = propertyRuns(6);
const ZONE = 'Europe/Berlin';
/** Clocks change nine days later. */
const FIRST_DAY = Temporal.PlainDate.from('2026-03-20');

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const HOLDERS = ['own plan', 'team', 'team mate', 'no plan', 'guest'] as const;

interface Entry {
  holder: (typeof HOLDERS)[number];
  /** Which quarter of a day, or which day if the room is booked by the day. Each is used once, so none is in the way of another. */
  slot: number;
  hours: number;
  /** Where it moves to, and how long it then is. */
  later: { slot: number; hours: number } | null;
}

const length = fc.integer({ min: 1, max: 6 });
const scenario = fc.record({
  isByDay: fc.boolean(),
  includedHours: fc.constantFrom(0, 4, 30),
  discountPercent: fc.constantFrom(0, 25),
  entries: fc.uniqueArray(fc.nat(60), { minLength: 4, maxLength: 24 }).chain((slots) => {
    const count = Math.floor(slots.length / 2);
    return fc
      .array(
        fc.record({
          holder: fc.constantFrom(...HOLDERS),
          hours: length,
          moves: fc.boolean(),
          laterHours: length,
        }),
        { minLength: count, maxLength: count },
      )
      .map((drawn) =>
        drawn.map(
          ({ moves, laterHours, ...one }, n): Entry => ({
            ...one,
            slot: slots[n] as number,
            later: moves ? { slot: slots[count + n] as number, hours: laterHours } : null,
          }),
        ),
      );
  }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** A room, and the people who book it. */
async function makeRoom({ isByDay, includedHours, discountPercent }: Scenario) {
  const { db } = app.ctx;
  const day = 24 * 60;
  const { room } = await makeSpace(
    app,
    isByDay ? { gridMinutes: day, minMinutes: day, maxMinutes: day } : {},
  );
  const plan = await db.plan.create({
    data: {
      name: `Plan ${v7()}`,
      benefits: { create: { resourceType: 'room', includedHours, discountPercent } },
    },
  });
  const team = await db.team.create({ data: { name: `Team ${v7()}` } });
  const [own, one, mate, none] = [
    await makeMember(app),
    await makeMember(app, { teamId: team.id }),
    await makeMember(app, { teamId: team.id }),
    await makeMember(app),
  ];
  const startsOn = new Date('2026-01-01');
  // Its plan ends in the middle, so that later bookings have none.
  const endsOn = new Date('2026-03-31');
  await db.membership.create({ data: { memberId: own.id, planId: plan.id, startsOn, endsOn } });
  await db.membership.create({ data: { teamId: team.id, planId: plan.id, startsOn } });
  const members = { 'own plan': own, team: one, 'team mate': mate, 'no plan': none, guest: null };
  const listPrices = async () => {
    const rows = await db.booking.findMany({
      where: { resourceId: room.id },
      orderBy: { startsAt: 'asc' },
      include: { membership: true },
    });
    return rows.map(({ startsAt, status, membership, ...row }) => ({
      startsAt,
      status,
      plan: membership && (membership.memberId === null ? 'team' : 'own'),
      ...pickPrice(row),
    }));
  };
  return { room, members, listPrices };
}

const pickPrice = ({
  priceAmount,
  priceCurrency,
  usageMonth,
  includedMinutes,
  clockChangeMinutes,
}: Omit<Booking, 'startsAt' | 'status'>) => ({
  priceAmount,
  priceCurrency,
  usageMonth,
  includedMinutes,
  clockChangeMinutes,
});

function toTimes({ slot, hours }: Pick<Entry, 'slot' | 'hours'>, isByDay: boolean) {
  const toInstant = (days: number) =>
    FIRST_DAY.add({ days }).toZonedDateTime(ZONE).epochMilliseconds;
  if (isByDay)
    return { startsAt: new Date(toInstant(slot)), endsAt: new Date(toInstant(slot + 1)) };
  const start = toInstant(Math.floor(slot / 4)) + (slot % 4) * 6 * HOUR_MS;
  // A quarter of the day on which clocks go forward is an hour shorter.
  const end = Math.min(start + hours * HOUR_MS, toInstant(Math.floor(slot / 4) + 1));
  return { startsAt: new Date(start), endsAt: new Date(end) };
}

const byStart = (a: { startsAt: Date }, b: { startsAt: Date }) => +a.startsAt - +b.startsAt;

type Room = Awaited<ReturnType<typeof makeRoom>>;

async function importEntries(
  { room, members }: Room,
  { entries, isByDay }: Scenario,
  at: 'first' | 'later',
) {
  const format = (date: Date) => date.toISOString().replace(/[-:]|\.000/g, '');
  const lines = entries.flatMap((entry, n) => {
    const { startsAt, endsAt } = toTimes((at === 'later' && entry.later) || entry, isByDay);
    return [
      ...['BEGIN:VEVENT', `UID:${n}`, `DTSTART:${format(startsAt)}`, `DTEND:${format(endsAt)}`],
      `ORGANIZER;CN=Zoe:mailto:${members[entry.holder]?.email ?? 'zoe@example.com'}`,
      ...['SUMMARY:Meeting', 'END:VEVENT'],
    ];
  });
  const file = Buffer.from(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\n'));
  const options = { file, resource: { id: room.id }, pricing: 'by_rules' as const };
  const { prices: preview } = await importBookings(app.ctx, { ...options, dryRun: true });
  const report = await importBookings(app.ctx, options);
  expect(report.prices).toEqual(preview);
  return { ...report, id: report.importId ?? '' };
}

const total = (rows: { priceAmount: number }[]) =>
  rows.reduce((sum, { priceAmount }) => sum + priceAmount, 0);

test('prices imported bookings as if they were made and moved one after the other, and undo gives everything back', () =>
  checkProperty(
    fc.asyncProperty(scenario, async (given) => {
      const { entries, isByDay } = given;
      const made = await makeRoom(given);
      const ids = new Map<Entry, string>();
      const toCreate = entries
        .map((entry) => ({ entry, ...toTimes(entry, isByDay) }))
        .toSorted(byStart);
      for (const { entry, ...times } of toCreate) {
        const memberId = made.members[entry.holder]?.id;
        const holder = memberId === undefined ? { guest: { name: 'Zoe' } } : { memberId };
        const input = { resourceId: made.room.id, ...times, ...holder, override: true };
        ids.set(entry, (await createBooking(app.ctx, input)).id);
      }
      const imported = await makeRoom(given);
      const first = await importEntries(imported, given, 'first');
      const before = await imported.listPrices();
      expect(before).toEqual(await made.listPrices());
      expect(first.prices).toMatchObject({
        bookings: entries.length,
        total: { amount: total(before) },
      });

      const moves = entries.flatMap((entry) =>
        entry.later ? [{ entry, ...toTimes(entry.later, isByDay) }] : [],
      );
      for (const { entry, ...times } of moves.toSorted(byStart))
        await rescheduleBooking(app.ctx, ids.get(entry) ?? '', { ...times, override: true });
      const second = await importEntries(imported, given, 'later');
      expect(await imported.listPrices()).toEqual(await made.listPrices());
      expect(second.prices?.bookings).toBe(moves.length);

      await undoImport(app.ctx, { id: second.id });
      expect(await imported.listPrices()).toEqual(before);
      await undoImport(app.ctx, { id: first.id });
      const left = await imported.listPrices();
      expect(left.filter(({ status }) => status !== 'cancelled')).toEqual([]);
      expect(left.map(({ includedMinutes }) => includedMinutes)).toEqual(entries.map(() => 0));
    }),
    { numRuns: RUNS },
  ));

test('leaves started bookings free, prices again what has a price, and undoes within what the plan still includes', async () => {
  const { room, members, listPrices } = await makeRoom({
    ...{ isByDay: false, includedHours: 4, discountPercent: 0, entries: [] },
  });
  const owner = { cookie: await app.signIn(STAFF.owner) };
  const { email = '', id: memberId = '' } = members.team ?? {};
  const importFile = async (pricing: string | undefined, day: string, hours: number) => {
    const toEntry = (uid: string, start: string) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${start}T080000Z`, `DURATION:PT${hours}H`],
      ...[`ORGANIZER:mailto:${email}`, 'END:VEVENT'],
    ];
    const lines = [...toEntry('past', '20260302'), ...toEntry('coming', day)];
    const file = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\n');
    const { data } = await app.graphql(
      `mutation ($input: ImportBookingsInput!) { importBookings(input: $input) {
        report { importId lines { reason } prices { bookings includedMinutes total { amount currency } } } } }`,
      { input: { file, resourceId: room.id, pricing } },
      owner,
    );
    return (data as { importBookings: { report: { importId: string } } }).importBookings.report;
  };
  const free = { bookings: 0, includedMinutes: 0, total: { amount: 0, currency: 'EUR' } };
  expect(await importFile('BY_RULES', '20260401', 3)).toMatchObject({
    prices: { ...free, bookings: 1, includedMinutes: 180 },
  });
  expect(await listPrices()).toMatchObject([
    { plan: null, includedMinutes: 0, priceAmount: 0 },
    { plan: 'team', includedMinutes: 180, priceAmount: 0 },
  ]);
  const moved = await importFile(undefined, '20260402', 1);
  expect(moved).toMatchObject({
    lines: [
      { reason: expect.stringContaining('It has started') },
      { reason: 'Changed: time, price.' },
    ],
    prices: { ...free, bookings: 1, includedMinutes: 60 },
  });
  // It uses the hours that became free, so that the undo can return only one of them.
  await createBooking(app.ctx, {
    ...{ resourceId: room.id, memberId, override: true },
    startsAt: new Date('2026-04-03T08:00:00Z'),
    endsAt: new Date('2026-04-03T11:00:00Z'),
  });
  await undoImport(app.ctx, { id: moved.importId });
  expect((await listPrices()).slice(1)).toMatchObject([
    { startsAt: new Date('2026-04-01T08:00:00Z'), includedMinutes: 60, priceAmount: 4_000 },
    { startsAt: new Date('2026-04-03T08:00:00Z'), includedMinutes: 180, priceAmount: 0 },
  ]);
});

test('counts no included hours for entries that are skipped', async () => {
  const { room, members, listPrices } = await makeRoom({
    ...{ isByDay: false, includedHours: 4, discountPercent: 0, entries: [] },
  });
  const organizer = `ORGANIZER:mailto:${members['own plan']?.email}`;
  const file = toCalendar(
    ['one', '20260320T0800', organizer],
    ...['two', 'three'].map((uid): CalendarEntry => [uid, '20260320T0830', organizer]),
    ...[10, 11, 12, 13].map((hour): CalendarEntry => [`${hour}`, `20260323T${hour}00`, organizer]),
  );
  const report = await importBookings(app.ctx, {
    file,
    resource: { id: room.id },
    pricing: 'by_rules',
  });
  expect(report).toMatchObject({
    imported: 5,
    skipped: 2,
    notes: [{ text: '5 bookings get prices, €20.00 in total, with 4 included hours of plans.' }],
    prices: { bookings: 5, includedMinutes: 240 },
  });
  const again = await importBookings(app.ctx, {
    file,
    resource: { id: room.id },
    pricing: 'by_rules',
  });
  expect(again).toMatchObject({ imported: 0, prices: { bookings: 0 }, notes: [] });
  const prices = await listPrices();
  expect(prices.map(({ priceAmount }) => priceAmount)).toEqual([0, 0, 0, 0, 2_000]);
});

test('locks no membership for a dry run, so that nobody waits for it', async () => {
  const { room, members } = await makeRoom({
    ...{ isByDay: false, includedHours: 4, discountPercent: 0, entries: [] },
  });
  const organizer = `ORGANIZER:mailto:${members['own plan']?.email}`;
  // A row remembers the last transaction that locked it, also one that was rolled back.
  const findLocker = () =>
    app.ctx.db
      .$queryRaw`SELECT xmax::text FROM memberships WHERE member_id = ${members['own plan']?.id}::uuid`;
  const isLockedBy = async (dryRun: boolean, entry: CalendarEntry) => {
    const before = await findLocker();
    await importBookings(app.ctx, {
      ...{ file: toCalendar(entry), resource: { id: room.id } },
      ...{ pricing: 'by_rules', dryRun },
    });
    return JSON.stringify(await findLocker()) !== JSON.stringify(before);
  };
  await isLockedBy(false, ['one', '20260323T0900', organizer]);
  // It is in the way of the first. A row that is added would lock its membership as every row does that refers to another.
  const skipped: CalendarEntry = ['two', '20260323T0930', organizer];
  expect(await isLockedBy(true, skipped)).toBe(false);
  expect(await isLockedBy(false, skipped)).toBe(true);
});

test('leaves free what has started at the time of the import, also what moves there', async () => {
  const { room } = await makeSpace(app);
  const listPrices = async () => {
    const rows = await app.ctx.db.booking.findMany({ where: { resourceId: room.id } });
    return Object.fromEntries(rows.map((row) => [row.importUid, row.priceAmount]));
  };
  const importEntries = (pricing: 'none' | 'by_rules', ...entries: CalendarEntry[]) => {
    // An hour passes whenever the time is read.
    let hours = 0;
    const now = () => new Date(+app.clock.now + HOUR_MS * hours++);
    return importBookings(
      { ...app.ctx, now },
      { file: toCalendar(...entries), resource: { id: room.id }, pricing },
    );
  };
  const toStart = (hours: number) =>
    new Date(+app.clock.now + hours * HOUR_MS).toISOString().replace(/[-:]/g, '').slice(0, 13);
  await importEntries('none', ['moved', toStart(100)]);
  const coming = Array.from({ length: 30 }, (_, n): CalendarEntry => [`${n}`, toStart(n + 1)]);
  const { prices } = await importEntries('by_rules', ['moved', toStart(-50)], ...coming);
  const { createdAt } = await app.ctx.db.booking.findFirstOrThrow({
    where: { resourceId: room.id, importUid: '0' },
  });
  const started = coming.filter((_, n) => +app.clock.now + (n + 1) * HOUR_MS <= +createdAt);
  expect(await listPrices()).toEqual({
    moved: 0,
    ...Object.fromEntries(coming.map(([uid]) => [uid, 2_000])),
    ...Object.fromEntries(started.map(([uid]) => [uid, 0])),
  });
  expect(prices).toMatchObject({ bookings: coming.length - started.length });
});
