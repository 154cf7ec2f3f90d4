import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import './description-plugin.ts';
import './idempotency-plugin.ts';
import './rejections-plugin.ts';
import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { type Access, requireAccess } from '../auth/viewer.ts';
import type { Money as Value } from '../core/money.ts';
import { MAX_LIMIT } from '../core/pagination.ts';
import {
  type CalendarDate,
  describeInvalidInstant,
  isCalendarDate,
} from '../core/time/calendar-date.ts';
import type { Instant } from '../core/time/time-zone.ts';
import { moneyInput } from '../core/validation.ts';
import { DomainError } from '../errors.ts';
import type { GraphqlContext } from './context.ts';
import { createInputFunctions } from './zod-input.ts';

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultAuthStrategy: 'all';
  AuthScopes: { access: Access };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Instant | Date };
    Date: { Input: CalendarDate; Output: CalendarDate };
    JSON: { Input: never; Output: unknown };
  };
}>({
  // The first plugin calls the resolvers of the next.
  plugins: ['rejections', ScopeAuthPlugin, RelayPlugin, 'descriptions', 'zodInput', 'idempotency'],
  defaultFieldNullability: false,
  scopeAuth: {
    defaultStrategy: 'all',
    authorizeOnSubscribe: true,
    // `requireAccess` throws an error with the reason, so `unauthorizedError` is only a fallback.
    authScopes: ({ ctx }) => ({
      access: (access) => {
        requireAccess(ctx.viewer, access);
        return true;
      },
    }),
    unauthorizedError: () =>
      new DomainError('FORBIDDEN', 'You do not have permission to do this.', {
        reason: 'NOT_ALLOWED',
      }),
  },
  relay: {
    cursorType: 'String',
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: { description: 'The items of this page, without their cursors' },
    afterArgOptions: {
      description: 'Starts the page after this cursor, which comes from an earlier page',
    },
    lastArgOptions: {
      description: `The size of a page at the end of the list, or before the cursor before: from 1 to ${MAX_LIMIT}`,
    },
    beforeArgOptions: { description: 'Ends the page before this cursor; use it with last' },
    cursorFieldOptions: { description: 'The position of this item, for the argument after' },
    nodeFieldOptions: { description: 'The item' },
    edgesFieldOptions: { description: 'The items of this page, with their cursors' },
    pageInfoFieldOptions: { description: 'Whether there are more pages, and where they start' },
    pageInfoTypeOptions: { description: 'The position of a page in a list' },
    hasNextPageFieldOptions: { description: 'Whether there are items after this page' },
    hasPreviousPageFieldOptions: { description: 'Whether the page starts after a cursor' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null if there is none' },
    endCursorFieldOptions: {
      description: 'The cursor of the last item, for the argument after; null if there is none',
    },
  },
});

type TypeName = Parameters<typeof builder.configStore.getTypeConfig>[0];

// Names connections after their nodes, such as BookingConnection and BookingEdge, and shares them among fields. Pothos would
// create one for each field.
const edges = new Map<string, EdgeRef>();

interface Edge {
  node: unknown;
  cursor: string;
}

type EdgeRef = ReturnType<typeof builder.objectRef<Edge>>;

/** Returns the edge of the connections to a type. */
export function getEdgeType(type: unknown): EdgeRef {
  const node = builder.configStore.getTypeConfig(type as TypeName).name;
  const edge =
    edges.get(node) ??
    (builder.edgeObject({
      type: type as never,
      name: `${node}Edge`,
      description: `One ${node} object of a list, and its cursor`,
    }) as unknown as EdgeRef);
  edges.set(node, edge);
  return edge;
}

const connections = new Map<string, never>();
const createConnection = builder.connectionObject.bind(builder) as unknown as (
  options: object,
  edge: EdgeRef,
) => never;
builder.connectionObject = ((options: { type: TypeName }) => {
  const node = builder.configStore.getTypeConfig(options.type).name;
  const connection =
    connections.get(node) ??
    createConnection(
      { ...options, name: `${node}Connection`, description: `A page of a list of ${node} objects` },
      getEdgeType(options.type),
    );
  connections.set(node, connection);
  return connection;
}) as unknown as typeof builder.connectionObject;

builder.queryType({
  description: 'Reads data. The description of each field names the access that it requires.',
});
builder.mutationType({
  description: 'Changes data. Mutations of one request run one after the other.',
});
builder.subscriptionType({ description: 'Sends changes as they happen, as server-sent events' });

// JavaScript's Date parses 30 February as 2 March, so zod checks the date.
const rfc3339 = z.iso.datetime({ offset: true });

builder.scalarType('DateTime', {
  description:
    'RFC 3339 with an offset, such as 2026-01-31T09:00:00Z. Results are in UTC with milliseconds.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: (value) => {
    const { data } = rfc3339.safeParse(typeof value === 'string' ? value.toUpperCase() : value);
    if (data === undefined) {
      throw new GraphQLError(describeInvalidInstant(value));
    }
    const date = new Date(data);
    const year = date.getUTCFullYear();
    if (!(year >= 1 && year <= 9999)) throw new GraphQLError('must be in the years 1 to 9999');
    return date;
  },
});

builder.scalarType('JSON', {
  description: 'A JSON value. Only results have it.',
  specifiedByURL: 'https://ecma-international.org/publications-and-standards/standards/ecma-404/',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('cannot be an input');
  },
});

builder.scalarType('Date', {
  description: 'A calendar date, YYYY-MM-DD, such as 2026-01-31',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: (value) => value,
  parseValue: (value) => {
    if (!isCalendarDate(value)) throw new GraphQLError('must be a real date such as 2026-01-31');
    return value;
  },
});

export const Money = builder.objectRef<Value>('Money');
Money.implement({
  description: 'An amount of money in one currency',
  fields: (t) => ({
    amount: t.exposeInt('amount', { description: 'Minor units, such as cents' }),
    currency: t.exposeString('currency', { description: 'ISO 4217' }),
  }),
});

/** Prices fit into an Int, which a sum of them can exceed: that of a year of bookings in rupiahs does. */
export const MoneySum = builder.objectRef<Value>('MoneySum');
MoneySum.implement({
  description: 'A sum of amounts of money in one currency',
  fields: (t) => ({
    amount: t.exposeFloat('amount', {
      description: 'Minor units, such as cents: a whole number, which can be above 2147483647',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217' }),
  }),
});

export const { createInputType, getInputType, createArgs, withArgs, findTypeName } =
  createInputFunctions(builder);

createInputType('MoneyInput', moneyInput);
