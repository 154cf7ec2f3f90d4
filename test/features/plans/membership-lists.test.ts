import { v7 } from 'uuid';
import { createMembership } from '../../../src/features/plans/service/memberships.ts';
import { createTeam } from '../../../src/features/teams/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makePlan, makePlanHolder } from '../../support/factories/plans.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { countStatements } from '../../support/harness/database.ts';

let app: TestApp;
let reader: Credential;
let planId: string;
let memberId: string;
let teamId: string;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
});
afterAll(() => app.stop());

beforeEach(async () => {
  planId = (await makePlan(app)).id;
  teamId = (await createTeam(app.ctx, { name: `Team ${v7()}` })).id;
  memberId = (await makePlanHolder(app)).id;
});

const create = async (input: object) =>
  (await createMembership(app.ctx, { planId, startsOn: '2026-01-01', ...input })).id;
const list = async (filter: object, first = 50) => {
  const text = `query ($filter: MembershipFilter, $first: Int, $after: String) {
    memberships(filter: $filter, first: $first, after: $after) {
      edges { node { id } } pageInfo { endCursor hasNextPage } } }`;
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const { data } = await app.graphql(text, { filter, first, after }, reader);
    ids.push(...data.memberships.edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!data.memberships.pageInfo.hasNextPage) return ids;
    after = data.memberships.pageInfo.endCursor;
  }
};
const current = async (of: string, on?: string) => {
  const text = `query ($id: ID!, $on: Date) { member(id: $id) { currentMembership(on: $on) { id } } }`;
  const { data } = await app.graphql(text, { id: of, on }, reader);
  return data.member.currentMembership?.id ?? null;
};

describe('memberships', () => {
  it('are filtered by holder, plan and day and paginated by latest start', async () => {
    const ids: string[] = [];
    for (const [startsOn, endsOn] of [
      ['2025-01-01', '2025-06-30'],
      ['2025-07-01', '2025-12-31'],
      ['2026-01-01', undefined],
    ]) {
      ids.unshift(await create({ memberId, startsOn, endsOn }));
    }
    const ofTeam = await create({ teamId, startsOn: '2025-07-01' });
    expect(await list({ memberId })).toEqual(ids);
    expect(await list({ memberId }, 1)).toEqual(ids);
    expect((await list({ planId }, 3)).sort()).toEqual([...ids, ofTeam].sort());
    const on = (activeOn: string) => list({ planId, activeOn });
    expect(await on('2024-12-31')).toEqual([]);
    expect(await on('2025-06-30')).toEqual([ids[2]]);
    expect(await on('2025-07-01')).toEqual([ofTeam, ids[1]]);
    expect(await on('2030-01-01')).toEqual([ids[0], ofTeam]);

    const everything = await app.ctx.db.membership.findMany({
      orderBy: [{ startsOn: 'desc' }, { id: 'desc' }],
    });
    expect(await list({}, 7)).toEqual(everything.map(({ id }) => id));
  });

  it('are fields of members and teams', async () => {
    const old = await create({ memberId, startsOn: '2025-01-01', endsOn: '2025-06-30' });
    const newer = await create({ memberId });
    const ids = [newer, old].map((id) => ({ id }));
    const text = `query ($id: ID!) { member(id: $id) { memberships { nodes { id } } } }`;
    const { data } = await app.graphql(text, { id: memberId }, reader);
    expect(data.member.memberships.nodes).toEqual(ids);
    const ofTeam = await create({ teamId });
    const team = await app.graphql(
      'query ($id: ID!) { team(id: $id) { memberships { nodes { id plan { benefits { includedHours } } } } } }',
      { id: teamId },
      reader,
    );
    expect(team.data.team.memberships.nodes).toEqual([
      {
        id: ofTeam,
        plan: { benefits: [{ includedHours: 9 }] },
      },
    ]);
  });

  it('are loaded in one statement for a list', async () => {
    const few = (first: number) => () =>
      app.graphql(
        `{ members(first: ${first}) { edges { node {
          memberships(first: 5) { nodes { id plan { name } } } currentMembership { id plan { name } } } } } }`,
        {},
        reader,
      );
    expect((await few(19)()).codes).toEqual([]);
    expect(await countStatements(app, 'memberships', few(20))).toBe(
      await countStatements(app, 'memberships', few(3)),
    );
  });
});

describe('the current membership of a member', () => {
  it("is their own, else their team's, on its days only", async () => {
    const { id: colleague } = await makePlanHolder(app, { teamId });
    expect(await current(colleague)).toBeNull();
    const ofTeam = await create({ teamId, endsOn: '2026-12-31' });
    const own = await create({ memberId: colleague, startsOn: '2026-03-01', endsOn: '2026-03-31' });
    expect(await current(colleague, '2026-02-28')).toBe(ofTeam);
    expect(await current(colleague, '2026-03-01')).toBe(own);
    expect(await current(colleague)).toBe(own); // the tests run on 18 March
    expect(await current(colleague, '2026-03-31')).toBe(own);
    expect(await current(colleague, '2026-04-01')).toBe(ofTeam);
    expect(await current(colleague, '2027-01-01')).toBeNull();
    expect(await current(memberId)).toBeNull();
  });
});

describe('a signed-in member', () => {
  it('sees their own memberships and plans but no list', async () => {
    const ben = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
    const { passwordHash } = await app.ctx.db.user.findFirstOrThrow();
    await app.ctx.db.user.create({
      data: { name: ben.name, email: ben.email, memberId: ben.id, passwordHash },
    });
    const as = { cookie: await app.signIn(ben.email) };
    const plan = 'plan { name price { amount } benefits { resourceType includedHours } }';
    const { data, codes } = await app.graphql(
      `{ me { memberships { nodes { id } } currentMembership { ${plan} usage { bookedMinutes } member { email } } } }`,
      {},
      as,
    );
    expect(codes).toEqual([]);
    expect(data.me.memberships.nodes).toHaveLength(1);
    expect(data.me.currentMembership).toMatchObject({
      plan: { name: 'Resident' },
      member: { email: ben.email },
    });
    for (const field of ['memberships', 'plans', 'teams']) {
      const text = `{ ${field} { edges { node { id } } } }`;
      expect((await app.graphql(text, {}, as)).codes).toEqual(['FORBIDDEN']);
    }
  });
});
