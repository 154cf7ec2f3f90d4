import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import PgBoss from 'pg-boss';
import { pino } from 'pino';
import { runInTransaction } from '../../src/context.ts';
import { findSchemaProblem, migrate } from '../../src/db/migrations.ts';
import { enqueueEmail } from '../../src/integrations/email/outbox.ts';
import type { EmailTransport } from '../../src/integrations/email/smtp.ts';
import { EVERY_MINUTE, type Job, jobs } from '../../src/jobs/job-definitions.ts';
import { createJobQueue, endsJobs, type JobQueue } from '../../src/jobs/job-queue.ts';
import { MAX_BATCH_SIZE } from '../../src/journal/read-changes.ts';
import { exportAll, restoreAll } from '../support/backups.ts';
import { insertUnreadChanges, readMailPosition } from '../support/factories/unread-changes.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

let test: TestDatabase;
const running: JobQueue[] = [];
const logged: Record<string, unknown>[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });

beforeAll(async () => {
  test = await openTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((queue) => queue.stop()));
  logged.length = 0;
});
afterAll(() => test.close());

const never = '0 0 1 1 *';
/** The shortest that pg-boss accepts. */
const POLL_SECONDS = 0.5;
/** Enough for every instance to poll once more. */
const waitForPolls = () => setTimeout(POLL_SECONDS * 1_000 + 200);
const job = (given: Partial<Job>): Job => ({
  name: 'test.job',
  cron: never,
  maxDelaySeconds: POLL_SECONDS,
  run: async () => {},
  ...given,
});

/** Starts the jobs of an instance. */
async function instance(
  list: Job[],
  mail?: EmailTransport,
  names = list.map(({ name }) => name).sort(),
) {
  const queue = createJobQueue({ database: test.database, log, jobs: list });
  running.push(queue);
  const ctx = { ...test.ctx, log, triggerJob: queue.trigger };
  queue.start(ctx, mail);
  await waitUntil(async () => (await schedules()).join() === names.join());
  return ctx;
}

async function schedules(): Promise<string[]> {
  const { rows } = await test.database.pool
    .query('SELECT name FROM pgboss.schedule ORDER BY 1')
    .catch(() => ({ rows: [] }));
  return rows.map(({ name }) => name);
}

const wake = (name: string) =>
  test.database.pool.query(
    `INSERT INTO pgboss.job (name, retry_limit) SELECT name, 0 FROM pgboss.queue WHERE name = $1`,
    [name],
  );

describe('scheduled and triggered jobs', () => {
  it('expire after the time that they can run', async () => {
    const list = [job({ name: 'test.short' }), job({ name: 'test.long', maxRunSeconds: 7_200 })];
    await instance(list);
    const { rows } = await test.database.pool.query(
      `SELECT name, (options ->> 'expireInSeconds')::int AS seconds FROM pgboss.schedule ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: 'test.long', seconds: 7_200 },
      { name: 'test.short', seconds: 600 },
    ]);
  });

  it('send an email soon after its transaction commits, not before', async () => {
    const sent: string[] = [];
    const unscheduled = jobs
      .filter(({ name }) => name === 'mail.deliver')
      .map((job) => ({ ...job, cron: never }));
    const ctx = await instance(unscheduled, {
      send: async ({ recipient }) => {
        sent.push(recipient);
      },
      close: () => {},
    });
    const woken = async () => {
      const { rows } = await test.database.pool.query(
        `SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'mail.deliver'`,
      );
      return rows[0].count;
    };
    const failing = runInTransaction(ctx, async (ctx) => {
      await enqueueEmail(ctx, { to: 'eve@example.org', subject: 'x', text: 'x' });
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await woken()).toBe(0);
    await runInTransaction(ctx, async (ctx) => {
      await enqueueEmail(ctx, { to: 'ben@example.org', subject: 'x', text: 'x' });
    });
    expect(await woken()).toBe(1);
    await waitUntil(() => sent.length > 0);
    expect(sent).toEqual(['ben@example.org']);
  });

  it('run on one of several instances', async () => {
    let done = 0;
    const list = [job({ run: async () => (done += 1) })];
    await instance(list);
    await instance(list);
    for (let turn = 1; turn <= 3; turn += 1) {
      await wake('test.job');
      await waitUntil(() => done >= turn);
    }
    await waitForPolls();
    expect(done).toBe(3);
  });

  it('run on an instance that can run them, and stay scheduled if another one starts', async () => {
    let done = 0;
    const create = (isPossible: boolean) =>
      job({
        name: 'test.some',
        canRun: () => isPossible,
        run: async () => (done += isPossible ? 1 : Number.NaN),
      });
    await instance([create(true)]);
    const names = ['test.other', 'test.some'];
    await instance([create(false), job({ name: 'test.other' })], undefined, names);
    for (let turn = 1; turn <= 3; turn += 1) {
      await wake('test.some');
      await waitUntil(() => done !== turn - 1);
      expect(done).toBe(turn);
    }
    expect(await schedules()).toEqual(names);
  });

  it('continue after a failure, which is logged', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs === 1) throw new Error('no luck');
    };
    await instance([job({ run })]);
    await wake('test.job');
    await waitUntil(() => runs >= 1);
    await waitUntil(() => logged.length > 0);
    expect(logged).toMatchObject([{ msg: 'a job failed', job: 'test.job' }]);
    await wake('test.job');
    await waitUntil(() => runs >= 2);
  });

  it('finish before the service stops, and none starts afterwards', async () => {
    let state = 'waiting';
    const run = async () => {
      state = 'begun';
      await setTimeout(300);
      state = 'done';
    };
    await instance([job({ run })]);
    await wake('test.job');
    await waitUntil(() => state === 'begun');
    const [queue] = running.splice(0);
    await queue?.stop();
    expect(state).toBe('done');
    await wake('test.job');
    await waitForPolls();
    expect([state, logged]).toEqual(['done', []]);
  });

  it('are not part of migrations or exports', async () => {
    await instance([job({})]);
    expect(await findSchemaProblem(test.database.pipelinedSql)).toBeUndefined();
    expect(await migrate(test.database.pool)).toEqual([]);
    const file = await exportAll(test.database);
    expect(file.toString()).not.toContain('pgboss');
    const empty = await openTestDatabase();
    await expect(restoreAll(empty.database, file)).resolves.toBeDefined();
    await empty.close();
  });

  it('read the journal until the service stops, and leave the rest to the next start', async () => {
    const changes = 100 * MAX_BATCH_SIZE;
    await insertUnreadChanges(test.database.pool, changes);
    const readers = jobs.filter(({ name }) => name === 'journal.read');
    await instance(readers.map((job) => ({ ...job, maxDelaySeconds: POLL_SECONDS })));
    await wake('journal.read');
    await waitUntil(async () => (await readMailPosition(test.database.pool)) > 0);
    const [queue] = running.splice(0);
    const stopped = queue?.stop();
    const before = await readMailPosition(test.database.pool);
    await stopped;
    expect((await readMailPosition(test.database.pool)) - before).toBeLessThanOrEqual(
      MAX_BATCH_SIZE,
    );
    expect(before).toBeLessThan(changes / 2);
    expect(logged).toEqual([]);
  });

  it('of every minute run when an instance starts, since triggers are lost while none runs', async () => {
    await instance([job({})]);
    // The schedule of every minute would run the job as well, but later.
    await test.database.pool.query(`UPDATE pgboss.version SET cron_on = now() + interval '1 day'`);
    const ran: string[] = [];
    await instance(
      Object.entries({ often: EVERY_MINUTE, rarely: never }).map(([frequency, cron]) =>
        job({ name: `test.${frequency}`, cron, run: async () => ran.push(frequency) }),
      ),
    );
    await waitUntil(() => ran.length > 0);
    await waitForPolls();
    expect(ran).toEqual(['often']);
  });

  it('that no longer exist are unscheduled', async () => {
    await instance([job({ name: 'test.old' })]);
    await instance([job({ name: 'test.new' })]);
    expect(await schedules()).toEqual(['test.new']);
  });

  it('start later, while the service runs, if their schema cannot be created at startup', async () => {
    const { pool } = test.database;
    await pool.query('DROP SCHEMA pgboss CASCADE');
    await pool.query('CREATE SCHEMA pgboss');
    await pool.query('CREATE TABLE pgboss.version (nonsense int)');
    const queue = createJobQueue({ database: test.database, log, jobs: [job({})] });
    running.push(queue);
    queue.start({ ...test.ctx, log }, undefined);
    await waitUntil(() => logged.length > 0);
    expect(logged[0]).toMatchObject({ msg: 'could not start the job queue; retrying' });
  });
});

it('the ends of jobs are recognized among all statements of pg-boss', async () => {
  const statements: { ended: boolean }[] = [];
  const executeSql = async (_text: string, values?: unknown[]) => {
    statements.push({ ended: endsJobs(values) });
    return { rows: [{ count: 0, name: 'test.job' }] };
  };
  const boss = new PgBoss({ db: { executeSql } });
  const id = randomUUID();
  await boss.complete('test.job', id);
  await boss.complete('test.job', [id, id]);
  await boss.fail('test.job', id, { reason: 'no luck' });
  expect(statements).toEqual([{ ended: true }, { ended: true }, { ended: true }]);
  statements.length = 0;
  await boss.createQueue('test.job');
  await boss.schedule('test.job', never, {}, { retryLimit: 0 });
  await boss.getSchedules();
  await boss.unschedule('test.job');
  await boss.send('test.job', {}, {});
  await boss.insert([{ name: 'test.job' }]);
  await boss.fetch('test.job', { batchSize: 100 });
  for (const change of ['cancel', 'resume', 'deleteJob'] as const)
    await boss[change]('test.job', [id]);
  expect(statements.length).toBeGreaterThan(9);
  expect(statements.filter(({ ended }) => ended)).toEqual([]);
});
