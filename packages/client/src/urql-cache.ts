import type { CacheExchangeOpts, KeyingConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { connectionFields, possibleTypes, typesWithoutId } from './generated/cache-schema.ts';

const keys: KeyingConfig = Object.fromEntries(typesWithoutId.map((type) => [type, () => null]));

const resolvers = Object.fromEntries(
  Object.entries(connectionFields).map(([type, fields]) => [
    type,
    Object.fromEntries(Object.keys(fields).map((field) => [field, relayPagination()])),
  ]),
);

/** The options of urql's normalized cache: `cacheExchange(urqlCacheConfig)`. A query with a later cursor appends a page. */
export const urqlCacheConfig: Pick<CacheExchangeOpts, 'keys' | 'resolvers' | 'possibleTypes'> = {
  keys,
  resolvers,
  possibleTypes,
};
