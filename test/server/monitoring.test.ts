import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { enqueueEmail } from '../../src/integrations/email/outbox.ts';
import { createSmtpTransport } from '../../src/integrations/email/smtp.ts';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { runJob } from '../../src/jobs/job-queue.ts';
import { createWebhookActions, transport } from '../support/factories/webhooks.ts';
import { startSmtp } from '../support/fakes/smtp.ts';
import { startReceiver } from '../support/fakes/webhook-receiver.ts';
import { defineTestRoute, LOCAL, STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { captureStatements } from '../support/harness/query-plans.ts';
import { findProblems, parseScrape, type Series } from '../support/prometheus.ts';

let app: TestApp;
let scrape: Series[];

const read = async () => parseScrape(await (await fetch(`${app.url}/metrics`)).text());

/** Returns the values of a metric by one of its labels. */
const valuesBy = (name: string, label: string): Record<string, number> =>
  Object.fromEntries(
    scrape
      .filter((one) => one.name === name)
      .map(({ labels, value }) => [labels[label] ?? '', value]),
  );

const getValue = (name: string, labels: Record<string, string> = {}) =>
  scrape.find(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )?.value;

beforeAll(async () => {
  const failure = defineTestRoute('/failure', () => Promise.reject(new Error('no reason')));
  app = await startApp({
    config: { ...LOCAL, SMTP_URL: 'smtp://127.0.0.1:1', ANONYMOUS_QUERY_BUDGET: '2000' },
    routes: [failure],
  });
  const [smtp, receiver] = await Promise.all([
    startSmtp({ reject: (to) => (to === 'nobody@example.net' ? 550 : undefined) }),
    startReceiver(),
  ]);
  const mail = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
  const ctx = app.app.systemContext;
  const webhooks = createWebhookActions(app, receiver, { cookie: await app.signIn(STAFF.owner) });

  await app.ctx.db.webhookEndpoint.deleteMany();
  await webhooks.create();
  await webhooks.change('disableWebhook', (await webhooks.create()).id);
  await webhooks.publish();
  for (const to of ['somebody@example.net', 'nobody@example.net'])
    await enqueueEmail(ctx, { to, subject: 'Hello', text: 'Good morning.' });
  const services = { mail, webhooks: transport, signal: new AbortController().signal };
  const run = (name: string) => runJob(getJob(name), ctx, services);
  await run('mail.deliver');
  await run('webhooks.deliver');
  await runJob(
    { ...getJob('mail.deliver'), run: () => Promise.reject(new Error()) },
    ctx,
    services,
  );

  await webhooks.publish();
  await enqueueEmail(ctx, { to: 'somebody@example.net', subject: 'Later', text: 'Good evening.' });
  await fetch(`${app.url}/failure`);
  await fetch(`${app.url}/nothing`);
  const query = '{ displays: errorReasons { reason } }';
  for (let count = 0; count < 20; count += 1) await app.graphql(query);
  app.clock.now = new Date(app.clock.now.getTime() + 90_000);
  scrape = await read();
  mail.close();
  await Promise.all([smtp.stop(), receiver.stop()]);
});
afterAll(() => app.stop());

const getJob = (name: string) => {
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`no job ${name}`);
  return job;
};

describe('metrics', () => {
  it('count runs of jobs by their outcome', () => {
    const runs = (outcome: string) =>
      getValue('foyer_job_runs_total', { job: 'mail.deliver', outcome });
    expect([runs('succeeded'), runs('failed')]).toEqual([1, 1]);
    expect(getValue('foyer_job_duration_seconds_count', { job: 'mail.deliver' })).toBe(2);
    expect(getValue('foyer_job_runs_total', { job: 'mails.purge', outcome: 'failed' })).toBe(0);
  });

  it('show what waits and has failed, and since when it is due', () => {
    expect(valuesBy('foyer_emails', 'state')).toEqual({ waiting: 1, failed: 1 });
    expect(getValue('foyer_email_delay_seconds')).toBe(90);
    expect(valuesBy('foyer_webhook_deliveries', 'state')).toEqual({
      waiting: 1,
      paused: 0,
      failed: 0,
    });
    expect(getValue('foyer_webhook_delivery_delay_seconds')).toBe(90);
    expect(getValue('foyer_webhooks_disabled')).toBe(1);
    const attempts = (queue: string, outcome: string) =>
      getValue('foyer_work_attempts_total', { queue, outcome });
    expect([attempts('mails', 'succeeded'), attempts('mails', 'failed')]).toEqual([1, 1]);
    expect(attempts('webhooks', 'succeeded')).toBe(1);
  });

  it('show displays, streams, connections and rejected requests', async () => {
    const displays = valuesBy('foyer_displays', 'status');
    expect(Object.keys(displays).sort()).toEqual(['offline', 'online', 'revoked', 'stale']);
    expect(Object.values(displays).reduce((sum, count) => sum + count)).toBe(
      await app.ctx.db.display.count(),
    );
    expect(getValue('foyer_open_streams')).toBe(0);
    expect(valuesBy('foyer_queue_waiting', 'queue')).toEqual({
      queries: 0,
      'keyed writes': 0,
      pdfs: 0,
      hashes: 0,
      imports: 0,
    });
    for (const { name } of app.database.watchedPools) {
      expect(getValue('foyer_database_pool_waiting', { pool: name })).toBe(0);
      expect(getValue('foyer_database_pool_connections', { pool: name, state: 'used' })).toEqual(
        expect.any(Number),
      );
    }
    expect(getValue('foyer_database_pool_wait_seconds_count', { pool: 'main' })).toBeGreaterThan(0);
    const rejected = valuesBy('foyer_requests_rate_limited_total', 'limit');
    expect(rejected.query_budget).toBeGreaterThan(0);
    expect(rejected.sign_ins).toBe(0);
  });

  it('read the database once in five seconds, however often they are scraped', async () => {
    const count = async () => {
      const statements = await captureStatements(() =>
        Promise.all(Array.from({ length: 20 }, read)),
      );
      return statements.filter(({ text }) => text.includes('FROM webhook_endpoints e')).length;
    };
    app.clock.now = new Date(app.clock.now.getTime() + 5_000);
    expect([await count(), await count()]).toEqual([1, 0]);
  });
});

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

describe('the alert rules', () => {
  const { groups } = parse(readFileSync('docs/monitoring/alerts.yaml', 'utf8'));
  const rules: Rule[] = groups.flatMap(({ rules }: { rules: Rule[] }) => rules);

  it('name metrics and labels that a scrape has', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.flatMap(({ expr }) => findProblems(expr, scrape))).toEqual([]);
  });

  it('say what happened and what to do', () => {
    for (const { alert, labels, annotations } of rules)
      expect([alert, labels.severity, annotations]).toEqual([
        alert,
        expect.stringMatching(/^(warning|critical)$/),
        { summary: expect.stringMatching(/.{10}/), description: expect.stringMatching(/.{40}/) },
      ]);
  });

  it('would be rejected for a wrong metric, label, value or syntax', () => {
    const problems = [
      'foyer_nothing > 1',
      'sum by (nothing) (foyer_emails)',
      'foyer_emails{state="nothing"}',
      'sum(foyer_emails',
    ].map((expression) => findProblems(expression, scrape).length);
    expect(problems).toEqual([1, 1, 1, 1]);
  });
});

describe('the dashboard', () => {
  const { panels } = JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8'));
  const targets: { expr: string }[] = panels.flatMap(({ targets = [] }) => targets);

  it('names metrics and labels that a scrape has', () => {
    expect(targets.length).toBeGreaterThan(20);
    const expressions = targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
    expect(expressions.flatMap((expression) => findProblems(expression, scrape))).toEqual([]);
  });

  it('shows every metric of Foyer', () => {
    const names = new Set(scrape.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    const shown = targets.map(({ expr }) => expr).join('\n');
    expect([...names].filter((name) => name.startsWith('foyer_') && !shown.includes(name))).toEqual(
      ['foyer_journal_lag_changes'],
    );
  });
});
