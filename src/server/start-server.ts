import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type App, createApp } from '../app.ts';
import { usesHttps } from '../auth/cookies.ts';
import { assertOwnerPassword, ensureOwner } from '../auth/first-owner.ts';
import { DEMO_PASSWORD, verifyPassword } from '../auth/passwords.ts';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate, readMigrations } from '../db/migrations.ts';
import { reportConnections } from '../db/postgres/connection-budget.ts';
import { DomainError } from '../errors.ts';
import { schema } from '../graphql/schema.ts';
import { loadTrustedDocuments } from '../graphql/trusted-documents/trusted-documents.ts';
import { startLoops } from '../jobs/job-definitions.ts';
import { createJobQueue } from '../jobs/job-queue.ts';
import { createHttpServer, getCommonHeaders } from './http-server.ts';
import { createProcessMetrics } from './metrics.ts';
import { isLoopbackHost } from './metrics-route.ts';
import { offerSetup } from './setup-offer.ts';
import { startTelemetry } from './telemetry.ts';

export interface RunningServer {
  app: App;
  database: Database;
  /** The port on which the server listens: the assigned port if PORT is 0. */
  port: number;
  /** Makes /readyz respond with 503, so that load balancers stop sending requests. Everything is still served. */
  drain(): void;
  /** Ends streams, finishes requests in progress, flushes pending writes and closes the database. */
  stop(): Promise<void>;
}

const SHUTDOWN_GRACE_MS = 10_000;

interface StartOptions {
  /** Shows text to whoever starts the server. Default: prints to standard output. */
  print?: (text: string) => void;
}

/** Starts the server. @throws DomainError with a one-line message, after closing everything that it has opened. */
export async function startServer(
  config: Config,
  log: Logger,
  { print = (text) => process.stdout.write(text) }: StartOptions = {},
): Promise<RunningServer> {
  const trustedDocuments = loadTrustedDocuments(schema, config.trustedDocuments);
  const telemetry = await startTelemetry(config, log);
  const database = await openDatabase(config, log, telemetry?.tracer);
  try {
    // An owner keeps the password, so a variable that is left over from the first start does not matter.
    if (config.admin && !(await hasOwner(database))) await assertOwnerPassword(config.admin);
    const applied = await migrate(database.pool, readMigrations(), { log });
    if (applied.length > 0)
      log.info(
        { count: applied.length, first: applied[0], last: applied.at(-1) },
        'migrations applied',
      );
    if (database.kind === 'postgres')
      await reportConnections(database.pool, config.databaseConnections, log);
    warnOfSandboxPayments(config, log);
    for (const deprecation of config.deprecations) log.warn(deprecation);
    const queue = createJobQueue({ database, log });
    const app = createApp({
      config,
      database,
      log,
      trustedDocuments,
      processMetrics: createProcessMetrics(),
      ...(telemetry?.tracer && { tracer: telemetry.tracer }),
      triggerJob: queue.trigger,
    });
    // The command that starts the demo says that the passwords are published.
    if (!config.isDemo) await assertNoPublishedPasswords(app, config, log);
    await createFirstOwner(app, config, log);
    const mail = await createEmailTransport(config, log);
    const webhooks = await loadWebhookTransport(config);
    const server = createHttpServer(app.listener, app.onConnection, getCommonHeaders(config));
    await listen(server, config, { host: 'HOST', port: 'PORT' });
    const metricsServer = await startMetricsServer(app, config).catch((error) => {
      server.close();
      throw error;
    });
    const { port } = server.address() as AddressInfo;
    telemetry?.startMetrics(app.collectMetrics);
    queue.start(app.systemContext, mail, webhooks, { config, database });
    const stopLoops = startLoops(app.systemContext, app.checkSystem);
    if (!config.isDemo) await offerSetup(app.systemContext, print); // the demo creates its owner later
    const stop = async () => {
      app.drain();
      app.endStreams();
      const closed = new Promise((resolve) => server.close(resolve));
      const force = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
      await closed;
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      clearTimeout(force);
      await stopLoops();
      await queue.stop();
      mail?.close();
      await app.close();
      await telemetry?.stop();
      await database.close();
    };
    return { app, database, port, drain: app.drain, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The accounts of the demo have a published password. It marks them wherever the database is restored, until they get new ones.
 * On this machine it is only a warning.
 * @throws VALIDATION, reason INVALID_CONFIGURATION, if BASE_URL is public.
 */
async function assertNoPublishedPasswords(
  { systemContext }: App,
  { baseUrl }: Config,
  log: Logger,
): Promise<void> {
  const users = await systemContext.db.user.findMany({
    where: { email: { endsWith: DEMO_EMAIL_DOMAIN }, disabledAt: null },
    select: { email: true, passwordHash: true },
    orderBy: { email: 'asc' },
  });
  const isPublished = new Map<string | null, boolean>([[null, false]]);
  for (const { passwordHash } of users) {
    if (!isPublished.has(passwordHash))
      isPublished.set(passwordHash, await verifyPassword(passwordHash, DEMO_PASSWORD));
  }
  const emails = users.filter((user) => isPublished.get(user.passwordHash)).map((u) => u.email);
  if (emails.length === 0) return;
  const problem = 'The database contains the demo space, whose passwords are published';
  const remedy = `Set DATA_DIR to a new directory for your own space, or give these accounts new passwords: ${emails.join(', ')}.`;
  if (isLoopbackHost(new URL(baseUrl).host)) {
    log.warn(`${problem}. ${remedy}`);
    return;
  }
  throw new DomainError('VALIDATION', `${problem}, so it is not served at ${baseUrl}. ${remedy}`, {
    reason: 'INVALID_CONFIGURATION',
  });
}

const DEMO_EMAIL_DOMAIN = '@example.org';

/** Whether the database has an owner. A new one has no tables yet. */
async function hasOwner({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ isMigrated: boolean }>(
    `SELECT to_regclass('users') IS NOT NULL AS "isMigrated"`,
  );
  if (!rows[0]?.isMigrated) return false;
  return (await pool.query("SELECT 1 FROM users WHERE role = 'owner' LIMIT 1")).rows.length > 0;
}

async function createFirstOwner(
  { systemContext }: App,
  { admin }: Config,
  log: Logger,
): Promise<void> {
  if (admin && (await ensureOwner(systemContext, admin)))
    log.info({ email: admin.email }, 'owner created');
}

function warnOfSandboxPayments({ payments, baseUrl }: Config, log: Logger): void {
  if (payments.provider !== 'sandbox' || !usesHttps({ baseUrl })) return;
  log.warn(
    'payments are simulated, so anyone can confirm an order without paying: set up Stripe, or remove PAYMENTS=sandbox',
  );
}

async function createEmailTransport({ smtpUrl, mailFrom }: Config, log: Logger) {
  if (smtpUrl === undefined) {
    log.info('emails are stored but not sent; set SMTP_URL to send them');
    return undefined;
  }
  const { createSmtpTransport } = await import('../integrations/email/smtp.ts');
  return createSmtpTransport({ url: smtpUrl, from: mailFrom });
}

async function loadWebhookTransport({ allowPrivateWebhookTargets, webhookProxy }: Config) {
  const { createWebhookTransport } = await import('../integrations/webhooks/transport.ts');
  return createWebhookTransport({ allowPrivate: allowPrivateWebhookTargets, proxy: webhookProxy });
}

/** If METRICS_PORT is set, /metrics is served only there. */
async function startMetricsServer({ metricsListener }: App, { metrics: { port, host } }: Config) {
  if (port === undefined) return undefined;
  const server = createHttpServer(metricsListener);
  await listen(server, { port, host }, { host: 'METRICS_HOST', port: 'METRICS_PORT' });
  return server;
}

const HOST_ERRORS = new Set(['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN']);

function listen(
  server: ReturnType<typeof createHttpServer>,
  { port, host }: { port: number; host: string },
  variables: { host: string; port: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isHostWrong = HOST_ERRORS.has(error.code ?? '');
      const problem = isHostWrong
        ? 'this machine does not have that address'
        : error.code === 'EADDRINUSE'
          ? 'the port is already in use'
          : error.message;
      reject(
        new DomainError(
          'VALIDATION',
          `${isHostWrong ? variables.host : variables.port}: cannot listen on ${host}:${port}: ${problem}.`,
          { reason: 'INVALID_CONFIGURATION' },
          { cause: error },
        ),
      );
    });
    server.listen({ port, host }, resolve);
  });
}
