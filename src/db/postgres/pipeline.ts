import pg from 'pg';
import { isDatabaseOutage } from '../outages.ts';
import { SET_TIME_ZONE_UTC, type Sql } from '../prepared-statement.ts';

/** A connection that is silent for so long is given up: the peer may be gone without a word. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Connections on which statements are sent without waiting for the answers to earlier ones: what the hot
 * reads use. Never for transactions, since everybody's statements share them. One that breaks is made anew
 * by the next statement.
 */
export function createPipeline(options: pg.ClientConfig, size: number) {
  const clients: (Promise<pg.Client> | undefined)[] = new Array(size).fill(undefined);
  let turn = 0;

  const connect = (slot: number): Promise<pg.Client> => {
    const client = new pg.Client({
      query_timeout: ANSWER_TIMEOUT_MS,
      ...options,
      pipeline: true,
    });
    // These statements are written so that one plan serves all their values: planning each anew costs more than running it.
    const opening = client
      .connect()
      .then(() => client.query(`SET plan_cache_mode = force_generic_plan; ${SET_TIME_ZONE_UTC}`))
      .then(() => client);
    const forget = () => {
      if (clients[slot] === opening) clients[slot] = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    opening.catch(forget);
    clients[slot] = opening;
    return opening;
  };

  const sql: Sql = async (statement, values) => {
    turn = (turn + 1) % size;
    const slot = turn;
    const opening = clients[slot] ?? connect(slot);
    const client = await opening;
    try {
      return (await client.query({ ...statement, values })).rows;
    } catch (error) {
      // What PostgreSQL itself refuses leaves the connection whole; whatever else went wrong does not. One that leads
      // to a server that stops or is read-only now is given up too: a new one may find the next primary.
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
