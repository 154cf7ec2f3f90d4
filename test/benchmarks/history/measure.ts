import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import type { Context } from '../../../src/context.ts';
import { addPrisma } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres-database.ts';
import { insertSession } from '../../support/harness/app.ts';
import { captureStatements, type SentStatement } from '../../support/harness/query-plans.ts';
import { AT } from './spaces.ts';

/** Something that a service does, whose cost must not depend on the length of the history. */
export interface Operation {
  name: string;
  run: (service: Service) => Promise<unknown>;
}

/** A service whose caller has no limits. */
interface Service {
  ctx: Context;
  sendGraphql(query: string, variables?: object): Promise<void>;
  getRest(path: string): Promise<void>;
}

export interface Measurement {
  ms: number;
  /** How the statements of the lists are planned: once for all values, or for the values of each request. */
  kind: string;
  error?: string;
}

/** The most points that a configuration can grant per minute. */
const NO_BUDGET = '1000000000';

/** Measures operations in a database, with the service on a socket: once, or until the shortest time is known. */
export async function measureOperations(
  url: string,
  operations: readonly Operation[],
  isOnce: boolean,
  onResult: (name: string, measurement: Measurement) => void,
): Promise<Map<string, Measurement>> {
  const database = addPrisma(await openPostgres(url));
  const app = createApp({
    config: readConfig({
      BASE_URL: 'http://localhost',
      DATABASE_URL: url,
      QUERY_BUDGET: NO_BUDGET,
      ANONYMOUS_QUERY_BUDGET: NO_BUDGET,
    }),
    database,
    log: pino({ level: 'silent' }),
    now: () => AT,
  });
  const server = createServer(app.listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cookie = await insertSession(app.systemContext, 'olga@example.org');
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { cookie, 'content-type': 'application/json' },
    });
    const body = await response.json();
    const { errors, error } = body;
    if (errors || error) throw new Error((errors?.[0] ?? error).message);
  };
  const service: Service = {
    ctx: app.systemContext,
    sendGraphql: (query, variables = {}) =>
      send('/graphql', { method: 'POST', body: JSON.stringify({ query, variables }) }),
    getRest: (path) => send(path),
  };
  try {
    const results = new Map<string, Measurement>();
    for (const { name, run } of operations) {
      const measurement = await measure(() => run(service), isOnce);
      results.set(name, measurement);
      onResult(name, measurement);
    }
    return results;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.close();
    await database.close();
  }
}

/** An operation that is slower than this is measured more often, since other work of the machine can be the reason. */
const SUSPICIOUS_MS = 8;
const RUNS = 2;
const SUSPICIOUS_RUNS = 5;
/** One that is slower than this is certainly slow. */
const SLOW_MS = 1_000;

/** Returns the shortest time. The first runs do not count: they learn the document, prepare statements and do overdue work. */
async function measure(work: () => Promise<unknown>, isOnce: boolean): Promise<Measurement> {
  try {
    if (!isOnce) await work();
    const begun = performance.now();
    const kind = describeKind(await captureStatements(work));
    if (isOnce) return { ms: performance.now() - begun, kind };
    let ms = Number.POSITIVE_INFINITY;
    for (let run = 0; run < (ms < SUSPICIOUS_MS ? RUNS : SUSPICIOUS_RUNS); run += 1) {
      const started = performance.now();
      await work();
      ms = Math.min(ms, performance.now() - started);
      if (ms > SLOW_MS) break;
    }
    return { ms, kind };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ms: Number.NaN, kind: '', error: message };
  }
}

function describeKind(statements: SentStatement[]): string {
  const lists = statements.filter(
    ({ name }) => name === undefined || /^(list|planned)_/.test(name),
  );
  const kinds = new Set(lists.map(({ needsCustomPlan }) => (needsCustomPlan ? 'values' : 'once')));
  const isResolved = lists.some(({ name }) => name?.startsWith('list_'));
  return [...kinds, ...(isResolved ? ['resolved'] : [])].join(', ');
}
