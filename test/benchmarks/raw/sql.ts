import pg from 'pg';

export interface Answer {
  may?: boolean;
  json: string;
  next?: string | null;
  version?: string;
}

/** A prepared statement that answers with one row, or with none. */
export type Ask = (name: string, text: string, values: unknown[]) => Promise<Answer | undefined>;

const PIPELINES = 2;

/** The two ways to send prepared statements that are worth trying. */
export async function connect(kind: string, connectionString: string): Promise<Ask> {
  // The plan that fits every value is the right one for each of these statements, so none is planned twice.
  const options = { connectionString, options: '-c plan_cache_mode=force_generic_plan' };
  if (kind === 'pool') {
    const pool = new pg.Pool({ ...options, max: 10 });
    return async (name, text, values) => (await pool.query({ name, text, values })).rows[0];
  }
  const clients = Array.from(
    { length: PIPELINES },
    () => new pg.Client({ ...options, pipeline: true }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  let turn = 0;
  return async (name, text, values) => {
    turn = (turn + 1) % PIPELINES;
    return (await (clients[turn] as pg.Client).query({ name, text, values })).rows[0];
  };
}
