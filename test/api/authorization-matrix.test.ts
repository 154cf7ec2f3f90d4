import { buildSchema } from 'graphql';
import { z } from 'zod';
import { hashPassword } from '../../src/auth/passwords.ts';
import { scopeDescriptions } from '../../src/auth/scopes.ts';
import {
  assertFieldsDeclareAccess,
  assertLimitedFieldsUseResolvers,
  schema,
} from '../../src/graphql/schema.ts';
import { defineRoute, emptyQuery } from '../../src/rest/route.ts';
import { assertRoutesDeclareAccess, routes } from '../../src/rest/route-table.ts';
import { type Caller, selectCallers } from '../support/authorization-matrix/callers.ts';
import { MUTATIONS, QUERIES, SUBSCRIPTIONS } from '../support/authorization-matrix/fields.ts';
import { ROUTES } from '../support/authorization-matrix/routes.ts';
import type { Credential } from '../support/clients/api.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

const FIELDS = { ...QUERIES, ...MUTATIONS, ...SUBSCRIPTIONS };

let app: TestApp;
let credentials: Record<Exclude<Caller, 'token with' | 'token without'>, Credential>;
let deviceToken: string;

beforeAll(async () => {
  app = await startApp();
  const ben = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await app.ctx.db.user.create({
    data: {
      name: ben.name,
      email: ben.email,
      memberId: ben.id,
      passwordHash: await hashPassword(PASSWORD),
    },
  });
  const location = await app.ctx.db.location.findFirstOrThrow();
  deviceToken = (await app.display({ name: 'Hall', kind: 'welcome', locationId: location.id }))
    .deviceToken;
  credentials = {
    anonymous: {},
    device: { token: deviceToken },
    member: {},
    'front desk': {},
    manager: {},
    owner: {},
  };
});
afterAll(() => app.stop());

/** One for each set of scopes, because no request here ends a token. */
const tokens = new Map<string, Promise<string>>();
function getToken(...scopes: string[]): Promise<string> {
  const name = scopes.join();
  const token = tokens.get(name) ?? app.token(...scopes);
  tokens.set(name, token);
  return token;
}

const sessions = new Map<string, Promise<string>>();
function getSession(email: string): Promise<string> {
  const session = sessions.get(email) ?? app.signIn(email);
  sessions.set(email, session);
  return session;
}

/** A request that changes something may end sessions, so it has a new one, and later requests do too. */
async function getCredential(
  caller: Caller,
  scope: string | undefined,
  { isRead }: { isRead: boolean },
): Promise<Credential> {
  if (caller === 'token with') return { token: await getToken(scope ?? '*') };
  if (caller === 'token without') return createTokenWithout(scope);
  const email = {
    member: 'ben@example.org',
    'front desk': STAFF.front_desk,
    manager: STAFF.manager,
    owner: STAFF.owner,
  }[caller as string];
  if (email === undefined) return credentials[caller];
  if (isRead) return { cookie: await getSession(email) };
  sessions.clear();
  return { cookie: await app.signIn(email) };
}

/** It has every scope but this one, which shows that no other scope allows the operation. */
const createTokenWithout = async (scope: string | undefined): Promise<Credential> => ({
  token: await getToken(
    ...scopeDescriptions
      .map(({ scope }) => scope)
      .filter((other) => other !== '*' && other !== scope),
  ),
});

describe.each(Object.entries(FIELDS))('%s', (name, { request, scope, allowed }) => {
  it.each(selectCallers(allowed))('allows or rejects %s as specified', async (caller) => {
    const isRead = !name.startsWith('Mutation.');
    const credential = await getCredential(caller, scope, { isRead });
    const { codes, errors } = await app.graphql(request, {}, credential);
    const rejected =
      !/^(Mutation\.(signIn|redeemSignInLink|acceptStaffLink)|Query\.staffLink)$/.test(name) &&
      codes.some((code) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
    expect({ caller, passes: !rejected, errors: rejected ? [] : errors }).toEqual({
      caller,
      passes: allowed.includes(caller),
      errors: rejected ? [] : errors,
    });
    if (rejected) expect(codes).toEqual([caller === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN']);
    expect(codes).not.toContain('INTERNAL');
    if (scope && caller === 'token without')
      expect(errors[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'MISSING_SCOPE',
        scope,
      });
  });
});

describe.each(Object.entries(ROUTES))('%s', (_, { request, body, scope, allowed }) => {
  const init: RequestInit = body
    ? {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }
    : {};

  it.each(selectCallers(allowed))('allows or rejects %s as specified', async (caller) => {
    const credential = await getCredential(caller, scope, { isRead: body === undefined });
    const { status } = await app.rest(request, credential, init);
    const rejected = status === 401 || status === 403;
    expect({ caller, passes: !rejected }).toEqual({ caller, passes: allowed.includes(caller) });
    if (rejected) expect(status).toBe(caller === 'anonymous' || !scope ? 401 : 403);
    else expect([200, 404, 422]).toContain(status);
  });
});

describe('the operations', () => {
  it('are all tested here, every root field and every route', () => {
    const fields = [
      schema.getQueryType(),
      schema.getMutationType(),
      schema.getSubscriptionType(),
    ].flatMap((root) =>
      Object.keys(root?.getFields() ?? {}).map((field) => `${root?.name}.${field}`),
    );
    expect(Object.keys(FIELDS).sort()).toEqual(fields.sort());
    expect(Object.keys(ROUTES).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it('require a write scope for every change', () => {
    const mutations = Object.entries(schema.getMutationType()?.getFields() ?? {});
    const scopes = mutations.map(([name, { extensions }]) => [
      name,
      (extensions.pothosOptions as { authScopes: { access: string } }).authScopes.access,
    ]);
    expect(scopes).toContainEqual(['createBooking', 'bookings:write']);
    expect(scopes.filter(([, scope]) => scope?.endsWith(':read'))).toEqual([]);
    const writes = routes.filter(({ method }) => method !== 'GET');
    expect(writes.filter(({ access }) => access.endsWith(':read'))).toEqual([]);
  });

  it('prevent the process from starting if one declares no scope', () => {
    expect(() => assertFieldsDeclareAccess(buildSchema('type Query { open: String }'))).toThrow(
      /Query.open declares no scope/,
    );
    const undeclared = defineRoute({
      method: 'GET',
      path: '/open',
      access: 'public',
      summary: 'Open',
      query: emptyQuery,
      data: z.object({}),
      handler: async () => ({ data: {} }),
    });
    // @ts-expect-error a route without a scope does not type-check either
    expect(() => assertRoutesDeclareAccess([{ ...undeclared, access: undefined }])).toThrow(
      /GET \/open declares no scope/,
    );
  });

  it.each(['list', 'row'].flatMap((rows) => ['rateLimit', 'guess'].map((limit) => [rows, limit])))(
    'prevent the process from starting if a query has a %s, which PostgreSQL answers, and a %s',
    (rows, limit) => {
      const build = (extensions: object) => {
        const schema = buildSchema('type Query { guessed: String }');
        Object.assign(schema.getQueryType()?.getFields().guessed ?? {}, { extensions });
        return schema;
      };
      const limited = { pothosOptions: { [`${limit}`]: () => null } };
      expect(() => assertLimitedFieldsUseResolvers(build(limited))).not.toThrow();
      expect(() => assertLimitedFieldsUseResolvers(build({ [`${rows}`]: {} }))).not.toThrow();
      expect(() => assertLimitedFieldsUseResolvers(build({ ...limited, [`${rows}`]: {} }))).toThrow(
        /Query.guessed declares rateLimit or guess/,
      );
    },
  );

  it('accept the device token in the path', async () => {
    expect((await app.rest(`/displays/state/${deviceToken}`)).status).toBe(200);
    expect((await app.rest(`/displays/heartbeat/${deviceToken}`)).status).toBe(200);
  });
});
