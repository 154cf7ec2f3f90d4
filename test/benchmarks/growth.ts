import pg from 'pg';
import type { Context } from '../../src/context.ts';
import { listBookingsJson } from '../../src/features/bookings/queries/list-bookings.ts';

// A page must cost the same at every position and table size.

export interface PageCost {
  bookings: number;
  from: 'beginning' | 'now';
  page: number;
  /** Blocks that PostgreSQL touches for it: exact, and the same on every machine. */
  blocks: number;
  medianMs: number;
}

const LIMIT = 50;
const REPEATED = 100;

/** The first page and the `farthest` one, read from the beginning and from the present. */
export async function costsOf(
  { pool, url, token }: { pool: pg.Pool; url: string; token: string },
  count: number,
  farthest: { beginning: number; now: number },
): Promise<PageCost[]> {
  const costs: PageCost[] = [];
  for (const from of ['beginning', 'now'] as const) {
    const since = from === 'now' ? new Date() : undefined;
    const read = (cursor: string | null) => readPage(url, token, since, cursor);
    for (const page of [1, farthest[from]]) {
      const cursor = await walkTo(page, read);
      const [blocks, medianMs] = [
        await blocksOf(pool, await statementOf(since, cursor)),
        await median(() => read(cursor)),
      ];
      costs.push({ bookings: count, from, page, blocks, medianMs });
    }
  }
  return costs;
}

type Read = (cursor: string | null) => Promise<{ ids: string[]; next: string | null }>;

/** The cursor of that page, by way of all before it; throws when one of them shows something twice. */
async function walkTo(page: number, read: Read): Promise<string | null> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let at = 1; at < page; at += 1) {
    const { ids, next } = await read(cursor);
    for (const id of ids) seen.add(id);
    if (seen.size !== at * LIMIT || next === null) {
      throw new Error(`page ${at} brings ${seen.size} bookings in all, not ${at * LIMIT}`);
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
  const answer = await fetch(`${url}/bookings?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { success, data } = await answer.json();
  if (!success) throw new Error(data);
  return {
    ids: data.bookings.map(({ id }: { id: string }) => id),
    next: data.pagination.next_cursor,
  };
}

/** Prepared and run as often as the service would, so that the plan is the one that lasts. */
export async function blocksOf(
  pool: pg.Pool,
  { text, values }: { text: string; values: unknown[] },
): Promise<number> {
  const given = values.map(literal);
  const call = `EXECUTE page${given.length > 0 ? ` (${given.join(', ')})` : ''}`;
  const client = await pool.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE page AS ${text}`);
    for (let time = 1; time <= 6; time += 1) await client.query(call);
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

/** What the service would send. */
async function statementOf(from: Date | undefined, cursor: string | null) {
  const sent: { text: string; values: unknown[] }[] = [];
  const ctx = {
    viewer: { kind: 'system' },
    now: () => new Date(),
    sql: async ({ text }: { text: string }, values: unknown[]) => {
      sent.push({ text, values });
      return [{ json: '[]', next: null }];
    },
  } as unknown as Context;
  await listBookingsJson(ctx, { from }, { limit: LIMIT, cursor: cursor ?? undefined });
  const [statement] = sent;
  if (statement === undefined) throw new Error('the list sent no statement');
  return statement;
}

async function median(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATED; n += 1) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[REPEATED / 2] ?? 0;
}
