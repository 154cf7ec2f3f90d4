import { v7 } from 'uuid';
import { createBooking } from '../../src/features/bookings/service/create-booking.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { updateMember } from '../../src/features/members/service/members.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import { makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { explain } from '../support/imports/second-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

type Entry = [uid: string, start: string, hours: number, organizer?: string];

const toFile = (entries: Entry[]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...entries.flatMap(([uid, start, hours, organizer]) => [
        ...['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, `DTSTART:${start}00Z`],
        ...[`DURATION:PT${hours}H`, ...(organizer ? [`ORGANIZER:mailto:${organizer}`] : [])],
        'END:VEVENT',
      ]),
      'END:VCALENDAR',
    ].join('\n'),
  );

/** A room of which two hours cost more than a booking can. */
async function makeCostlyRoom() {
  const { room } = await makeSpace(app, { hourlyAmount: 2_000_000_000 });
  const importEntries = (...entries: Entry[]) =>
    importBookings(app.ctx, {
      file: toFile(entries),
      resource: { id: room.id },
      pricing: 'by_rules',
    });
  const list = async () => {
    const rows = await app.ctx.db.booking.findMany({ where: { resourceId: room.id } });
    return Object.fromEntries(
      rows.map(({ title, startsAt, priceAmount }) => [
        title,
        [startsAt.getUTCHours(), priceAmount],
      ]),
    );
  };
  return { room, importEntries, list };
}

const TOO_HIGH = 'The price is too high for one booking. Split it into several bookings.';

test('skips new bookings that would cost too much, and leaves their times to others', async () => {
  const { importEntries, list } = await makeCostlyRoom();
  const report = await importEntries(
    ['first', '20260320T0700', 1],
    ['costly', '20260320T0800', 3],
    ['second', '20260320T0900', 1],
  );
  expect(explain(report)).toEqual({
    first: 'imported',
    second: 'imported',
    costly: `skipped: ${TOO_HIGH}`,
  });
  expect(report.prices).toMatchObject({ bookings: 2, total: { amount: 4_000_000_000 } });
  expect(await list()).toEqual({ first: [7, 2_000_000_000], second: [9, 2_000_000_000] });
});

test('leaves bookings where they are that would cost too much elsewhere, and those that need their times', async () => {
  const { importEntries, list } = await makeCostlyRoom();
  await importEntries(
    ['longer', '20260320T0700', 1],
    ['follows', '20260320T0900', 1],
    ['other', '20260320T1100', 1],
  );
  const report = await importEntries(
    ['longer', '20260320T1500', 2],
    ['follows', '20260320T0700', 1],
    ['other', '20260320T1200', 1],
    ['new', '20260320T0900', 1],
  );
  // The entry "follows" begins in line 8.
  expect(explain(report)).toEqual({
    new: expect.stringMatching(/^skipped: The slot is taken by a booking, .* \(line 8\)\.$/),
    longer: `skipped: Different in the file: time. ${TOO_HIGH}`,
    follows: expect.stringMatching(/^skipped: Different in the file: time\. The slot is taken by/),
    other: 'updated: Changed: time.',
  });
  expect(await list()).toEqual({
    longer: [7, 2_000_000_000],
    follows: [9, 2_000_000_000],
    other: [12, 2_000_000_000],
  });
});

test('undoes the other moves if one would cost too much by now', async () => {
  const { room, importEntries, list } = await makeCostlyRoom();
  const { id: memberId, email } = await makeMember(app);
  const plan = await app.ctx.db.plan.create({
    data: {
      name: `Plan ${v7()}`,
      benefits: { create: { resourceType: 'room', includedHours: 4, discountPercent: 0 } },
    },
  });
  const startsOn = new Date('2026-01-01');
  await app.ctx.db.membership.create({ data: { memberId, planId: plan.id, startsOn } });
  await importEntries(['member', '20260320T0700', 3, email], ['guest', '20260320T1000', 1]);
  const { importId = '' } = await importEntries(
    ['member', '20260320T1100', 1, email],
    ['guest', '20260320T1300', 1],
  );
  // It uses hours that became free, so that the undo cannot return them.
  await createBooking(app.ctx, {
    resourceId: room.id,
    memberId,
    title: 'more',
    override: true,
    startsAt: new Date('2026-03-20T15:00:00Z'),
    endsAt: new Date('2026-03-20T18:00:00Z'),
  });
  const { report } = await undoImport(app.ctx, { id: importId });
  expect(report).toMatchObject({
    restored: 1,
    notes: [{ reason: `It stays as it is. ${TOO_HIGH}` }],
  });
  expect(await list()).toMatchObject({ member: [11, 0], guest: [10, 2_000_000_000] });
});

test('undoes the other changes of members if another member has a customer number by now', async () => {
  const [first, second, third] = [
    await makeMember(app, { customerNumber: 'C-1' }),
    await makeMember(app, { customerNumber: 'C-2' }),
    await makeMember(app),
  ];
  const { importId = '' } = await importMembers(app.ctx, {
    file: Buffer.from(
      `name,email,customer number\nFirst,${first.email},C-11\nSecond,${second.email},C-12`,
    ),
    update: true,
  });
  await updateMember(app.ctx, third.id, { customerNumber: 'C-1' });
  const { report } = await undoImport(app.ctx, { id: importId });
  expect(report).toMatchObject({
    restored: 1,
    notes: [{ reason: 'It stays as it is. The customer number C-1 is already in use.' }],
  });
  const read = ({ id }: { id: string }) => app.ctx.db.member.findUnique({ where: { id } });
  expect(await read(first)).toMatchObject({ name: 'First', customerNumber: 'C-11' });
  expect(await read(second)).toMatchObject({ name: second.name, customerNumber: 'C-2' });
});
