import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time/time-zone.ts';
import { storeBackupRecord, writeBackupRecord } from '../../../src/db/backup/backup-record.ts';
import { findProblems } from '../../../src/features/system/service/find-problems.ts';
import { readSystemStatus } from '../../../src/features/system/service/read-status.ts';
import { createProblemWatch } from '../../../src/features/system/service/watch-problems.ts';
import { deliverEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { createSmtpTransport } from '../../../src/integrations/email/smtp.ts';
import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import { runJob } from '../../../src/jobs/job-queue.ts';
import { createWebhookActions } from '../../support/factories/webhooks.ts';
import { startConnectProxy } from '../../support/fakes/connect-proxy.ts';
import { startSmtp } from '../../support/fakes/smtp.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';
import { insertSession, STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';

/** Programs with a closed port, which later listen on it. */
let ports: { smtp: number; proxy: number };
let app: TestApp;
let receiver: Receiver;
let dataDir: string;
let env: Record<string, string>;
const lines: { level: number; problem?: string; msg: string }[] = [];

beforeAll(async () => {
  const [smtp, proxy] = await Promise.all([startSmtp(), startConnectProxy()]);
  ports = { smtp: Number(new URL(smtp.url).port), proxy: proxy.port };
  await Promise.all([smtp.stop(), proxy.stop()]);
  const directory = mkdtempSync(join(tmpdir(), 'foyer-system-'));
  dataDir = join(directory, 'data');
  env = {
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    WEBHOOK_PROXY: `http://user:secret@127.0.0.1:${ports.proxy}`,
    DATA_DIR: directory,
    DISK_WARNING_MB: '0',
  };
  app = await startApp({
    config: env,
    logTo: (line) => {
      const entry = JSON.parse(line);
      if (entry.problem) lines.push(entry);
    },
  });
  receiver = await startReceiver();
});
beforeEach(() => {
  app.clock.now = new Date();
  lines.length = 0;
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
  rmSync(join(dataDir, '..'), { recursive: true });
});

/** An installation that has just started, with other settings. */
const installation = (settings: Record<string, string> = {}, startedAt = new Date()) => ({
  config: readConfig({ ...env, ...settings }),
  database: app.database,
  jobs: [
    { name: 'mails.purge', cron: '29 * * * *' },
    { name: 'retention.purge', cron: '23 3 * * *' },
  ],
  startedAt,
});

const listCodes = async (its = installation()) =>
  findProblems(await readSystemStatus(app.app.systemContext, its), its.config).map(
    ({ code }) => code,
  );

const listLogged = () => lines.map(({ level, problem }) => `${level} ${problem}`);

describe('the system status', () => {
  it('shows an unreachable mail server and webhook proxy, and logs each once until it is solved', async () => {
    const ctx = app.app.systemContext;
    expect(await listCodes()).toEqual([]);
    const check = createProblemWatch(ctx, installation());
    await check();
    expect(lines).toEqual([]);

    const mail = createSmtpTransport({ url: env.SMTP_URL as string, from: 'f@foyer.test' });
    const transport = createWebhookTransport({ allowPrivate: true, proxy: env.WEBHOOK_PROXY });
    await enqueueEmail(ctx, { to: 'one@example.net', subject: 'Hello', text: 'Hello' });
    const webhooks = createWebhookActions(app, receiver, {
      cookie: await insertSession(app.ctx, STAFF.owner),
    });
    await webhooks.create();
    await webhooks.publish();
    await deliverEmails(ctx, mail);
    await deliverWebhooks(ctx, transport);
    const expected = ['MAIL_SERVER_UNREACHABLE', 'WEBHOOK_PROXY_UNREACHABLE'];
    await waitUntil(async () => (await listCodes()).length >= 2, 'both are listed');
    expect(await listCodes()).toEqual(expected);
    await check();
    await check();
    await createProblemWatch(ctx, installation())(); // that of another instance
    const stored = installation({ SMTP_URL: '' });
    expect(await listCodes(stored)).toContain('NO_MAIL_SERVER');
    const demo = { ...stored, config: { ...stored.config, isDemo: true } };
    expect(await listCodes(demo)).not.toContain('NO_MAIL_SERVER');
    // One without these settings does not see them, and so cannot say that they are solved.
    await createProblemWatch(ctx, installation({ SMTP_URL: '', WEBHOOK_PROXY: '' }))();
    await check();
    const logged = ['MAIL_SERVER_UNREACHABLE', 'NO_MAIL_SERVER', 'WEBHOOK_PROXY_UNREACHABLE'];
    expect(listLogged().sort()).toEqual(logged.map((code) => `40 ${code}`));
    expect(lines.map(({ msg }) => msg).join()).not.toContain('secret');

    const cookie = await insertSession(app.ctx, STAFF.manager);
    const { data } = await app.graphql(
      `{ systemStatus { problems { code message remedy since isOfInstance } email { server waiting error }
        webhooks { proxy waiting error } } }`,
      {},
      { cookie },
    );
    const { problems, email, webhooks: shown } = data.systemStatus;
    const problem = problems.find((one: { code: string }) => one.code === expected[0]);
    expect(problem.message).toContain('ECONNREFUSED');
    expect(problem).toMatchObject({ isOfInstance: false, since: app.clock.now.toISOString() });
    expect(email).toMatchObject({ server: `127.0.0.1:${ports.smtp}`, waiting: 1 });
    expect(shown).toMatchObject({ proxy: `127.0.0.1:${ports.proxy}`, waiting: 1 });
    expect(shown.error).toContain('ECONNREFUSED');
    expect(receiver.received).toEqual([]);

    const [smtp, proxy] = await Promise.all([
      startSmtp({ port: ports.smtp }),
      startConnectProxy(ports.proxy),
    ]);
    app.clock.now = new Date(app.clock.now.getTime() + 5_000);
    const sent = await app.graphql(
      'mutation { sendTestEmail { testEmail { outcome } } }',
      {},
      { cookie },
    );
    expect(sent.data.sendTestEmail.testEmail.outcome).toBe('SENT');
    await app.ctx.db.webhookDelivery.updateMany({ data: { nextAttemptAt: app.clock.now } });
    await deliverWebhooks(ctx, transport);
    expect(receiver.received).toHaveLength(1);
    expect(proxy.targets).toEqual([new URL(receiver.url).host]);
    await waitUntil(async () => (await listCodes()).length === 0, 'both are solved');
    lines.length = 0;
    await check();
    expect(lines).toEqual([]); // other instances can still see them
    await app.ctx.db
      .$executeRaw`UPDATE system_problems SET seen_at = seen_at - interval '3 minutes'`;
    await check();
    await check();
    expect(listLogged().sort()).toEqual(logged.map((code) => `30 ${code}`));
    mail.close();
    await Promise.all([smtp.stop(), proxy.stop()]);
  });

  it('rejects private addresses before it asks the proxy', async () => {
    const proxy = await startConnectProxy();
    const transport = createWebhookTransport({
      allowPrivate: false,
      proxy: proxy.url,
      lookup: (name, _, answer) =>
        name.endsWith('.example.org') ? answer(null, '10.0.0.7', 4) : answer(new Error(name), []),
    });
    const post = (url: string) => transport.post({ url, headers: {}, body: '' });
    const rejected = { error: expect.stringContaining('a private address') };
    expect(await post(receiver.url)).toEqual(rejected);
    expect(await post('https://inside.example.org/')).toEqual(rejected);
    expect(proxy.targets).toEqual([]);
    // The proxy decides about a name that this machine does not find.
    await post('http://nowhere.invalid/');
    expect(proxy.targets).toEqual(['nowhere.invalid:80']);
    await proxy.stop();
  });

  it('shows a clock that differs, on this instance only', async () => {
    const check = createProblemWatch(app.app.systemContext, installation());
    app.clock.now = new Date(Date.now() - HOUR_MS);
    const its = installation({}, app.clock.now);
    expect(await listCodes(its)).toEqual(['CLOCK_WRONG']);
    const [problem] = findProblems(await readSystemStatus(app.app.systemContext, its), its.config);
    expect(problem?.message).toContain('60 minutes behind');
    await check();
    await check();
    app.clock.now = new Date();
    await check();
    expect(listLogged()).toEqual(['40 CLOCK_WRONG', '30 CLOCK_WRONG']);
    expect(await app.ctx.db.systemProblem.count()).toBe(0);
  });

  it('shows disks with too little space', async () => {
    const codes = await listCodes(installation({ DISK_WARNING_MB: '99999999' }));
    expect(codes).toEqual(
      app.database.kind === 'embedded'
        ? ['DISK_LOW', 'TEMPORARY_DISK_LOW']
        : ['TEMPORARY_DISK_LOW'],
    );
  });

  it('shows jobs that fail or do not run', async () => {
    const started = app.clock.now;
    const job = { name: 'mails.purge', cron: '29 * * * *', maxDelaySeconds: 60 };
    const run = (work: () => Promise<void>) =>
      runJob({ ...job, run: work }, app.app.systemContext, {
        mail: undefined,
        webhooks: undefined,
        signal: new AbortController().signal,
      });
    const findJob = async (its = installation()) =>
      (await readSystemStatus(app.app.systemContext, its)).jobs[0];
    await run(() => Promise.reject(new Error('no table for ada.l@mail.example.org')));
    await waitUntil(async () => (await findJob())?.isFailing === true, 'the job is failing');
    expect(await findJob()).toMatchObject({
      lastFailure: { at: started, error: 'no table for a•••@m•••.org' },
      isLate: false,
    });
    expect(await listCodes()).toEqual(['JOBS_FAILING']);
    app.clock.now = new Date(started.getTime() + 2 * HOUR_MS);
    expect(await listCodes(installation({}, started))).toContain('JOBS_LATE');
    await run(async () => {});
    await waitUntil(async () => (await findJob())?.isFailing === false, 'the job has succeeded');
    const now = await findJob(installation({}, started));
    expect(now).toMatchObject({ isLate: false, lastFailure: { at: started } });
    expect(now?.nextRunAt.getUTCMinutes()).toBe(29);
    expect((now?.nextRunAt.getTime() ?? 0) - app.clock.now.getTime()).toBeLessThanOrEqual(
      60 * MINUTE_MS,
    );
  });

  it('shows that no backup was made for a week, unless others make them', async () => {
    app.clock.now = new Date(Date.now() + 8 * DAY_MS);
    const its = (settings = {}) => installation({ DATA_DIR: dataDir, ...settings }, app.clock.now);
    expect(await listCodes(its())).toContain('BACKUP_MISSING');
    expect(await listCodes(its({ BACKUP_MAX_AGE_DAYS: '0' }))).not.toContain('BACKUP_MISSING');
    const record = { madeAt: app.clock.now, durationMs: 5, bytes: 9_000_000_000, file: 'a.gz' };
    await (app.database.kind === 'postgres'
      ? storeBackupRecord(app.database.pool, record)
      : writeBackupRecord(dataDir, record));
    expect(await listCodes(its())).not.toContain('BACKUP_MISSING');
    expect(await listCodes(its({ BACKUP_DIR: tmpdir() }))).not.toContain('BACKUP_FAILING');
    expect(await listCodes(its({ BACKUP_DIR: join(dataDir, '../absent') }))).toContain(
      'BACKUP_FAILING',
    );
    const { backups } = await readSystemStatus(app.app.systemContext, its());
    expect(backups.last).toEqual({
      way: 'command',
      at: record.madeAt,
      durationMs: 5,
      bytes: 9_000_000_000,
      file: 'a.gz',
    });
  });
});
