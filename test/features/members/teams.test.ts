import { v7 } from 'uuid';
import { createMember, getMember } from '../../../src/features/members/service/members.ts';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { countStatements } from '../../support/harness/database.ts';

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

const TEAM = 'id name members(first: 20) { nodes { name } } memberships(first: 5) { nodes { id } }';
const send = async (text: string, variables: object, as = writer) => {
  const { data, errors } = await app.graphql(text, variables, as);
  // A mutation returns the team in its payload.
  const [result] = Object.values<{ team?: object }>(data ?? {});
  return { found: result?.team ?? result, error: errors[0]?.extensions } as {
    // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
    found: any;
    error: Record<string, unknown> | undefined;
  };
};
const create = (name: string, as = writer) =>
  send(
    `mutation ($name: String!) { createTeam(input: { name: $name }) { team { ${TEAM} } } }`,
    { name },
    as,
  );
const update = (id: string, input: object) =>
  send(`mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { ${TEAM} } } }`, {
    input: { id, ...input },
  });
const remove = (id: string) =>
  send(`mutation ($id: ID!) { deleteTeam(input: { id: $id }) { deletedTeamId } }`, { id });
const read = (id: string) => send(`query ($id: ID!) { team(id: $id) { ${TEAM} } }`, { id });

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
      members: { nodes: [{ name: 'Abel' }, { name: 'Zoe' }] },
      memberships: { nodes: [] },
    });
    expect((await create(team.name)).error).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
    expect((await create(' ')).error).toMatchObject({ code: 'VALIDATION' });
  });

  it('cannot take the name of another team', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    expect((await update(team.id, { name: 'Renamed' })).found.name).toBe('Renamed');
    expect((await update(team.id, {})).found.name).toBe('Renamed');
    expect((await update(team.id, { name: other.name })).error).toMatchObject({
      reason: 'TAKEN',
    });
    expect((await update(v7(), { name: 'x' })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is deleted without its members', async () => {
    const team = await newTeam('Uma');
    const { id } = await app.ctx.db.member.findFirstOrThrow({ where: { teamId: team.id } });
    expect((await remove(team.id)).found).toEqual({ deletedTeamId: team.id });
    expect((await getMember(app.ctx, id)).teamId).toBeNull();
    for (const missingId of [team.id, 'x']) {
      expect((await read(missingId)).error).toMatchObject({ code: 'NOT_FOUND' });
      expect((await remove(missingId)).error).toMatchObject({ code: 'NOT_FOUND' });
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
    expect((await remove(team.id)).error).toMatchObject({
      code: 'CONFLICT',
      reason: 'TEAM_HAS_MEMBERSHIP',
    });
    expect((await read(team.id)).found.members.nodes).toEqual([{ name: 'Ida' }]);
  });

  it('requires members:write', async () => {
    expect((await create('Readers', reader)).error).toMatchObject({ reason: 'MISSING_SCOPE' });
  });
});

describe('teams', () => {
  it('are paginated by name and load their members in one statement', async () => {
    const text = `query ($after: String) { teams(first: 4, after: $after) {
      edges { node { ${TEAM} } } pageInfo { endCursor hasNextPage } } }`;
    const names: string[] = [];
    for (let after: string | null = null; ; ) {
      const { found } = await send(text, { after }, reader);
      names.push(...found.edges.map(({ node }: { node: { name: string } }) => node.name));
      if (!found.pageInfo.hasNextPage) break;
      after = found.pageInfo.endCursor;
    }
    const rows = await app.ctx.db.team.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
    expect(names).toEqual(rows.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(9);
    for (const table of ['members', 'memberships']) {
      // Resolvers answer each text once. PostgreSQL answers the next request with it.
      const few = (first: number) => () =>
        send(`{ teams(first: ${first}) { edges { node { ${TEAM} } } } } # ${table}`, {}, reader);
      expect(await countStatements(app, table, few(8))).toBe(
        await countStatements(app, table, few(2)),
      );
    }
  });
});
