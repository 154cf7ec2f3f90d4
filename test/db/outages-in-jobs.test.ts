import { pino } from 'pino';
import type { Context } from '../../src/context.ts';
import { isUnavailable, toDomainError } from '../../src/errors.ts';
import { enqueueEmail } from '../../src/integrations/email/outbox.ts';
import type { EmailTransport } from '../../src/integrations/email/smtp.ts';
import { type Job, jobs } from '../../src/jobs/job-definitions.ts';
import { createJobQueue } from '../../src/jobs/job-queue.ts';
import { NOW } from '../support/factories/seed.ts';
import { OUTAGES, openUnreliableDatabase } from '../support/fakes/unreliable-database.ts';
import { propertyRuns } from '../support/harness/property-runs.ts';

// Jest fails a test in which an unhandled rejection occurs.

const LATER = new Date(NOW.getTime() + 26 * 3_600_000);
const mail: EmailTransport = { send: async () => {}, close: () => {} };
const MAX_STATEMENTS = 25;

const FAILURES = Object.values(OUTAGES);

/** The first statement fails in every way, each other one in another way than the one before; in `npm run test:nightly` also in every way. */
const selectFailures = (statement: number) =>
  statement === 0 || propertyRuns(1) > 1
    ? FAILURES
    : FAILURES.slice(statement % FAILURES.length).slice(0, 1);

describe('an outage during a job', () => {
  let test: Awaited<ReturnType<typeof openUnreliableDatabase>>;
  beforeAll(async () => {
    test = await openUnreliableDatabase('seeded');
  });
  afterAll(() => test.close());

  it.each(jobs)(
    '$name fails as an outage at each statement, and succeeds next time',
    async (job) => {
      const { ctx, outage } = test;
      const laterContext: Context = { ...ctx, now: () => LATER };
      const outside = { mail, webhooks: undefined, signal: new AbortController().signal };
      await enqueueEmail(ctx, { to: 'ben@example.org', subject: 'x', text: 'x' });
      for (let afterStatements = 0; afterStatements <= MAX_STATEMENTS; afterStatements += 1) {
        for (const failure of selectFailures(afterStatements)) {
          outage.begin({ afterStatements, failure });
          const ended = await job
            .run(laterContext, outside)
            .catch((error: unknown) => isUnavailable(toDomainError(error)) || error);
          if (outage.countFailures() > 0 && ended instanceof Error) throw ended;
        }
        if (outage.countFailures() === 0) break;
      }
      outage.end();
      await job.run(laterContext, outside);
    },
  );
});

it('an outage while all jobs run stops none of them permanently', async () => {
  const logged: { msg: string; job?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const { database, ctx, outage, close } = await openUnreliableDatabase('seeded');
  const started: string[] = [];
  const succeeded: string[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const list: Job[] = jobs.map((job) => ({
    ...job,
    cron: '0 0 1 1 *',
    maxDelaySeconds: 1,
    canRun: () => true,
    run: async (ctx, outside) => {
      started.push(job.name);
      await held;
      await job.run(ctx, outside);
      succeeded.push(job.name);
    },
  }));
  const names = jobs.map(({ name }) => name).sort();
  const startAll = () =>
    database.pool.query(
      'INSERT INTO pgboss.job (name, retry_limit) SELECT name, 0 FROM pgboss.queue WHERE name = ANY($1)',
      [names],
    );
  const queue = createJobQueue({ database, log, jobs: list });
  try {
    queue.start({ ...ctx, log }, mail);
    await until(async () => {
      const { rows } = await database.pool
        .query('SELECT count(*)::int AS count FROM pgboss.schedule')
        .catch(() => ({ rows: [] }));
      return rows[0]?.count === names.length;
    });
    await startAll();
    await until(() => started.length === names.length);
    outage.begin();
    letGo();
    const failed = () => logged.filter(({ msg }) => msg === 'a job failed').length;
    await until(() => failed() + succeeded.length === names.length);
    expect(failed()).toBeGreaterThan(names.length / 2); // the others ran no statement
    // Each of them fails again when its end is recorded, which once caused unhandled rejections.
    await until(() => logged.some(({ msg }) => msg.startsWith('could not record that a job')));
    outage.end();
    await until(async () => {
      const { rows } = await database.pool.query(
        `SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'completed' AND name = ANY($1)`,
        [names],
      );
      return rows[0].count === names.length;
    });
    succeeded.length = 0;
    await startAll();
    await until(() => succeeded.length >= names.length);
    expect([...new Set(succeeded)].sort()).toEqual(names);
  } finally {
    outage.end();
    await queue.stop();
    await close();
  }
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
