import type pg from 'pg';
import { pino } from 'pino';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { createJobQueue, START_LOCK } from '../../src/jobs/job-queue.ts';
import { createDeferred } from '../support/deferred.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { openCopy } from '../support/harness/database.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const INSTANCES = 5;
const NEVER = '0 0 1 1 *';

let databases: Database[];
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });

beforeEach(async () => {
  const first = await openCopy('empty');
  const { url } = first as typeof first & { url: string };
  const connections = [first];
  while (connections.length < INSTANCES) connections.push(await openPostgres(url));
  databases = connections.map((connection) => addPrisma(connection));
  logged.length = 0;
});
afterEach(async () => {
  for (const database of databases.reverse()) await database.close();
});

/** Counts the instances that start their queues at the same time. */
function watchStarts({ ignoresLock }: { ignoresLock: boolean }) {
  const starts = { running: 0, max: 0, tries: 0 };
  const allRun = createDeferred<void>();
  const begin = () => {
    starts.running += 1;
    starts.max = Math.max(starts.max, starts.running);
    if (starts.running === INSTANCES) allRun.resolve();
  };
  const watchClient = (client: pg.PoolClient) => {
    const query = async (text: string, values: unknown[]) => {
      if (text.includes('pg_advisory_unlock')) starts.running -= 1;
      if (!text.includes('pg_try_advisory_lock')) return client.query(text, values);
      starts.tries += 1;
      if (ignoresLock) {
        begin();
        await allRun.promise;
        return { rows: [{ isLocked: true }] };
      }
      const result = await client.query(text, values);
      if (result.rows[0].isLocked) begin();
      return result;
    };
    return { query, release: () => client.release() };
  };
  const watch = (database: Database): Database => {
    const { pool } = database;
    const watched = {
      query: pool.query.bind(pool),
      connect: async () => watchClient(await pool.connect()),
    };
    return { ...database, pool: watched as unknown as pg.Pool };
  };
  return { starts, watch };
}

function startQueue(database: Database, list: Parameters<typeof createJobQueue>[0]['jobs']) {
  const queue = createJobQueue({ database, log, ...(list ? { jobs: list } : {}) });
  queue.start({ ...createSystemContext(database), log }, undefined);
  return queue;
}

const countQueues = async () => {
  const rows = await databases[0]?.pool
    .query(`SELECT count(*)::int AS count FROM pgboss.queue WHERE name LIKE 'test.%'`)
    .then(({ rows }) => rows)
    .catch(() => []); // before pg-boss has created its tables
  return rows?.[0]?.count ?? 0;
};

describe('five instances that start at once on a new database', () => {
  it('start their queues one after the other, without an error, and all run jobs', async () => {
    const { starts, watch } = watchStarts({ ignoresLock: false });
    const ran = new Set<number>();
    const queues = databases.map((database, instance) => {
      const never = jobs.map((job) => ({ ...job, cron: NEVER, maxDelaySeconds: 0.5 }));
      const own = { name: `test.instance-${instance}`, cron: NEVER, maxDelaySeconds: 0.5 };
      const run = async () => void ran.add(instance);
      return startQueue(watch(database), [...never, { ...own, run }]);
    });
    try {
      await waitUntil(async () => logged.length > 0 || (await countQueues()) === INSTANCES);
      expect(logged).toEqual([]);
      await databases[0]?.pool.query(
        `INSERT INTO pgboss.job (name, retry_limit) SELECT name, 0 FROM pgboss.queue WHERE name LIKE 'test.%'`,
      );
      await waitUntil(() => logged.length > 0 || ran.size === INSTANCES);
      expect([logged, starts.max]).toEqual([[], 1]);
    } finally {
      await Promise.all(queues.map((queue) => queue.stop()));
    }
  });

  it('start their queues at the same time without the lock (negative control)', async () => {
    const { starts, watch } = watchStarts({ ignoresLock: true });
    const queues = databases.map((database) => startQueue(watch(database), []));
    await waitUntil(() => starts.max > 0 && starts.running === 0);
    expect(starts.max).toBe(INSTANCES);
    await Promise.all(queues.map((queue) => queue.stop()));
  });
});

it('an instance that waits for its turn to start holds no connection and can stop', async () => {
  const [first, second] = databases as [Database, Database];
  const client = await first.pool.connect();
  await client.query('SELECT pg_advisory_lock($1)', [START_LOCK]);
  const { starts, watch } = watchStarts({ ignoresLock: false });
  const queue = startQueue(watch(second), []);
  await waitUntil(() => starts.tries >= 2);
  await waitUntil(() => second.pool.idleCount === second.pool.totalCount);
  await queue.stop();
  expect([starts.max, logged]).toEqual([0, []]);
  await client.query('SELECT pg_advisory_unlock($1)', [START_LOCK]);
  client.release();
});
