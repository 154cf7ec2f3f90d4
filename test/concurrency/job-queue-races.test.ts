import { pino } from 'pino';
import { addPrisma } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { createJobQueue } from '../../src/jobs/job-queue.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { openCopy } from '../support/harness/database.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const INSTANCES = 5;

it('starts five instances at once on a new database without an error', async () => {
  const first = await openCopy('empty');
  const { url } = first as typeof first & { url: string };
  const connections = [first];
  while (connections.length < INSTANCES) connections.push(await openPostgres(url));
  const databases = connections.map((connection) => addPrisma(connection));
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  const ran = new Set<number>();
  const queues = databases.map((database, instance) => {
    const never = jobs.map((job) => ({ ...job, cron: '0 0 1 1 *', maxDelaySeconds: 0.5 }));
    const own = { name: `test.instance-${instance}`, cron: '0 0 1 1 *', maxDelaySeconds: 0.5 };
    const run = async () => void ran.add(instance);
    const queue = createJobQueue({ database, log, jobs: [...never, { ...own, run }] });
    queue.start({ ...createSystemContext(database), log }, undefined);
    return queue;
  });
  const countQueues = async () => {
    const { rows } = await first.pool
      .query(`SELECT count(*)::int AS count FROM pgboss.queue WHERE name LIKE 'test.%'`)
      .catch(() => ({ rows: [{ count: 0 }] })); // before pg-boss has created its tables
    return rows[0].count as number;
  };
  try {
    await waitUntil(async () => logged.length > 0 || (await countQueues()) === INSTANCES);
    expect(logged).toEqual([]);
    await first.pool.query(
      `INSERT INTO pgboss.job (name, retry_limit) SELECT name, 0 FROM pgboss.queue WHERE name LIKE 'test.%'`,
    );
    await waitUntil(() => logged.length > 0 || ran.size === INSTANCES);
    expect(logged).toEqual([]);
  } finally {
    await Promise.all(queues.map((queue) => queue.stop()));
    for (const database of databases.reverse()) await database.close();
  }
}, 120_000);
