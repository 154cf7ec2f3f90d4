import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import './idempotency-plugin.ts';
import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { type Access, requireAccess } from '../auth/viewer.ts';
import type { Money as Value } from '../core/money.ts';
import { type CalendarDate, isCalendarDate } from '../core/time/calendar-date.ts';
import type { Instant } from '../core/time/instant.ts';
import { DomainError } from '../errors.ts';
import type { GraphqlContext } from './context.ts';

const MAX_QUERY_DEPTH = 10;
const MAX_QUERY_COMPLEXITY = 5_000;

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultAuthStrategy: 'all';
  AuthScopes: { access: Access };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Instant | Date };
    Date: { Input: CalendarDate; Output: CalendarDate };
  };
}>({
  plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin, 'idempotency'],
  defaultFieldNullability: false,
  scopeAuth: {
    defaultStrategy: 'all',
    authorizeOnSubscribe: true,
    // `requireAccess` throws with the reason, and an outage of the database keeps its own error.
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
  relay: { cursorType: 'String', nodeQueryOptions: false, nodesQueryOptions: false },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 1,
    limit: { complexity: MAX_QUERY_COMPLEXITY, depth: MAX_QUERY_DEPTH, breadth: 200 },
    complexityError: (kind) => {
      throw new DomainError(
        'BAD_REQUEST',
        `This query requests too much at once (${kind}). Request fewer fields or smaller pages.`,
        {
          reason: 'QUERY_TOO_COMPLEX',
        },
      );
    },
  },
});

type TypeName = Parameters<typeof builder.configStore.getTypeConfig>[0];

// Names connections after their nodes, such as BookingConnection and BookingEdge. Pothos would name them after the field.
const createConnection = builder.connectionObject.bind(builder) as (
  options: object,
  edgeOptions: object,
) => never;
builder.connectionObject = ((options: { type: TypeName }, edgeOptions: object) => {
  const node = builder.configStore.getTypeConfig(options.type).name;
  return createConnection(
    { ...options, name: `${node}Connection` },
    { ...edgeOptions, name: `${node}Edge` },
  );
}) as unknown as typeof builder.connectionObject;

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

// JavaScript's own parser reads 30 February as 2 March.
const rfc3339 = z.iso.datetime({ offset: true });

builder.scalarType('DateTime', {
  description:
    'RFC 3339 with an offset, such as 2026-01-31T09:00:00Z. Results are in UTC with milliseconds.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: (value) => {
    const { data } = rfc3339.safeParse(value);
    if (data === undefined) {
      throw new GraphQLError('must be an RFC 3339 time such as 2026-01-31T09:00:00Z');
    }
    const date = new Date(data);
    const year = date.getUTCFullYear();
    if (!(year >= 1 && year <= 9999))
      throw new GraphQLError('must be a time of the years 1 to 9999');
    return date;
  },
});

builder.scalarType('Date', {
  description: 'A calendar date, YYYY-MM-DD, such as 2026-01-31',
  serialize: (value) => value,
  parseValue: (value) => {
    if (!isCalendarDate(value)) throw new GraphQLError('must be a real date such as 2026-01-31');
    return value;
  },
});

export const Money = builder.objectRef<Value>('Money');
Money.implement({
  fields: (t) => ({
    amount: t.exposeInt('amount', { description: 'Minor units, such as cents' }),
    currency: t.exposeString('currency', { description: 'ISO 4217' }),
  }),
});

export const MoneyInput = builder.inputType('MoneyInput', {
  fields: (t) => ({
    amount: t.int({ required: true, description: 'Minor units, such as cents' }),
    currency: t.string({ required: true, description: 'ISO 4217' }),
  }),
});
