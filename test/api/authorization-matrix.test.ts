import { buildSchema } from 'graphql';
import { z } from 'zod';
import { hashPassword } from '../../src/auth/passwords.ts';
import { scopeDescriptions } from '../../src/auth/scopes.ts';
import {
  assertFieldsDeclareAccess as refuseUnguardedFields,
  schema,
} from '../../src/graphql/schema.ts';
import { defineRoute, emptyQuery } from '../../src/rest/route.ts';
import {
  assertRoutesDeclareAccess as refuseUnguardedRoutes,
  routes,
} from '../../src/rest/route-table.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../support/app.ts';
import { MUTATIONS } from '../support/authorization-matrix/mutations.ts';
import { QUERIES } from '../support/authorization-matrix/queries.ts';
import { ROUTES } from '../support/authorization-matrix/routes.ts';
import { SUBSCRIPTIONS } from '../support/authorization-matrix/subscriptions.ts';
import { EVERYBODY, type Who } from '../support/authorization-matrix/who.ts';
import { PASSWORD } from '../support/seed.ts';

const FIELDS = { ...QUERIES, ...MUTATIONS, ...SUBSCRIPTIONS };

let app: TestApp;
let credentials: Record<Exclude<Who, 'token with' | 'token without'>, Credential>;
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

/** One for each set of scopes: no door here ends a token. */
const tokens = new Map<string, Promise<string>>();
function tokenOf(...scopes: string[]): Promise<string> {
  const name = scopes.join();
  const token = tokens.get(name) ?? app.token(...scopes);
  tokens.set(name, token);
  return token;
}

// A door may end a session, so everybody comes with a fresh one.
async function credentialOf(who: Who, scope: string | undefined): Promise<Credential> {
  if (who === 'token with') return { token: await tokenOf(scope ?? '*') };
  if (who === 'token without') return tokenWithout(scope);
  const email = {
    member: 'ben@example.org',
    'front desk': STAFF.front_desk,
    manager: STAFF.manager,
    owner: STAFF.owner,
  }[who as string];
  return email ? { cookie: await app.signIn(email) } : credentials[who];
}

/** It has every scope by name, but this one: no other opens the same door. */
const tokenWithout = async (scope: string | undefined): Promise<Credential> => ({
  token: await tokenOf(
    ...scopeDescriptions.map(({ scope }) => scope).filter((one) => one !== '*' && one !== scope),
  ),
});

describe.each(Object.entries(FIELDS))('%s', (name, { ask, scope, may }) => {
  it.each(EVERYBODY)('is answered or refused as it should be for %s', async (who) => {
    const { codes, errors } = await app.graphql(ask, {}, await credentialOf(who, scope));
    const refused =
      !/^(Mutation\.(signIn|redeemSignInLink|acceptStaffLink)|Query\.staffLink)$/.test(name) &&
      codes.some((code) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
    expect({ who, passes: !refused, errors: refused ? [] : errors }).toEqual({
      who,
      passes: may.includes(who),
      errors: refused ? [] : errors,
    });
    if (refused) expect(codes).toEqual([who === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN']);
    expect(codes).not.toContain('INTERNAL');
  });

  if (scope) {
    it(`names ${scope} to a token that lacks it`, async () => {
      const { errors } = await app.graphql(ask, {}, await tokenWithout(scope));
      expect(errors[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'MISSING_SCOPE',
        scope,
      });
    });
  }
});

describe.each(Object.entries(ROUTES))('%s', (_, { ask, body, scope, may }) => {
  const init: RequestInit = body
    ? {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }
    : {};

  it.each(EVERYBODY)('is answered or refused as it should be for %s', async (who) => {
    const { status } = await app.rest(ask, await credentialOf(who, scope), init);
    const refused = status === 401 || status === 403;
    expect({ who, passes: !refused }).toEqual({ who, passes: may.includes(who) });
    if (refused) expect(status).toBe(who === 'anonymous' || !scope ? 401 : 403);
    else expect([200, 404, 422]).toContain(status);
  });
});

describe('the doors', () => {
  it('are all walked here, every root field and every route', () => {
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

  it('let nobody change a thing who may only read', () => {
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

  it('keep the process from starting while one of them declares no scope', () => {
    expect(() => refuseUnguardedFields(buildSchema('type Query { open: String }'))).toThrow(
      /Query.open declares no scope/,
    );
    const open = defineRoute({
      method: 'GET',
      path: '/open',
      access: 'public',
      summary: 'Open',
      query: emptyQuery,
      data: z.object({}),
      handler: async () => ({ data: {} }),
    });
    // @ts-expect-error a route without a scope does not type-check either
    expect(() => refuseUnguardedRoutes([{ ...open, access: undefined }])).toThrow(
      /GET \/open declares no scope/,
    );
  });

  it('let the device itself in by the token in its path', async () => {
    expect((await app.rest(`/displays/state/${deviceToken}`)).status).toBe(200);
    expect((await app.rest(`/displays/heartbeat/${deviceToken}`)).status).toBe(200);
  });
});
