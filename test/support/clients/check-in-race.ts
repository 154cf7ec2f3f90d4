import { Agent, request } from 'node:http';
import type { Database } from '../../../src/db/database.ts';

export interface CheckInRequest {
  location_id: string;
  code?: string;
  handle?: string;
  scan_id?: string;
  leaving?: boolean;
}

export interface CheckInTally {
  /** The number of responses with each result. */
  results: Record<string, number>;
  /** Unexpected responses with their number. */
  errors: Map<string, number>;
  /** The IDs of admissions. */
  ids: string[];
  ms: number;
  /** The response times in milliseconds, sorted. */
  waits: number[];
}

/** Sends all check-ins concurrently. With keys, each runs in its own transaction from the start. */
export async function checkInAll(
  urls: string[],
  arrivals: CheckInRequest[],
  {
    connections,
    withKeys = false,
    keyPrefix = 'arrival',
  }: { connections: number; withKeys?: boolean; keyPrefix?: string },
): Promise<CheckInTally> {
  const tally: CheckInTally = { results: {}, errors: new Map(), ids: [], ms: 0, waits: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  try {
    await Promise.all(
      arrivals.map(async (arrival, n) => {
        const sentAt = performance.now();
        const url = urls[n % urls.length] ?? '';
        const { status, data } = await scan(
          agent,
          url,
          arrival,
          withKeys ? `${keyPrefix}-${n}` : undefined,
        );
        tally.waits.push(performance.now() - sentAt);
        const checkIn = typeof data === 'object' ? data.check_in : null;
        if (!checkIn || status !== (checkIn.result === 'admitted' ? 201 : 200)) {
          const error = `${status} ${JSON.stringify(data)}`;
          tally.errors.set(error, (tally.errors.get(error) ?? 0) + 1);
          return;
        }
        tally.results[checkIn.result] = (tally.results[checkIn.result] ?? 0) + 1;
        if (checkIn.id) tally.ids.push(checkIn.id);
      }),
    );
  } finally {
    agent.destroy();
  }
  tally.ms = performance.now() - started;
  tally.waits.sort((a, b) => a - b);
  return tally;
}

type Data = { check_in: { id: string | null; result: string } } | string;

const scan = (agent: Agent, url: string, arrival: CheckInRequest, key: string | undefined) =>
  new Promise<{ status: number; data: Data }>((resolve, reject) => {
    const text = JSON.stringify(arrival);
    const req = request(`${url}/public/check-ins`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(key ? { 'idempotency-key': key } : {}),
      },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: res.statusCode ?? 0, data });
      });
    });
    req.end(text);
  });

/** Reads the counter of a location, and counts its open visits, admissions and attempts. */
export async function countVisits({ pool }: Pick<Database, 'pool'>, locationId: string) {
  const { rows } = await pool.query(
    `SELECT (SELECT present FROM occupancies WHERE location_id = $1::uuid) AS present,
      (SELECT unconfirmed FROM occupancies WHERE location_id = $1::uuid) AS unconfirmed,
      count(*) FILTER (WHERE result = 'admitted' AND checked_out_at IS NULL)::int AS open,
      count(*) FILTER (WHERE result = 'admitted')::int AS admitted, count(*)::int AS attempts
    FROM check_ins WHERE location_id = $1::uuid`,
    [locationId],
  );
  return rows[0] as Record<'present' | 'unconfirmed' | 'open' | 'admitted' | 'attempts', number>;
}
