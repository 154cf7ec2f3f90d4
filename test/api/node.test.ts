import { graphql } from 'graphql';
import { v7 } from 'uuid';
import { system } from '../../src/auth/viewer.ts';
import type { Sql } from '../../src/db/prepared-statement.ts';
import { createListLoaders } from '../../src/graphql/list-loaders.ts';
import { schema } from '../../src/graphql/schema.ts';
import type { Credential } from '../support/clients/api.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { addRowsOfPeople } from '../support/factories/people-lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';
import { LISTS } from '../support/lists.ts';

let app: TestApp;
let owner: Credential;
let callers: Record<string, Credential>;

beforeAll(async () => {
  app = await startApp();
  const { member } = await addRowsForLists(app);
  await addRowsOfPeople(app);
  const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
  const display = await app.display({ name: 'Hall', kind: 'welcome', locationId });
  await app.ctx.db.user.create({
    data: { name: member.name, email: member.email, memberId: member.id, passwordHash: 'x' },
  });
  owner = { cookie: await app.signIn(STAFF.owner) };
  callers = {
    anonymous: {},
    member: { cookie: await app.signIn(member.email) },
    device: { token: display.deviceToken },
    'token for everything': { token: await app.token('*') },
    'token for bookings': { token: await app.token('bookings:read') },
    'token for orders': { token: await app.token('orders:read') },
    'front desk': { cookie: await app.signIn(STAFF.front_desk) },
    manager: { cookie: await app.signIn(STAFF.manager) },
    owner,
  };
});
afterAll(() => app.stop());

const query = async (text: string, variables: object, caller: Credential = owner) => {
  const { data, errors } = await app.graphql(text, variables, caller);
  expect(errors).toEqual([]);
  return data;
};

/** The error of every argument that is a malformed id. */
const invalidId = (field: string) => {
  const message = 'must be an id such as 0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70';
  return {
    message: `${field}: ${message}`,
    extensions: { code: 'VALIDATION', reason: 'INVALID_INPUT', fields: [{ field, message }] },
  };
};

const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';

/** The ids of a list, and none if the caller cannot use it. */
async function listIds(field: string, caller: Credential): Promise<string[]> {
  const filter = field === 'events' ? ', filter: { from: "2000-01-01T00:00:00Z" }' : '';
  const text = `query ($after: String) {
    page: ${field}(first: 100, after: $after${filter}) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const { data, codes } = await app.graphql(text, { after }, caller);
    if (codes.length > 0) {
      expect(['UNAUTHENTICATED', 'FORBIDDEN']).toContain(codes[0]);
      return [];
    }
    ids.push(...data.page.nodes.map(({ id }: { id: string }) => id));
    if (!data.page.pageInfo.hasNextPage) return ids;
    after = data.page.pageInfo.endCursor;
  }
}

describe.each(takeSample(LISTS, 6))('node and nodes find $node objects', ({ field, node }) => {
  it('for each caller, exactly those of the list', async () => {
    const all = (await listIds(field, owner)).slice(0, 100);
    expect(all.length).toBeGreaterThan(2);
    for (const [name, caller] of Object.entries(callers)) {
      const own = new Set(await listIds(field, caller));
      const expected = all.map((id) => (own.has(id) ? { __typename: node, id } : null));
      const { nodes } = await query(NODES, { ids: all }, caller);
      expect({ name, nodes }).toEqual({ name, nodes: expected });
      const single = await query(NODE, { id: all[0] }, caller);
      expect({ name, node: single.node }).toEqual({ name, node: expected[0] });
    }
  });
});

describe('node', () => {
  it.each([v7(), '00000000-0000-0000-0000-000000000000'])('is null for %j', async (id) => {
    expect(await query(NODE, { id })).toEqual({ node: null });
  });

  it.each(['x', '', '1', `${v7()}0`])('rejects %j, which is no id', async (id) => {
    const { data, errors } = await app.graphql(NODE, { id });
    expect(data).toEqual({ node: null });
    expect(errors).toMatchObject([invalidId('id')]);
  });

  it('selects the fields of each type, again and again', async () => {
    const [id] = await listIds('bookings', owner);
    const text = `query ($id: ID!) { node(id: $id) { id
      ... on Member { name } ... on Booking { startsAt resource { name location { name } } } } }`;
    const { booking } = await query(
      'query ($id: ID!) { booking(id: $id) { id startsAt resource { name location { name } } } }',
      { id },
    );
    for (let round = 0; round < 3; round += 1)
      expect(await query(text, { id: id?.toUpperCase() })).toEqual({ node: booking });
  });
});

describe('nodes', () => {
  it('keeps the order and repetitions, with null where nothing is visible', async () => {
    const [booking = ''] = await listIds('bookings', owner);
    const [order = ''] = await listIds('orders', owner);
    const { nodes } = await query(NODES, { ids: [order, booking, v7(), order] });
    expect(nodes.map((node: { id: string } | null) => node?.id ?? null)).toEqual([
      order,
      booking,
      null,
      order,
    ]);
  });

  it('rejects an id that is none, and names its position', async () => {
    const { data, errors } = await app.graphql(NODES, { ids: [v7(), 'x'] });
    expect(data).toBeNull();
    expect(errors).toMatchObject([invalidId('ids.1')]);
  });

  it('rejects more than 100 ids', async () => {
    expect((await query(NODES, { ids: Array(100).fill(v7()) })).nodes).toHaveLength(100);
    const { errors } = await app.graphql(NODES, { ids: Array(101).fill(v7()) }, owner);
    expect(errors).toMatchObject([
      {
        message: 'ids can contain at most 100 ids, but there are 101.',
        extensions: { code: 'BAD_REQUEST', reason: 'INVALID_INPUT', limit: 100 },
      },
    ]);
  });

  it('needs one statement to find the types, and one for each type', async () => {
    let count = 0;
    const pipelinedSql: Sql = (statement, values) => {
      count += 1;
      return app.ctx.pipelinedSql(statement, values);
    };
    const ctx = { ...app.ctx, viewer: system, pipelinedSql };
    const ids = [...(await listIds('bookings', owner)).slice(0, 40)];
    ids.push(...(await listIds('tickets', owner)).slice(0, 4));
    const { data, errors } = await graphql({
      schema,
      source: `query ($ids: [ID!]!, $id: ID!) { one: node(id: $id) { id } nodes(ids: $ids) {
        ... on Booking { resource { name } } ... on Ticket { attendee { name } } } }`,
      variableValues: { ids, id: ids[1] },
      contextValue: { ctx, lists: createListLoaders(ctx) },
    });
    expect(errors).toBeUndefined();
    expect(data?.nodes).not.toContain(null);
    expect(count).toBe(3);
  });
});
