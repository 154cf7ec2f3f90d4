import { v7 } from 'uuid';
import { createMember, getMember } from '../../../src/features/members/service.ts';
import { type Credential, startApp, type TestApp } from '../../support/app.ts';
import { statementsOn } from '../../support/statements.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;
let count = 0;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
  writer = { token: await app.token('members:read', 'members:write') };
});
afterAll(() => app.stop());

const TEAM = 'id name members { name } memberships { id }';
const ask = async (text: string, variables: object, as = writer) => {
  const { data, errors } = await app.graphql(text, variables, as);
  return { found: data && Object.values(data)[0], refusal: errors[0]?.extensions } as {
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
    found: any;
    refusal: Record<string, unknown> | undefined;
  };
};
const create = (name: string, as = writer) =>
  ask(`mutation ($name: String!) { createTeam(input: { name: $name }) { ${TEAM} } }`, { name }, as);
const update = (id: string, input: object) =>
  ask(
    `mutation ($id: ID!, $input: UpdateTeamInput!) { updateTeam(id: $id, input: $input) { ${TEAM} } }`,
    { id, input },
  );
const remove = (id: string) =>
  ask(`mutation ($id: ID!) { deleteTeam(id: $id) { ${TEAM} } }`, { id });
const read = (id: string) => ask(`query ($id: ID!) { team(id: $id) { ${TEAM} } }`, { id });

async function newTeam(...names: string[]) {
  count += 1;
  const { found } = await create(`Team ${count}`);
  for (const name of names) {
    const email = `${v7()}@example.org`;
    await createMember(app.ctx, { name, email, teamId: found.id });
  }
  return found as { id: string; name: string };
}

describe('a team', () => {
  it('has a unique name and lists its members by name', async () => {
    const team = await newTeam('Zoe', 'Abel');
    expect((await read(team.id)).found).toEqual({
      id: team.id,
      name: team.name,
      members: [{ name: 'Abel' }, { name: 'Zoe' }],
      memberships: [],
    });
    expect((await create(team.name)).refusal).toEqual({ code: 'CONFLICT', reason: 'TAKEN' });
    expect((await create(' ')).refusal).toMatchObject({ code: 'VALIDATION' });
  });

  it('cannot take the name of another team', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    expect((await update(team.id, { name: 'Renamed' })).found.name).toBe('Renamed');
    expect((await update(team.id, {})).found.name).toBe('Renamed');
    expect((await update(team.id, { name: other.name })).refusal).toMatchObject({
      reason: 'TAKEN',
    });
    expect((await update(v7(), { name: 'x' })).refusal).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is deleted without its members', async () => {
    const team = await newTeam('Uma');
    const { id } = await app.ctx.db.member.findFirstOrThrow({ where: { teamId: team.id } });
    expect((await remove(team.id)).found).toMatchObject(team);
    expect((await getMember(app.ctx, id)).teamId).toBeNull();
    for (const gone of [team.id, 'x']) {
      expect((await read(gone)).refusal).toMatchObject({ code: 'NOT_FOUND' });
      expect((await remove(gone)).refusal).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('cannot be deleted with a membership, even an ended one', async () => {
    const team = await newTeam('Ida');
    const { id: planId } = await app.ctx.db.plan.findFirstOrThrow();
    await app.ctx.db.membership.create({
      data: {
        planId,
        teamId: team.id,
        startsOn: new Date('2020-01-01'),
        endsOn: new Date('2020-12-31'),
      },
    });
    expect((await remove(team.id)).refusal).toMatchObject({
      code: 'CONFLICT',
      reason: 'TEAM_HAS_MEMBERSHIP',
    });
    expect((await read(team.id)).found.members).toEqual([{ name: 'Ida' }]);
  });

  it('requires members:write', async () => {
    expect((await create('Readers', reader)).refusal).toMatchObject({ reason: 'MISSING_SCOPE' });
  });
});

describe('teams', () => {
  it('are paginated by name and load their members in one statement', async () => {
    const text = `query ($after: String) { teams(first: 4, after: $after) {
      edges { node { ${TEAM} } } pageInfo { endCursor hasNextPage } } }`;
    const names: string[] = [];
    for (let after: string | null = null; ; ) {
      const { found } = await ask(text, { after }, reader);
      names.push(...found.edges.map(({ node }: { node: { name: string } }) => node.name));
      if (!found.pageInfo.hasNextPage) break;
      after = found.pageInfo.endCursor;
    }
    const rows = await app.ctx.db.team.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
    expect(names).toEqual(rows.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(9);
    const few = (first: number) => () =>
      ask(`{ teams(first: ${first}) { edges { node { ${TEAM} } } } }`, {}, reader);
    for (const table of ['members', 'memberships']) {
      expect(await statementsOn(app, table, few(8))).toBe(await statementsOn(app, table, few(2)));
    }
  });
});
