import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isObjectType,
} from 'graphql';
import type { RowExtension } from '../../../src/graphql/list-fields.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { TestApp } from '../harness/app.ts';

// Generates queries and subscriptions over all fields that PostgreSQL can answer alone.

const rootFields = Object.values(schema.getQueryType()?.getFields() ?? {});
const subscriptionFields = Object.values(schema.getSubscriptionType()?.getFields() ?? {});

const hasProjection = (type: GraphQLNamedType) => type.extensions.projection !== undefined;

/** PostgreSQL computes these objects as a whole, so that resolvers cut them down to the selection. */
const WHOLE_OBJECTS = ['OpeningTime'];

const isPlannable = ({ extensions, args, type }: GraphQLField<unknown, unknown>) => {
  if (WHOLE_OBJECTS.includes(getNamedType(type).name)) return false;
  if (extensions.row !== undefined) return hasProjection(getNamedType(type));
  if (extensions.list !== undefined) return hasProjection(getNodeType(type));
  const isRead = extensions.pothosExposedField !== undefined || extensions.reads !== undefined;
  return args.length === 0 && isRead;
};

/** The type of the rows of a list. */
function getNodeType(type: GraphQLOutputType): GraphQLObjectType {
  const named = getNamedType(type) as GraphQLObjectType;
  const { nodes } = named.getFields();
  return nodes ? (getNamedType(nodes.type) as GraphQLObjectType) : named;
}

/** Returns some ids of each table that a root field finds rows of. */
export async function readIds(app: TestApp): Promise<Map<string, string[]>> {
  const tables = rootFields.flatMap(
    ({ extensions }) => (extensions.row as RowExtension | undefined)?.table ?? [],
  );
  const ids = new Map<string, string[]>();
  for (const table of new Set(tables)) {
    if (typeof table !== 'string') continue;
    const rows = await app.ctx.db.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM ${table} ORDER BY id LIMIT 5`,
    );
    ids.set(
      table,
      rows.map(({ id }) => id),
    );
  }
  return ids;
}

const EXAMPLES: Record<string, string[]> = {
  Boolean: ['true', 'false'],
  Date: ['"2026-03-01"', '"2026-03-17"', '"2026-03-19"', '"2027-01-01"'],
  Int: ['1', '3'],
};

/** Fields that only resolvers can answer. */
const RESOLVED: Record<string, string> = {
  'Closure.bookingsAffected': 'bookingsAffected',
  'Membership.usage': 'usage(month: "2026-03-01") { resourceType usedMinutes }',
  'Query.kiosks': 'kiosks { location { name } }',
  'Query.viewer': 'viewer { name }',
  'Resource.availability': 'availability(from: "2026-03-18T00:00:00Z") { free { startsAt } }',
  'Ticket.qr': 'qr',
};

const findResolved = (type: string): string[] =>
  Object.entries(RESOLVED).flatMap(([key, text]) => (key.startsWith(`${type}.`) ? [text] : []));

const PAGES = ['first: 1', 'first: 3', 'last: 2', 'first: 7', ''];

/** Returns an arbitrary of selections of the root field of a subscription. */
export const createSubscriptionArbitrary = (ids: Map<string, string[]>, name: string) =>
  createQueryArbitrary(
    ids,
    PAGES,
    false,
    subscriptionFields.filter((field) => field.name === name),
  );

/**
 * Returns an arbitrary of selections of root fields. `pages` are the arguments of lists. With `isResolvedInPart`, some fields are
 * among them that only resolvers can answer.
 */
export function createQueryArbitrary(
  ids: Map<string, string[]>,
  pages: string[] = PAGES,
  isResolvedInPart = false,
  fields = rootFields,
): fc.Arbitrary<string> {
  /** The selections of a type, at most this deep. Fragments, aliases and directives change no value. */
  function selectionOf(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
    const fields = Object.values(type.getFields())
      .filter(isPlannable)
      .filter((field) => depth > 0 || !isObjectType(getNamedType(field.type)));
    return fc
      .tuple(
        fc.subarray(fields, { minLength: 1, maxLength: Math.min(6, fields.length) }),
        fc.nat(5),
        fc.boolean(),
      )
      .chain(([selected, n, isFragment]) =>
        fc.tuple(...selected.map((field) => fieldOf(field, depth))).map((items) => {
          const resolved = isResolvedInPart && n % 2 === 0 ? findResolved(type.name) : [];
          const text = [...items, ...resolved, ...(n === 0 ? ['__typename'] : [])].join(' ');
          return isFragment ? `{ ... on ${type.name} { ${text} } }` : `{ ${text} }`;
        }),
      );
  }

  function fieldOf(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
    return fc.nat(7).chain((n) => {
      aliases += 1;
      return callOf(field, n === 0 ? `f${aliases}: ${field.name}` : field.name, depth);
    });
  }

  function callOf(
    field: GraphQLField<unknown, unknown>,
    name: string,
    depth: number,
  ): fc.Arbitrary<string> {
    const type = getNamedType(field.type);
    const include = fc.constantFrom('', '', '', ' @include(if: true)', ' @skip(if: true)');
    if (!isObjectType(type)) return include.map((directive) => `${name}${directive}`);
    if (type.name.endsWith('Connection')) return connectionOf(field, type, name, depth - 1);
    return fc
      .tuple(include, argumentsOf(field), selectionOf(type, depth - 1))
      .map(([directive, args, below]) => `${name}${args}${directive} ${below}`);
  }

  /** The arguments of a field that is no connection. */
  function argumentsOf({ args, extensions }: GraphQLField<unknown, unknown>): fc.Arbitrary<string> {
    const row = extensions.row as RowExtension | undefined;
    const values = args.map(({ name, type }): fc.Arbitrary<string> => {
      if (['id', 'slug'].includes(name))
        return fc
          .constantFrom(...(ids.get(String(row?.table)) ?? []))
          .map((id) => `${name}: "${id}"`);
      if (name === 'locationId')
        return fc
          .constantFrom('', ...(ids.get('locations') ?? []))
          .map((id) => (id === '' ? '' : `${name}: "${id}"`));
      const examples = EXAMPLES[getNamedType(type).name];
      if (examples === undefined) return fc.constant('');
      return fc.constantFrom('', ...examples.map((example) => `${name}: ${example}`));
    });
    return fc
      .tuple(...values)
      .map((given) => given.filter((value) => value !== ''))
      .map((given) => (given.length > 0 ? `(${given.join(', ')})` : ''));
  }

  function connectionOf(
    field: GraphQLField<unknown, unknown>,
    type: GraphQLObjectType,
    name: string,
    depth: number,
  ): fc.Arbitrary<string> {
    const node = getNamedType(type.getFields().nodes?.type) as GraphQLObjectType;
    const orderBy = field.args.find((arg) => arg.name === 'orderBy');
    const orders = orderBy && getNamedType(orderBy.type);
    const order = isEnumType(orders)
      ? fc.option(fc.constantFrom(...orders.getValues().map(({ name }) => name)))
      : fc.constant(null);
    return fc
      .tuple(
        fc.constantFrom(...pages),
        order,
        selectionOf(node, Math.max(depth, 0)),
        fc.subarray([
          'totalCount { value isExact text }',
          'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
          '__typename',
        ]),
        fc.boolean(),
      )
      .map(([page, order, below, more, hasEdges]) => {
        const args = [page, order ? `orderBy: ${order}` : ''].filter(Boolean).join(', ');
        const rows = hasEdges ? `edges { cursor node ${below} }` : `nodes ${below}`;
        return `${name}${args && `(${args})`} { ${[rows, ...more].join(' ')} }`;
      });
  }

  let aliases = 0;
  const root = fc.constantFrom(...fields.filter(isPlannable)).chain((field) => fieldOf(field, 3));
  if (!isResolvedInPart) return root;
  return fc
    .tuple(fc.subarray(['__typename', ...findResolved('Query')]), root)
    .map(([resolved, planned]) => [...resolved, planned].join(' '));
}
