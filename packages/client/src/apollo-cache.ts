import type { InMemoryCacheConfig, TypePolicies, TypePolicy } from '@apollo/client/cache';
import { relayStylePagination } from '@apollo/client/utilities';
import { connectionFields, possibleTypes, typesWithoutId } from './generated/cache-schema.ts';

const toPagination = (fields: Record<string, string[]>): NonNullable<TypePolicy['fields']> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, args]) => [field, relayStylePagination(args)]),
  );

const typePolicies: TypePolicies = {};
// Without an id, two queries can have read different fields of the same value.
for (const type of typesWithoutId) typePolicies[type] = { merge: true };
for (const [type, fields] of Object.entries(connectionFields))
  typePolicies[type] = { ...typePolicies[type], fields: toPagination(fields) };

/**
 * The options of Apollo Client's cache: `new InMemoryCache(apolloCacheConfig)`. `fetchMore` with the cursor of a list appends a page.
 * Select `edges` of lists, because Apollo Client does not merge `nodes`.
 */
export const apolloCacheConfig: InMemoryCacheConfig = { possibleTypes, typePolicies };
