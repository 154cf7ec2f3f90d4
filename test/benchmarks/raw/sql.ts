import pg from 'pg';

export interface StatementRow {
  may?: boolean;
  json: string;
  id?: string;
  /** Seconds since 1970. */
  at?: number;
  version?: string;
}

/** Runs a prepared statement. */
export type RunStatement = (
  name: string,
  text: string,
  values: unknown[],
) => Promise<StatementRow[]>;

const PIPELINES = 2;

/** Connects with a pool or with pipelined connections. */
export async function connect(kind: string, connectionString: string): Promise<RunStatement> {
  // A generic plan is right for each of these statements, so none is planned twice.
  const options = { connectionString, options: '-c plan_cache_mode=force_generic_plan' };
  if (kind === 'pool') {
    const pool = new pg.Pool({ ...options, max: 10 });
    return async (name, text, values) => (await pool.query({ name, text, values })).rows;
  }
  const clients = Array.from(
    { length: PIPELINES },
    () => new pg.Client({ ...options, pipeline: true }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  let next = 0;
  return async (name, text, values) => {
    next = (next + 1) % PIPELINES;
    return (await (clients[next] as pg.Client).query({ name, text, values })).rows;
  };
}
