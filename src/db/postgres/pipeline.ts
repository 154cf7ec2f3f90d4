import pg from 'pg';
import { isDatabaseOutage } from '../outages.ts';
import {
  MAX_COMPOSED_STATEMENTS,
  SET_TIME_ZONE_UTC,
  type Sql,
  type Statement,
} from '../prepared-statement.ts';

/** A connection without a response for this long is closed, since the server can disappear without closing it. */
export const RESPONSE_TIMEOUT_MS = 10_000;

/** Connections never release what they have prepared, so one that has prepared more than this is replaced. */
const MAX_PREPARED_STATEMENTS = 2 * MAX_COMPOSED_STATEMENTS;

// One plan serves all values of these statements, and planning each time would cost more than running them.
const USE_GENERIC_PLANS = `SET plan_cache_mode = force_generic_plan; SET jit = off; ${SET_TIME_ZONE_UTC}`;

// `Statement.needsCustomPlan` says why. Compiling a statement takes longer than reading a page.
const USE_CUSTOM_PLANS = `SET plan_cache_mode = force_custom_plan; SET jit = off; ${SET_TIME_ZONE_UTC}`;

/** The SQLSTATE of a deadlock. */
const DEADLOCK = '40P01';

/** Sends the statements of one turn of the event loop in one system call, which costs as much as the rest of sending them. */
function writeTogether({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface PipelinedClient {
  opening: Promise<pg.Client>;
  /** The statements that it has prepared, by name. */
  names: Set<string>;
  inFlight: number;
}

/**
 * Creates connections that send statements without waiting for earlier responses, for hot reads. All requests share them,
 * so they cannot run transactions. The next statement replaces a broken connection.
 */
export function createPipeline(
  options: pg.ClientConfig,
  size: number,
  { needsCustomPlan = false } = {},
) {
  const clients: (PipelinedClient | undefined)[] = new Array(size).fill(undefined);
  let nextSlot = 0;

  const connect = (slot: number): PipelinedClient => {
    const client = new pg.Client({
      query_timeout: RESPONSE_TIMEOUT_MS,
      ...options,
      pipeline: true,
    });
    const opening = client
      .connect()
      .then(() => client.query(needsCustomPlan ? USE_CUSTOM_PLANS : USE_GENERIC_PLANS))
      .then(() => client);
    const pipelined = { opening, names: new Set<string>(), inFlight: 0 };
    const discard = () => detach(slot, pipelined);
    client.on('error', discard);
    client.on('end', discard);
    opening.catch(discard);
    clients[slot] = pipelined;
    return pipelined;
  };

  /** The next statement of the slot opens a new connection. */
  const detach = (slot: number, client: PipelinedClient) => {
    if (clients[slot] === client) clients[slot] = undefined;
  };

  const closeWhenIdle = (slot: number, client: PipelinedClient) => {
    if (client.names.size <= MAX_PREPARED_STATEMENTS) return;
    detach(slot, client);
    if (client.inFlight === 0) client.opening.then((opened) => opened.end()).catch(() => {});
  };

  const send: Sql = async (statement, values) => {
    nextSlot = (nextSlot + 1) % size;
    const slot = nextSlot;
    const pipelined = clients[slot] ?? connect(slot);
    pipelined.inFlight += 1;
    if (statement.name !== undefined) pipelined.names.add(statement.name);
    try {
      const client = await pipelined.opening;
      writeTogether(client);
      return (await client.query({ ...statement, values })).rows;
    } catch (error) {
      // An error from PostgreSQL leaves the connection intact; other errors do not. A connection to a server that stops or
      // is read-only is closed too: a new one can reach the next primary.
      if (!(error instanceof pg.DatabaseError) || isDatabaseOutage(error)) {
        detach(slot, pipelined);
        pipelined.opening.then((client) => client.end()).catch(() => {});
      }
      throw error;
    } finally {
      pipelined.inFlight -= 1;
      closeWhenIdle(slot, pipelined);
    }
  };

  // A statement is a transaction of its own here, so one that PostgreSQL ended for a deadlock changed nothing. Migrations lock
  // several tables, and can make even reads part of one.
  const sql: Sql = <Row>(statement: Statement, values: unknown[]) =>
    send<Row>(statement, values).catch((error) => {
      if ((error as { code?: unknown } | undefined)?.code !== DEADLOCK) throw error;
      return send<Row>(statement, values);
    });

  const close = async () => {
    await Promise.allSettled(clients.map(async (client) => (await client?.opening)?.end()));
  };

  return { sql, close };
}
