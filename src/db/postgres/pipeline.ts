import pg from 'pg';
import { isDatabaseOutage } from '../outages.ts';
import { SET_TIME_ZONE_UTC, type Sql } from '../prepared-statement.ts';

/** A connection without a response for this long is closed: the peer can be gone without notice. */
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Creates connections that send statements without waiting for earlier responses, for hot reads. All requests share them,
 * so they cannot run transactions. The next statement replaces a broken connection.
 */
export function createPipeline(options: pg.ClientConfig, size: number) {
  const clients: (Promise<pg.Client> | undefined)[] = new Array(size).fill(undefined);
  let nextSlot = 0;

  const connect = (slot: number): Promise<pg.Client> => {
    const client = new pg.Client({
      query_timeout: RESPONSE_TIMEOUT_MS,
      ...options,
      pipeline: true,
    });
    // One plan serves all values of these statements, and planning each time would cost more than running them.
    const opening = client
      .connect()
      .then(() => client.query(`SET plan_cache_mode = force_generic_plan; ${SET_TIME_ZONE_UTC}`))
      .then(() => client);
    const discard = () => {
      if (clients[slot] === opening) clients[slot] = undefined;
    };
    client.on('error', discard);
    client.on('end', discard);
    opening.catch(discard);
    clients[slot] = opening;
    return opening;
  };

  const sql: Sql = async (statement, values) => {
    nextSlot = (nextSlot + 1) % size;
    const slot = nextSlot;
    const opening = clients[slot] ?? connect(slot);
    const client = await opening;
    try {
      return (await client.query({ ...statement, values })).rows;
    } catch (error) {
      // An error from PostgreSQL leaves the connection intact; other errors do not. A connection to a server that stops or
      // is read-only is closed too: a new one can reach the next primary.
      if (!(error instanceof pg.DatabaseError) || isDatabaseOutage(error)) {
        if (clients[slot] === opening) clients[slot] = undefined;
        client.end().catch(() => {});
      }
      throw error;
    }
  };

  const close = async () => {
    await Promise.allSettled(clients.map(async (client) => (await client)?.end()));
  };

  return { sql, close };
}
