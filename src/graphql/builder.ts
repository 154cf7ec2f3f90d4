import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Access } from '../auth/viewer.ts';
import { demand } from '../auth/viewer.ts';
import type { Day } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { Instant } from '../values.ts';
import type { GraphqlContext } from './context.ts';
import './idempotency.ts';

const MOST_DEEP = 10;
const MOST_COMPLEX = 5_000;

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultAuthStrategy: 'all';
  AuthScopes: { access: Access };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Instant | Date };
    Date: { Input: Day; Output: Day };
  };
}>({
  plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin, 'idempotency'],
  defaultFieldNullability: false,
  scopeAuth: {
    defaultStrategy: 'all',
    authorizeOnSubscribe: true,
    // Refusals are thrown with their reason; an outage stays an outage.
    authScopes: ({ ctx }) => ({
      access: (access) => {
        demand(ctx.viewer, access);
        return true;
      },
    }),
    unauthorizedError: () =>
      new DomainError('FORBIDDEN', 'You may not do this.', { reason: 'NOT_ALLOWED' }),
  },
  relay: { cursorType: 'String', nodeQueryOptions: false, nodesQueryOptions: false },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 1,
    limit: { complexity: MOST_COMPLEX, depth: MOST_DEEP, breadth: 200 },
    complexityError: (kind) => {
      throw new DomainError(
        'BAD_REQUEST',
        `This query asks for too much at once (${kind}). Ask for fewer fields or smaller pages.`,
        {
          reason: 'QUERY_TOO_COMPLEX',
        },
      );
    },
  },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});
