import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { z } from 'zod';
import { createApp } from '../../../src/app.ts';
import { formatSessionCookie, SESSION_LIFETIME_SECONDS } from '../../../src/auth/cookies.ts';
import { createSecret } from '../../../src/auth/tokens.ts';
import type { StaffRole } from '../../../src/auth/viewer.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import type { Context, JobTrigger } from '../../../src/context.ts';
import type { Tracer } from '../../../src/core/tracing.ts';
import type { Database } from '../../../src/db/database.ts';
import { createDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { createApiToken } from '../../../src/features/tokens/service.ts';
import { defineRoute, emptyQuery, type Route } from '../../../src/rest/route.ts';
import { createHttpServer, getCommonHeaders } from '../../../src/server/http-server.ts';
import { findTraceIds } from '../../../src/server/logger.ts';
import type { RequestLimits } from '../../../src/server/request-gate.ts';
import { type Credential, sendGraphql, sendRest } from '../clients/api.ts';
import { NOW } from '../factories/seed.ts';
import { type Content, openTestDatabase } from './database.ts';
import { processMetrics } from './worker/process-metrics.ts';

/** The configuration of a service that programs on its machine alone use. They can read its metrics. */
export const LOCAL = { BASE_URL: 'http://localhost:4000' };

/** Orders are paid online, so that they are held for 15 minutes. */
export const SANDBOX = { PAYMENTS: 'sandbox' };

/** Tests of subscriptions wait for polls. */
export const FEED_INTERVAL_MS = 100;

/** Starts the whole service on a socket, with a clock that tests can set. */
export async function startApp(
  options: {
    content?: Content;
    config?: Record<string, string>;
    logTo?: (line: string) => void;
    tracer?: Tracer;
    routes?: Route[];
    limits?: Partial<RequestLimits>;
    triggerJob?: JobTrigger;
  } = {},
) {
  const { database, ctx, close } = await openTestDatabase(
    options.content ?? 'seeded',
    options.tracer,
  );
  const config: Config = readConfig({
    BASE_URL: 'http://foyer.test',
    // The clock of tests stands still, so budgets are not restored.
    QUERY_BUDGET: '10000000',
    ANONYMOUS_QUERY_BUDGET: '10000000',
    // Receivers of tests are on this machine.
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    ...options.config,
  });
  const clock = { now: NOW };
  const log = options.logTo
    ? pino({ level: 'trace', mixin: findTraceIds }, { write: options.logTo })
    : pino({ level: 'silent' });
  const app = createApp({
    config,
    database,
    log,
    now: () => clock.now,
    processMetrics,
    feedIntervalMs: FEED_INTERVAL_MS,
    ...(options.tracer ? { tracer: options.tracer } : {}),
    ...(options.routes ? { routes: options.routes } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.triggerJob ? { triggerJob: options.triggerJob } : {}),
  });
  const server = createHttpServer(app.listener, app.onConnection, getCommonHeaders(config));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const handle = {
    url,
    port,
    clock,
    app,
    database: database as Database,
    ctx: { ...ctx, baseUrl: config.baseUrl, now: () => clock.now } as Context,
    rest: (path: string, as: Credential = {}, init: RequestInit = {}) =>
      sendRest(url + path, as, init),
    graphql: (query: string, variables: object = {}, as: Credential = {}) =>
      sendGraphql(url, query, variables, as),
    countConnections: () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    /** Creates an API token with these scopes. */
    token: async (...scopes: string[]) =>
      (await createApiToken(ctx, { name: 'test', scopes })).plainText,
    /** Creates a session for the user with this email and returns its cookie. */
    signIn: (email: string) => insertSession({ ...ctx, baseUrl: config.baseUrl }, email),
    display: (input: Parameters<typeof createDisplay>[1]) => createDisplay(ctx, input),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      await close();
      // What a test file holds stays in memory until its worker ends.
      for (const name of Object.keys(handle))
        if (name !== 'clock') Reflect.deleteProperty(handle, name);
    },
  };
  return handle;
}

export type TestApp = Awaited<ReturnType<typeof startApp>>;

export const STAFF: Record<StaffRole, string> = {
  owner: 'ada@example.org',
  manager: 'mona@example.org',
  front_desk: 'fred@example.org',
};

/** Inserts a session of a staff user and returns its cookie, because signing in takes longer than most tests. */
export async function insertSession(ctx: Context, email: string): Promise<string> {
  const { plainText, hash } = createSecret('session');
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_SECONDS * 1_000);
  const sessions = await ctx.lockingSql<{ id: string }>(INSERT_SESSION, [
    v7(),
    hash,
    now,
    expiresAt,
    email,
  ]);
  if (sessions.length === 0) throw new Error(`no user with the email ${email}`);
  return formatSessionCookie(plainText, ctx).split(';')[0] ?? '';
}

const INSERT_SESSION = {
  name: 'test_session',
  text: `INSERT INTO sessions (id, token_hash, created_at, expires_at, user_id)
    SELECT $1::uuid, $2::bytea, $3::timestamptz, $4::timestamptz, id FROM users WHERE email = $5 RETURNING id`,
};

/** A public route for tests of behavior that no real route has. */
export const defineTestRoute = (path: string, work: () => Promise<void>): Route =>
  defineRoute({
    method: 'GET',
    path,
    access: 'public',
    summary: 'A route of a test',
    query: emptyQuery,
    data: z.object({}),
    handler: async () => {
      await work();
      return { data: {} };
    },
  });

/** Serves this database over a socket, as in production. */
export async function serveDatabase(
  database: Database,
  now: () => Date,
  env: Record<string, string> = {},
) {
  const app = createApp({
    config: readConfig({ BASE_URL: 'http://foyer.test', ...env }),
    database,
    log: pino({ level: 'silent' }),
    now,
    feedIntervalMs: FEED_INTERVAL_MS,
  });
  const server = createHttpServer(app.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}
