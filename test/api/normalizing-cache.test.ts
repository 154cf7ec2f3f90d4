import { InMemoryCache } from '@apollo/client/cache';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
  print,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import type { Credential } from '../support/clients/api.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { addRowsOfPeople } from '../support/factories/people-lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';
import { LISTS } from '../support/lists.ts';

// A normalizing cache stores each object once, by its type and id, and each field of it by its arguments. What one query
// writes must therefore never change what another one has written, as it would if an id stood for two things.

let app: TestApp;
let owner: Credential;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  await addRowsForLists(app);
  await addRowsOfPeople(app);
  // The use of the session is recorded between two queries, and would change the owner.
  await app.ctx.db.user.updateMany({ data: { lastActiveAt: app.clock.now } });
});
afterAll(() => app.stop());

const possibleTypes = {
  Node: schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name),
};

/** Sends queries, writes their responses to Apollo Client's cache, and expects to read all of them back unchanged. */
async function expectUnchanged(texts: string[], cache = new InMemoryCache()): Promise<void> {
  const written: { text: string; query: ReturnType<typeof parse>; data: object }[] = [];
  for (const text of texts) {
    const query = cache.transformDocument(parse(text));
    const { data, errors } = await app.graphql(print(query), {}, owner);
    expect({ text, errors }).toEqual({ text, errors: [] });
    cache.writeQuery({ query, data });
    written.push({ text, query, data });
  }
  for (const { text, query, data } of written)
    expect({ text, data: cache.readQuery({ query }) }).toEqual({ text, data });
}

/** Two values for each type of argument. */
const SAMPLES: Record<string, [string, string]> = {
  Boolean: ['true', 'false'],
  Int: ['2', '3'],
  Date: ['"2026-03-20"', '"2026-03-24"'],
  DateTime: ['"2026-03-19T00:00:00Z"', '"2026-03-25T00:00:00Z"'],
};

/** The arguments of a field; variants have different ones. */
function toArguments(field: { args: readonly GraphQLArgument[] }, variant: 0 | 1): string {
  const isList = field.args.some(({ name }) => name === 'first');
  const values = field.args.flatMap(({ name, type }): string[] => {
    const named = getNamedType(type);
    if (name === 'last' && isList) return [];
    if (isEnumType(named)) return [`${name}: ${named.getValues().at(-variant)?.name}`];
    const sample = SAMPLES[named.name];
    return sample ? [`${name}: ${sample[variant]}`] : [];
  });
  return values.length === 0 ? '' : `(${values.join(', ')})`;
}

const toFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter(
    (field) => !field.args.some(isRequiredArgument) && field.name !== 'availability',
  );

const isLeaf = ({ type }: GraphQLField<unknown, unknown>) => isLeafType(getNamedType(type));

/** Selects a field with what is below it: leaves, objects that have no id, and the ids of others. */
function select(field: GraphQLField<unknown, unknown>, variant: 0 | 1, depth: number): string {
  const type = getNamedType(field.type);
  const start = `${field.name}${toArguments(field, variant)}`;
  if (!isObjectType(type)) return isLeaf(field) ? start : '';
  const { nodes, id } = type.getFields();
  if (nodes) {
    const below = depth === 0 ? 'id' : selectAll(getNamedType(nodes.type), variant, depth - 1);
    return `${start} { nodes { ${below} } pageInfo { endCursor } }`;
  }
  if (depth === 0 && id) return `${start} { id }`;
  const below = selectAll(type, variant, Math.max(depth - 1, 0));
  return `${start} { ${below} }`;
}

function selectAll(type: unknown, variant: 0 | 1, depth: number): string {
  if (!isObjectType(type)) throw new Error('no object type');
  const selected = toFields(type)
    .filter((field) => depth > 0 || isLeaf(field) || !isList(field))
    .map((field) => select(field, variant, depth));
  return selected.join(' ');
}

const isList = ({ type }: GraphQLField<unknown, unknown>) => {
  const named = getNamedType(type);
  return isObjectType(named) && named.getFields().nodes !== undefined;
};

const FIELDS_PER_QUERY = 2;

/** Queries of a list that select all its fields, and what is one step away, with two pages and different arguments. */
function listQueries(list: string, typeName: string): string[] {
  const fields = toFields(schema.getType(typeName) as GraphQLObjectType);
  const leaves = fields.filter(isLeaf).map((field) => select(field, 0, 0));
  const others = fields.filter((field) => !isLeaf(field));
  const filter = list === 'events' ? ', filter: { from: "2026-01-01T00:00:00Z" }' : '';
  const queries: string[] = [];
  for (const variant of [0, 1] as const) {
    for (let start = 0; start < others.length; start += FIELDS_PER_QUERY) {
      const selected = others
        .slice(start, start + FIELDS_PER_QUERY)
        .map((field) => select(field, variant, 1));
      const page = `first: ${4 + variant}${filter}`;
      queries.push(`{ ${list}(${page}) { nodes { ${[...leaves, ...selected].join(' ')} } } }`);
    }
  }
  return queries.length > 0
    ? queries
    : [4, 5].map((size) => `{ ${list}(first: ${size}) { nodes { ${leaves.join(' ')} } } }`);
}

describe('a normalizing cache returns each response unchanged', () => {
  it.each(takeSample(LISTS, 6))('of the list $field', async ({ field, node }) => {
    const queries = listQueries(field, node);
    expect(queries.length).toBeGreaterThan(1);
    await expectUnchanged([...queries, ...queries.toReversed()]);
  });

  it('of all lists together', async () => {
    const cache = new InMemoryCache();
    const queries = LISTS.flatMap(({ field, node }) => listQueries(field, node).slice(0, 2));
    await expectUnchanged(queries, cache);
    const keys = Object.keys(cache.extract());
    for (const { node } of LISTS)
      expect(keys).toContainEqual(expect.stringMatching(new RegExp(`^${node}:[0-9a-f-]{36}$`)));
  });

  it('of fields with arguments of every kind', async () => {
    const days = ['2026-03-24', '2026-03-29'];
    const queries = days.flatMap((day) => [
      `{ dayPassTypes(includeInactive: true) { id name stock(date: "${day}") { date left } } }`,
      `{ resources(first: 1) { nodes { id availability(from: "${day}T00:00:00Z", to: "${day}T23:00:00Z") {
          resource { id name } free { startsAt } slots { startsAt price { amount } } } } } }`,
      `{ availability(from: "${day}T00:00:00Z", to: "${day}T23:00:00Z") { resource { id name } free { startsAt } } }`,
      '{ viewer { kind name } kiosks { name } occupancy { present location { id name } } }',
    ]);
    await expectUnchanged(queries);
  });

  it('of node and nodes, also in fragments on the interface', async () => {
    const { data } = await app.graphql(
      '{ bookings(first: 2) { nodes { id } } members(first: 2) { nodes { id } } }',
      {},
      owner,
    );
    const ids = [...data.bookings.nodes, ...data.members.nodes].map(({ id }) => id);
    const fields = '... on Booking { startsAt member { name } } ... on Member { name status }';
    const queries = [
      `{ nodes(ids: ${JSON.stringify(ids)}) { id ${fields} } }`,
      `{ node(id: "${ids[0]}") { id ${fields} } }`,
      '{ bookings(first: 3) { nodes { ... on Node { id } startsAt status } } }',
      '{ members(first: 3) { nodes { id name email } } }',
    ];
    await expectUnchanged(queries, new InMemoryCache({ possibleTypes }));
  });
});

it('notices an id that stands for two things', () => {
  const cache = new InMemoryCache();
  const read = (date: string) => parse(`{ dayPassTypes(date: "${date}") { __typename id left } }`);
  const toData = (left: number) => ({
    dayPassTypes: [{ __typename: 'DayPassType', id: '1', left }],
  });
  cache.writeQuery({ query: read('2026-03-24'), data: toData(3) });
  cache.writeQuery({ query: read('2026-03-29'), data: toData(5) });
  expect(cache.readQuery({ query: read('2026-03-24') })).toEqual(toData(5));
});
