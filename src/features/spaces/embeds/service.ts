import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';

/** More would make a header that browsers or proxies reject. */
const MAX_LISTED_ORIGINS = 100;

const LIST_ORIGINS = prepareStatement(`
  SELECT DISTINCT origin FROM locations, unnest(embed_origins) origin
  ORDER BY origin LIMIT ${MAX_LISTED_ORIGINS}`);

const FIND_ORIGIN = prepareStatement(
  'SELECT FROM locations WHERE $1::text = ANY (embed_origins) LIMIT 1',
);

/** Lists the websites that can show widgets, of all locations: 100 at most. */
export async function listEmbedOrigins({ pipelinedSql }: Context): Promise<string[]> {
  const rows = await pipelinedSql<{ origin: string }>(LIST_ORIGINS, []);
  return rows.map(({ origin }) => origin);
}

/** Whether a website can show widgets. */
export async function isEmbedOrigin({ pipelinedSql }: Context, origin: string): Promise<boolean> {
  const rows = await pipelinedSql<object>(FIND_ORIGIN, [origin]);
  return rows.length > 0;
}
