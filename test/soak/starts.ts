import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, type Service, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Five instances start at the same time on a new PostgreSQL database. Each must become ready, run jobs, and log neither an error
// nor a warning. An instance takes all jobs that are queued, so more are queued until every instance has run one.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const NAME = `foyer_starts_${process.pid}`;
const { instances } = readSizes({ instances: [5, 2] });
const TIMEOUT_MS = 180_000;
const WARN = 40;
/** It finds nothing to do on a new database. */
const JOB = 'mail.deliver';

/** Those of instances without BACKUP_DIR. */
const scheduled = jobs.filter(({ canRun }) => canRun?.(undefined) ?? true);

const url = withDatabaseName(SERVER, NAME);

/** Each instance has its own name in the list of connections, so that its jobs can be told apart. */
const toInstanceUrl = (instance: number) => {
  const address = new URL(url);
  address.searchParams.set('application_name', toInstanceName(instance));
  return address.href;
};
const toInstanceName = (instance: number) => `instance-${instance}`;

async function main(): Promise<number> {
  await runAsAdmin(SERVER, `CREATE DATABASE ${NAME}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const startedAt = performance.now();
    const services = await Promise.all(
      Array.from({ length: instances }, (_, instance) => startInstance(instance)),
    );
    report(startedAt, `${instances} instances listen`);
    for (const { url } of services) await waitUntil('ready', () => isReady(url));
    report(startedAt, 'all are ready');
    await waitUntil('scheduled', async () => (await countSchedules(client)) === scheduled.length);
    await recordJobs(client);
    await waitUntil('all have run a job', async () => {
      await client.query('INSERT INTO pgboss.job (name, retry_limit) VALUES ($1, 0)', [JOB]);
      await setTimeout(500);
      return (await listRunners(client)).length === instances;
    });
    report(startedAt, 'all have run jobs');
    const ends = await Promise.all(services.map((service) => service.stop()));
    const problems = services.flatMap(({ logged }) => logged().filter(isProblem));
    for (const problem of problems) console.log(JSON.stringify(problem));
    const failures = ends.filter(({ code }) => code !== 0).length;
    console.log(`${problems.length} errors and warnings, ${failures} exits with an error`);
    return problems.length + failures;
  } finally {
    killAll();
    await client.end();
    await runAsAdmin(SERVER, `DROP DATABASE ${NAME} WITH (FORCE)`);
  }
}

const startInstance = (instance: number): Promise<Service> =>
  startService({
    DATABASE_URL: toInstanceUrl(instance),
    DATABASE_CONNECTIONS: '9', // five instances share one PostgreSQL
    BASE_URL: 'http://foyer.test',
    ADMIN_EMAIL: 'olga@example.org',
    ADMIN_PASSWORD: 'lantern brick meadow',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });

const report = (startedAt: number, text: string) =>
  console.log(`${Math.round(performance.now() - startedAt)} ms: ${text}`);

const isReady = async (url: string) => (await fetch(`${url}/readyz`)).ok;

async function countSchedules(client: pg.Client): Promise<number> {
  const { rows } = await client
    .query('SELECT count(*)::int AS count FROM pgboss.schedule')
    .catch(() => ({ rows: [{ count: 0 }] })); // before pg-boss has created its tables
  return rows[0].count;
}

/** Records which instance starts a job: pg-boss does not. */
async function recordJobs(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE job_runners (name text PRIMARY KEY);
    CREATE FUNCTION record_job_runner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.job_runners VALUES (current_setting('application_name')) ON CONFLICT DO NOTHING;
      RETURN NEW;
    END $$;
    CREATE TRIGGER record_job_runner AFTER UPDATE ON pgboss.job FOR EACH ROW
      WHEN (NEW.state = 'completed') EXECUTE FUNCTION record_job_runner()`);
}

async function listRunners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(`SELECT name FROM job_runners WHERE name LIKE 'instance-%'`);
  return rows.map(({ name }) => name);
}

const isProblem = ({ level }: Record<string, unknown>) => Number(level) >= WARN;

async function waitUntil(condition: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; !(await holds()); await setTimeout(100))
    if (performance.now() > end) throw new Error(`not in time: ${condition}`);
}

process.exitCode = (await main()) === 0 ? 0 : 1;
