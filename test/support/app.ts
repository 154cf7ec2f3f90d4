import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { createApp } from '../../src/app.ts';
import { SESSION_LIFETIME_SECONDS } from '../../src/auth/cookies.ts';
import { createSecret } from '../../src/auth/tokens.ts';
import type { StaffRole } from '../../src/auth/viewer.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { createDisplay } from '../../src/features/displays/service.ts';
import { createApiToken } from '../../src/features/tokens/service.ts';
import type { Route } from '../../src/rest/route.ts';
import { createHttpServer, getCommonHeaders } from '../../src/server/http-server.ts';
import type { RequestLimits } from '../../src/server/request-gate.ts';
import { openTestDatabase } from './database.ts';
import { NOW } from './seed.ts';
import type { Content } from './templates.ts';

export interface Credential {
  token?: string | undefined;
  cookie?: string | undefined;
}

export interface RestAnswer {
  status: number;
  headers: Headers;
  body: { success: boolean; data: unknown };
}

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  data: any;
  /** The codes of the errors, in order. */
  codes: string[];
  errors: { message: string; extensions: Record<string, unknown> }[];
}

/** The whole service over a real socket, with a clock that tests can set. */
export async function startApp(
  options: {
    content?: Content;
    config?: Record<string, string>;
    logTo?: (line: string) => void;
    routes?: Route[];
    limits?: Partial<RequestLimits>;
  } = {},
) {
  const { database, ctx, close } = await openTestDatabase(options.content ?? 'seeded');
  const config: Config = readConfig({ BASE_URL: 'http://foyer.test', ...options.config });
  const clock = { now: NOW };
  const log = options.logTo
    ? pino({ level: 'trace' }, { write: options.logTo })
    : pino({ level: 'silent' });
  const app = createApp({
    config,
    database,
    log,
    now: () => clock.now,
    ...(options.routes ? { routes: options.routes } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
  });
  const server = createHttpServer(app.listener, app.onConnection, getCommonHeaders(config));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    port,
    clock,
    app,
    database: database as Database,
    ctx: { ...ctx, now: () => clock.now } as Context,
    rest: (path: string, as: Credential = {}, init: RequestInit = {}) => rest(url + path, as, init),
    graphql: (query: string, variables: object = {}, as: Credential = {}) =>
      graphql(url, query, variables, as),
    /** How many connections are open. */
    countConnections: () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    /** An API token with these scopes. */
    token: async (...scopes: string[]) =>
      (await createApiToken(ctx, { name: 'test', scopes })).plainText,
    /** The cookie of a new session of this person. */
    signIn: (email: string) => insertSession(ctx, email),
    display: (input: Parameters<typeof createDisplay>[1]) => createDisplay(ctx, input),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      await close();
    },
  };
}

export type TestApp = Awaited<ReturnType<typeof startApp>>;

export const STAFF: Record<StaffRole, string> = {
  owner: 'ada@example.org',
  manager: 'mona@example.org',
  front_desk: 'fred@example.org',
};

const headersOf = ({ token, cookie }: Credential): Record<string, string> => ({
  ...(token ? { authorization: `Bearer ${token}` } : {}),
  ...(cookie ? { cookie } : {}),
});

async function rest(url: string, as: Credential, init: RequestInit): Promise<RestAnswer> {
  const answer = await fetch(url, { ...init, headers: { ...headersOf(as), ...init.headers } });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? { success: true, data: null } : JSON.parse(text),
  };
}

/** The first event of a subscription. */
async function firstOf({ body }: Response): Promise<unknown> {
  let heard = '';
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    heard += new TextDecoder().decode(bytes);
    const told = /^data: *(\{.*\})$/m.exec(heard)?.[1];
    if (told) return JSON.parse(told);
  }
  throw new Error('the stream ended before anything was told');
}

/** A query to the service at this address, in this process or in another. */
export async function graphql(
  url: string,
  query: string,
  variables: object,
  as: Credential,
): Promise<GraphqlAnswer> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(as) },
    body: JSON.stringify({ query, variables }),
  });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const { data, errors = [] } = (await (isStream ? firstOf(answer) : answer.json())) as Pick<
    GraphqlAnswer,
    'data' | 'errors'
  >;
  return {
    status: answer.status,
    headers: answer.headers,
    data,
    errors,
    codes: errors.map(({ extensions }) => String(extensions.code)),
  };
}

/** A session without signing in, which takes longer than most tests. */
async function insertSession(ctx: Context, email: string): Promise<string> {
  const { plainText, hash } = createSecret('session');
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_SECONDS * 1_000);
  const made = await ctx.lockingSql<{ id: string }>(INSERT_SESSION, [
    v7(),
    hash,
    now,
    expiresAt,
    email,
  ]);
  if (made.length === 0) throw new Error(`nobody signs in as ${email}`);
  return `foyer_session=${plainText}`;
}

const INSERT_SESSION = {
  name: 'test_session',
  text: `INSERT INTO sessions (id, token_hash, created_at, expires_at, user_id)
    SELECT $1::uuid, $2::bytea, $3::timestamptz, $4::timestamptz, id FROM users WHERE email = $5 RETURNING id`,
};

/** Signs in as a browser does, and gives the cookie. */
export async function signIn(url: string, email: string, password: string): Promise<string> {
  const { headers, errors } = await graphql(
    url,
    'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }',
    { email, password },
    {},
  );
  if (errors[0]) throw new Error(errors[0].message);
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
