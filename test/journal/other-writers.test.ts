import { readFileSync } from 'node:fs';
import { createStaff } from '../../src/auth/sign-in.ts';
import { releaseNoShows } from '../../src/features/bookings/service/check-in-booking.ts';
import { createMember } from '../../src/features/members/service/members.ts';
import { erasePersonalData } from '../../src/features/personal-data/service/erase.ts';
import { disableStaff, setStaffPassword } from '../../src/features/staff/service/staff.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { importEvents } from '../../src/imports/import-events.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import type { ImportOptions, ImportReport } from '../../src/imports/report.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { collectChanges } from '../support/recorded-commands/changes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const readFixture = (name: string) => readFileSync(new URL(`../imports/${name}`, import.meta.url));

describe('an import', () => {
  const imports: [string, (options: ImportOptions) => Promise<ImportReport>][] = [
    [
      'member.created',
      (options) => importMembers(app.ctx, { file: readFixture('members.csv'), ...options }),
    ],
    [
      'event.created',
      async (options) => {
        const { location } = await makeSpace(app);
        const file = readFixture('google.ics');
        return importEvents(app.ctx, { file, locationId: location.id, ...options });
      },
    ],
    [
      'booking.created',
      async (options) => {
        const { room } = await makeSpace(app);
        const file = readFixture('google.ics');
        return importBookings(app.ctx, { file, resource: { slug: room.slug }, ...options });
      },
    ],
  ];

  it.each(imports)('records %s for each row, and nothing in a dry run', async (type, run) => {
    expect(await collectChanges(app.ctx, () => run({ dryRun: true }))).toEqual([]);
    let report: ImportReport | undefined;
    const changes = await collectChanges(app.ctx, async () => {
      report = await run({});
    });
    expect(changes.length).toBeGreaterThan(1);
    expect(changes.map(({ type }) => type)).toEqual([
      'import.started',
      ...Array(report?.imported).fill(type),
      'import.finished',
    ]);
  });
});

it('the job that releases no-shows records them', async () => {
  const { room, location } = await makeSpace(app, { noShowMinutes: 15 });
  const startsAt = new Date(app.clock.now.getTime() - 20 * 60_000);
  const endsAt = new Date(startsAt.getTime() + 3_600_000);
  const { id } = await app.ctx.db.booking.create({
    data: {
      resourceId: room.id,
      locationId: location.id,
      guestName: 'Gil',
      status: 'confirmed',
      startsAt,
      endsAt,
      occupiedUntil: endsAt,
      priceCurrency: 'EUR',
      updatedAt: startsAt,
    },
  });
  const ctx = { ...app.ctx, job: 'bookings.no-shows' };
  expect(await collectChanges(ctx, () => releaseNoShows(ctx))).toEqual([
    expect.objectContaining({
      type: 'booking.no_show',
      subjectId: id,
      locationId: location.id,
      actorKind: 'system',
      job: 'bookings.no-shows',
      before: { status: 'confirmed' },
      after: { status: 'no_show' },
    }),
  ]);
});

it('the command line records staff accounts, and their erasure records no name', async () => {
  const account = { name: 'Secret Name', email: 'secret@example.org', password: PASSWORD };
  const changes = await collectChanges(app.ctx, async () => {
    const { id } = await createStaff(app.ctx, { ...account, role: 'manager' });
    await setStaffPassword(app.ctx, { id, password: 'copper lantern avenue' });
    await disableStaff(app.ctx, { id });
  });
  const erased = await collectChanges(app.ctx, () =>
    erasePersonalData(app.ctx, { email: account.email }),
  );
  expect([...changes, ...erased].map(({ type }) => type)).toEqual([
    'staff.created',
    'staff.password_changed',
    'staff.disabled',
    'staff.deleted',
    'erasure.created',
  ]);
  const all = await app.ctx.db.change.findMany({ where: { subjectId: changes[0]?.subjectId } });
  expect(all).toHaveLength(4);
  expect(all.map(({ before, after }) => JSON.stringify([before, after])).join()).not.toMatch(
    /secret/i,
  );
});

it('the erasure of a member with bookings and a team records no name', async () => {
  const team = await app.ctx.db.team.create({ data: { name: 'Printers' } });
  const { id } = await createMember(app.ctx, {
    name: 'Secret Name',
    email: 'secret-member@example.org',
    phone: '+49 30 secret',
    teamId: team.id,
  });
  const changes = await collectChanges(app.ctx, () => erasePersonalData(app.ctx, { memberId: id }));
  const cleared = {
    ...{ phone: null, company: null, address: null, postcode: null, city: null, country: null },
    customer_number: null,
  };
  expect(changes).toEqual([
    expect.objectContaining({
      type: 'member.erased',
      subjectId: id,
      redacted: true,
      before: { name: null, email: null, ...cleared },
      after: {
        name: 'Deleted person',
        email: expect.stringMatching(/^deleted-.*@deleted\.invalid$/),
        ...cleared,
      },
    }),
    expect.objectContaining({
      type: 'member.updated',
      before: { status: 'active', team_id: team.id },
      after: { status: 'former', team_id: null },
    }),
    expect.objectContaining({ type: 'erasure.created' }),
  ]);
  const all = await app.ctx.db.change.findMany({ where: { subjectId: id } });
  expect(JSON.stringify(all.map(({ before, after }) => [before, after]))).not.toMatch(/secret/i);
});
