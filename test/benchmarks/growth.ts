import pg from 'pg';
import { listBookingsJson } from '../../src/features/bookings/service/list-bookings.ts';
import { captureStatement } from './capture-statement.ts';

// A page must cost the same at every position and table size.

export interface PageCost {
  bookings: number;
  from: 'beginning' | 'now';
  page: number;
  /** Blocks that PostgreSQL touches, equal on every machine. */
  blocks: number;
  medianMs: number;
}

const LIMIT = 50;
const REPEATS = 100;

/** Measures the first page and the page number `last`, from the beginning and from now. */
export async function measurePages(
  { pool, url, token }: { pool: pg.Pool; url: string; token: string },
  count: number,
  last: { beginning: number; now: number },
): Promise<PageCost[]> {
  const costs: PageCost[] = [];
  for (const from of ['beginning', 'now'] as const) {
    const since = from === 'now' ? new Date() : undefined;
    const read = (cursor: string | null) => readPage(url, token, since, cursor);
    for (const page of [1, last[from]]) {
      const cursor = await findCursor(page, read);
      const [blocks, medianMs] = [
        await countBlocks(pool, await captureList(since, cursor)),
        await median(() => read(cursor)),
      ];
      costs.push({ bookings: count, from, page, blocks, medianMs });
    }
  }
  return costs;
}

type Read = (cursor: string | null) => Promise<{ ids: string[]; next: string | null }>;

/** Finds the cursor of that page by reading all pages before it. @throws if a booking appears twice. */
async function findCursor(page: number, read: Read): Promise<string | null> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let at = 1; at < page; at += 1) {
    const { ids, next } = await read(cursor);
    for (const id of ids) seen.add(id);
    if (seen.size !== at * LIMIT || next === null) {
      throw new Error(`expected ${at * LIMIT} bookings up to page ${at}, got ${seen.size}`);
    }
    cursor = next;
  }
  return cursor;
}

async function readPage(
  url: string,
  token: string,
  since: Date | undefined,
  cursor: string | null,
): Promise<{ ids: string[]; next: string | null }> {
  const query = new URLSearchParams({ limit: String(LIMIT) });
  if (since) query.set('from', since.toISOString());
  if (cursor) query.set('cursor', cursor);
  const response = await fetch(`${url}/bookings?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { success, data } = await response.json();
  if (!success) throw new Error(data);
  return {
    ids: data.bookings.map(({ id }: { id: string }) => id),
    next: data.pagination.next_cursor,
  };
}

/** Counts the blocks that PostgreSQL touches, with the generic plan that the service uses. */
export async function countBlocks(
  pool: pg.Pool,
  { text, values }: { text: string; values: unknown[] },
): Promise<number> {
  const literals = values.map(literal);
  const call = `EXECUTE page${literals.length > 0 ? ` (${literals.join(', ')})` : ''}`;
  const client = await pool.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE page AS ${text}`);
    for (let run = 1; run <= 6; run += 1) await client.query(call);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${call}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await client.query('RESET plan_cache_mode');
    await client.query('DEALLOCATE ALL');
    client.release();
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

const captureList = (from: Date | undefined, cursor: string | null) =>
  captureStatement(
    (ctx) => listBookingsJson(ctx, { from }, { limit: LIMIT, cursor: cursor ?? undefined }),
    [{ json: '[]', next: null }],
  );

async function median(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n += 1) {
    const started = performance.now();
    await request();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[REPEATS / 2] ?? 0;
}
