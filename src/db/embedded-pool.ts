import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

/**
 * A pool of one: the embedded database has a single connection, and whoever holds the client has all of it,
 * so a transaction can never be interleaved with somebody else's statement.
 */
export function poolOver(pglite: PGlite): pg.Pool {
  class EmbeddedClient extends pg.Client {
    constructor() {
      const config = createPgConfig(pglite);
      // Its parse() takes any `types` for an array of type numbers; node-postgres passes a parser object.
      const parse = config.connection.parse.bind(config.connection);
      config.connection.parse = (query: { types?: unknown }) =>
        parse({ ...query, types: Array.isArray(query.types) ? query.types : [] });
      super(config as pg.ClientConfig);
    }
  }
  return new pg.Pool({
    Client: EmbeddedClient,
    max: 1,
    idleTimeoutMillis: 0,
    // The pool replaces a client whose statement failed, but the session below stays: what the old one
    // has begun or prepared there would be in the new one's way.
    onConnect: async (client) => {
      await client.query('ROLLBACK');
      await client.query('DISCARD ALL');
    },
  } as pg.PoolConfig);
}
