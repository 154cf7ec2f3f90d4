import { buildSchema } from 'graphql';
import { v7 } from 'uuid';
import { z } from 'zod';
import { hashPassword } from '../src/auth/passwords.ts';
import { refuseUnguarded as refuseUnguardedFields, schema } from '../src/graphql/schema.ts';
import { noQuery, route } from '../src/rest/route.ts';
import { refuseUnguarded as refuseUnguardedRoutes, routes } from '../src/rest/routes.ts';
import { type Credential, STAFF, startApp, type TestApp } from './support/app.ts';
import { PASSWORD } from './support/seed.ts';

type Who =
  | 'anonymous'
  | 'member'
  | 'device'
  | 'token without'
  | 'token with'
  | 'front desk'
  | 'manager'
  | 'owner';

const EVERYBODY: Who[] = [
  'anonymous',
  'member',
  'device',
  'token without',
  'token with',
  'front desk',
  'manager',
  'owner',
];
const SIGNED_IN: Who[] = ['member', 'front desk', 'manager', 'owner'];
const MANAGERS: Who[] = ['manager', 'owner'];
const STAFF_AND_TOKENS: Who[] = ['token with', 'front desk', 'manager', 'owner'];
const MANAGERS_AND_TOKENS: Who[] = ['token with', 'manager', 'owner'];

interface Entry {
  /** A query, or a path of the REST door. */
  ask: string;
  /** What a token needs; without one, no token has it. */
  scope?: string;
  may: Who[];
}

const nobody = v7();
const page = '(first: 1) { edges { node { id } } }';

// Who may pass each door. Asked so that whoever passes changes nothing: a thing that is not there, a wrong password.
const FIELDS: Record<string, Entry> = {
  'Query.apiTokens': { ask: `{ apiTokens${page} }`, may: MANAGERS },
  'Query.booking': {
    ask: `{ booking(id: "${nobody}") { id } }`,
    scope: 'bookings:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.bookings': {
    ask: `{ bookings${page} }`,
    scope: 'bookings:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.displays': { ask: `{ displays${page} }`, scope: 'displays:read', may: STAFF_AND_TOKENS },
  'Query.event': { ask: '{ event(slug: "none") { id } }', may: EVERYBODY },
  'Query.events': { ask: `{ events${page} }`, may: EVERYBODY },
  'Query.locations': {
    ask: `{ locations${page} }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.members': { ask: `{ members${page} }`, scope: 'members:read', may: STAFF_AND_TOKENS },
  'Query.resources': {
    ask: `{ resources${page} }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.scopePresets': { ask: '{ scopePresets { name } }', may: EVERYBODY },
  'Query.scopes': { ask: '{ scopes { scope } }', may: EVERYBODY },
  'Query.viewer': { ask: '{ viewer { kind } }', may: EVERYBODY },
  'Mutation.changePassword': {
    ask: 'mutation { changePassword(current: "wrong", next: "wrong") }',
    may: SIGNED_IN,
  },
  'Mutation.createApiToken': {
    ask: 'mutation { createApiToken(input: { name: "x", scopes: [] }) { plainText } }',
    may: MANAGERS,
  },
  'Mutation.createDisplay': {
    ask: `mutation { createDisplay(input: { name: "x", kind: WELCOME, locationId: "${nobody}" }) { deviceToken } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createLocation': {
    ask: 'mutation { createLocation(input: { name: "x", slug: "x", timeZone: "Nowhere" }) { id } }',
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createMember': {
    ask: 'mutation { createMember(input: { name: "x", email: "no address" }) { id } }',
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.createResource': {
    ask: `mutation { createResource(input: { name: "x", slug: "x", type: ROOM, locationId: "${nobody}" }) { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.revokeApiToken': {
    ask: `mutation { revokeApiToken(id: "${nobody}") { id } }`,
    may: MANAGERS,
  },
  'Mutation.revokeDisplay': {
    ask: `mutation { revokeDisplay(id: "${nobody}") { id } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateApiToken': {
    ask: `mutation { rotateApiToken(id: "${nobody}", overlapMinutes: 0) { plainText } }`,
    may: MANAGERS,
  },
  'Mutation.signIn': {
    ask: 'mutation { signIn(email: "nobody@example.org", password: "wrong") }',
    may: EVERYBODY,
  },
  'Mutation.signOut': { ask: 'mutation { signOut }', may: EVERYBODY },
};

const ROUTES: Record<string, Entry> = {
  'GET /bookings': {
    ask: '/bookings?limit=1',
    scope: 'bookings:read',
    may: ['token with', 'member', 'front desk', 'manager', 'owner'],
  },
  'GET /public/events': { ask: '/public/events?limit=1', may: EVERYBODY },
  'GET /displays/state': { ask: '/displays/state', may: ['device'] },
  'GET /displays/heartbeat': { ask: '/displays/heartbeat', may: ['device'] },
  'GET /displays/state/{device_token}': { ask: '/displays/state/unknown', may: [] },
  'GET /displays/heartbeat/{device_token}': { ask: '/displays/heartbeat/unknown', may: [] },
};

let app: TestApp;
let credentials: Record<Exclude<Who, 'token with'>, Credential>;
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
    'token without': { token: await app.token('webhooks:read') },
    member: {},
    'front desk': {},
    manager: {},
    owner: {},
  };
});
afterAll(() => app.stop());

// A door may end a session, so everybody comes with a fresh one.
async function credentialOf(who: Who, scope: string | undefined): Promise<Credential> {
  if (who === 'token with') return { token: await app.token(scope ?? '*') };
  const email = {
    member: 'ben@example.org',
    'front desk': STAFF.front_desk,
    manager: STAFF.manager,
    owner: STAFF.owner,
  }[who as string];
  return email ? { cookie: await app.signIn(email) } : credentials[who];
}

describe.each(Object.entries(FIELDS))('%s', (name, { ask, scope, may }) => {
  it.each(EVERYBODY)('is answered or refused as it should be for %s', async (who) => {
    const { codes, errors } = await app.graphql(ask, {}, await credentialOf(who, scope));
    const refused =
      name !== 'Mutation.signIn' &&
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
      const { errors } = await app.graphql(ask, {}, credentials['token without']);
      expect(errors[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'MISSING_SCOPE',
        scope,
      });
    });
  }
});

describe.each(Object.entries(ROUTES))('%s', (_, { ask, scope, may }) => {
  it.each(EVERYBODY)('is answered or refused as it should be for %s', async (who) => {
    const { status } = await app.rest(ask, await credentialOf(who, scope));
    expect({ who, passes: status === 200 }).toEqual({ who, passes: may.includes(who) });
    if (status !== 200) expect(status).toBe(who === 'anonymous' || !scope ? 401 : 403);
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

  it('keep the process from starting while one of them declares no scope', () => {
    expect(() => refuseUnguardedFields(buildSchema('type Query { open: String }'))).toThrow(
      /Query.open declares no scope/,
    );
    const open = route({
      method: 'GET',
      path: '/open',
      access: 'public',
      summary: 'Open',
      query: noQuery,
      data: z.object({}),
      answer: async () => ({ data: {} }),
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
