import { v7 } from 'uuid';
import type { Sql } from '../../../src/db/prepared-statement.ts';
import { visitReader } from '../../../src/features/check-ins/service/end-visits-of-members.ts';
import { catchUp, type RecordedChange } from '../../../src/journal/read-changes.ts';
import { APIS, createAdmissionFactories } from '../../support/factories/check-ins.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

// Members who lose the right to be at a location while they are there. The tests take place on Wednesday, 18 March 2026.

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let owner: { cookie: string };
let planId: string;

beforeAll(async () => {
  app = await startApp();
  make = createAdmissionFactories(app);
  owner = { cookie: await app.signIn(STAFF.owner) };
  planId = (await app.ctx.db.plan.create({ data: { name: `Plan ${v7()}` } })).id;
  await catchUp(app.ctx, visitReader); // registers the reader
});
afterAll(() => app.stop());

interface Holder {
  memberId: string;
  membershipId: string;
}
type Command = [name: string, input: (holder: Holder) => object];

const LOSSES: [string, ...Command][] = [
  ['becomes former', 'updateMember', ({ memberId: id }) => ({ id, status: 'FORMER' })],
  ['is paused', 'updateMember', ({ memberId: id }) => ({ id, status: 'PAUSED' })],
  ['leaves the team', 'updateMember', ({ memberId: id }) => ({ id, teamId: null })],
  [
    'has a membership that is ended on a day before',
    'endMembership',
    ({ membershipId: id }) => ({ id, endsOn: '2026-03-17' }),
  ],
  ['has a membership that is deleted', 'deleteMembership', ({ membershipId: id }) => ({ id })],
];
const KEPT: [string, ...Command][] = [
  [
    'has a membership that ends today',
    'endMembership',
    ({ membershipId: id }) => ({ id, endsOn: '2026-03-18' }),
  ],
  ['is renamed', 'updateMember', ({ memberId: id }) => ({ id, name: 'Ada King' })],
];

async function checkInMember() {
  const { db } = app.ctx;
  const { id: locationId } = await db.location.create({
    data: { name: 'House', slug: `house-${v7()}`, timeZone: 'Europe/Berlin' },
  });
  const { id: teamId } = await db.team.create({ data: { name: `Team ${v7()}` } });
  const member = await make.makeMember({ teamId });
  const { id: membershipId } = await db.membership.create({
    data: { planId, teamId, startsOn: new Date('2026-03-01') },
  });
  const scans = APIS.map(
    ([, createScanner]) =>
      async () =>
        (await createScanner(app)({ locationId, code: member.code })).checkIn.result,
  );
  expect(await scans[0]?.()).toBe('admitted');
  const findVisits = () =>
    db.checkIn.findMany({ where: { memberId: member.id, result: 'admitted' } });
  return { locationId, memberId: member.id, membershipId, scans, findVisits };
}

async function run(name: string, input: object) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  const { errors } = await app.graphql(
    `mutation ($input: ${type}) { ${name}(input: $input) { __typename } }`,
    { input },
    owner,
  );
  expect(errors).toEqual([]);
}

describe('a member who is checked in', () => {
  it.each(LOSSES)('and %s is rejected, and their visit ends', async (_, name, toInput) => {
    const { locationId, scans, findVisits, ...holder } = await checkInMember();
    await run(name, toInput(holder));
    for (const scan of scans) expect(await scan()).toBe('membership_inactive');
    await catchUp(app.ctx, visitReader);
    expect(await findVisits()).toMatchObject([
      { checkedOutAt: app.clock.now, autoCheckedOut: false },
    ]);
    const { present } = await app.ctx.db.occupancy.findUniqueOrThrow({ where: { locationId } });
    expect(present).toBe(0);
    const changes = await app.ctx.db.change.findMany({
      where: { locationId, type: 'check_in.checked_out', subjectId: (await findVisits())[0]?.id },
    });
    expect(changes).toMatchObject([{ actorKind: 'system' }]);
  });

  it.each(KEPT)('and %s stays checked in', async (_, name, toInput) => {
    const { scans, findVisits, ...holder } = await checkInMember();
    await run(name, toInput(holder));
    await catchUp(app.ctx, visitReader);
    expect(await findVisits()).toMatchObject([{ checkedOutAt: null }]);
    // Check-ins would wait for the locations that a bulk change locks.
    const locked: unknown[] = [];
    const lockingSql: Sql = async (statement, values) => {
      const rows = await app.ctx.lockingSql<never>(statement, values);
      if (statement.text.includes('FOR UPDATE')) locked.push(...rows);
      return rows;
    };
    const change = { type: 'member.updated', subjectId: holder.memberId } as RecordedChange;
    await visitReader.handle({ ...app.ctx, lockingSql }, [change]);
    expect(locked).toEqual([]);
    for (const scan of scans) expect(await scan()).toBe('already_in');
  });
});
