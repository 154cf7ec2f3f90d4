import { readdirSync, readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { jest } from '@jest/globals';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { isObjectType, Kind, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { apolloCacheConfig } from '../../packages/client/src/apollo-cache.ts';
import { urqlCacheConfig } from '../../packages/client/src/urql-cache.ts';
import { renderCacheSchema } from '../../prisma/scripts/cache-schema.ts';
import { schema } from '../../src/graphql/schema.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// The exported configurations of caches fit the schema: pages are appended, and no type lacks a key.

let app: TestApp;
let headers: Record<string, string>;
const warnings: unknown[][] = [];

beforeAll(async () => {
  app = await startApp();
  headers = { authorization: `Bearer ${await app.token('*')}` };
  for (const method of ['warn', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((...args) => void warnings.push(args));
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app.stop();
});

const EXAMPLES = new URL('../../src/web/graphiql/examples/', import.meta.url);
const queries = [
  ...readdirSync(EXAMPLES).map((file) => readFileSync(new URL(file, EXAMPLES), 'utf8')),
  // Different fields of values without an id.
  '{ bookings(first: 3) { edges { node { id price { amount } } } } }',
  '{ bookings(first: 3) { edges { node { id price { currency } allowedActions { cancel } } } } }',
  '{ events(first: 3) { edges { node { id ticketTypes { id price { amount currency } } } } totalCount { value } } }',
  '{ nodes(ids: []) { id ... on Booking { title } } }',
]
  .filter((text) => !text.includes('subscription'))
  .map(selectIds);

/** Selects the id of every object that has one, as clients with a normalized cache do. */
function selectIds(text: string): string {
  const typeInfo = new TypeInfo(schema);
  const idField = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'id' } } as const;
  const document = visit(
    parse(text),
    visitWithTypeInfo(typeInfo, {
      enter: (node) => {
        const type = typeInfo.getParentType();
        if (
          node.kind !== Kind.SELECTION_SET ||
          !isObjectType(type) ||
          type.getFields().id === undefined
        )
          return undefined;
        return { ...node, selections: [idField, ...node.selections] };
      },
    }),
  );
  return print(document);
}

const PAGE = `query ($after: String, $orderBy: MemberOrder) {
  members(first: 2, after: $after, orderBy: $orderBy) {
    edges { cursor node { id name bookings(first: 1) { edges { cursor node { id price { amount } } } } } }
    pageInfo { hasNextPage endCursor } } }`;

interface Page {
  members: { edges: { node: { id: string } }[]; pageInfo: { endCursor: string } };
}

const listIds = ({ members }: Page) => members.edges.map(({ node }) => node.id);

/** The first four members in each order. */
async function readExpected(orderBy: string): Promise<string[]> {
  const members = await app.graphql(
    `{ members(first: 4, orderBy: ${orderBy}) { edges { node { id } } } }`,
    {},
    { token: headers.authorization?.slice('Bearer '.length) },
  );
  return listIds(members.data);
}

it('are generated from the schema; else run `npm run generate:cache`', () => {
  const file = new URL('../../packages/client/src/generated/cache-schema.ts', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(renderCacheSchema());
});

it("Apollo Client's cache appends pages, one list for each order, without a warning", async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${app.url}/graphql`, headers }),
    cache: new InMemoryCache(apolloCacheConfig),
  });
  for (const text of queries) await client.query({ query: parse(text) });
  const query = parse(PAGE);
  for (const orderBy of ['NAME_ASC', 'NAME_DESC']) {
    const list = client.watchQuery<Page>({ query, variables: { orderBy } });
    const subscription = list.subscribe(() => {});
    const { data } = await client.query<Page>({ query, variables: { orderBy } });
    await list.fetchMore({ variables: { after: data?.members.pageInfo.endCursor } });
    subscription.unsubscribe();
    const cached = client.readQuery<Page>({ query, variables: { orderBy } });
    expect(cached && listIds(cached)).toEqual(await readExpected(orderBy));
  }
  client.stop();
  expect(warnings.splice(0)).toEqual([]);
});

it("urql's normalized cache appends pages, one list for each order, without a warning", async () => {
  const client = new Client({
    url: `${app.url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [cacheExchange(urqlCacheConfig), fetchExchange],
  });
  for (const text of queries) expect((await client.query(text, {})).error).toBeUndefined();
  for (const orderBy of ['NAME_ASC', 'NAME_DESC']) {
    const first = await client.query<Page>(PAGE, { orderBy });
    const after = first.data?.members.pageInfo.endCursor;
    const both = await client.query<Page>(PAGE, { orderBy, after });
    expect(both.data && listIds(both.data)).toEqual(await readExpected(orderBy));
  }
  expect(warnings.splice(0)).toEqual([]);
});
