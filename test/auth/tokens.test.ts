import { v7 } from 'uuid';
import type { Viewer } from '../../src/auth/viewer.ts';
import { createApiToken, rotateApiToken } from '../../src/features/tokens/service.ts';
import { NOW } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: { cookie: string };
const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const TOKEN = `id name prefix scopes createdAt createdBy { name } expiresAt revokedAt lastUsedAt replacedById`;
const manage = async (text: string, variables: object) => {
  const { data, errors } = await app.graphql(text, variables, owner);
  return { result: data, error: errors[0]?.extensions };
};

const create = (input: object) =>
  manage(
    `mutation ($input: CreateApiTokenInput!) {
      createApiToken(input: $input) { secret apiToken { ${TOKEN} } } }`,
    { input: { name: 'Website', scopes: ['bookings:read'], ...input } },
  ).then(({ result, error }) => ({ ...result?.createApiToken, error }));
const revoke = (id: string) =>
  manage(`mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { apiToken { ${TOKEN} } } }`, {
    id,
  }).then(({ result, error }) => ({ ...result?.revokeApiToken.apiToken, error }));
const rotate = (id: string, overlapMinutes: number) =>
  manage(
    `mutation ($id: ID!, $overlapMinutes: Int!) {
      rotateApiToken(input: { id: $id, overlapMinutes: $overlapMinutes }) { secret apiToken { ${TOKEN} } } }`,
    { id, overlapMinutes },
  ).then(({ result, error }) => ({ ...result?.rotateApiToken, error }));
const listed = async (id: string) => {
  const text = `query ($after: String) { apiTokens(first: 100, after: $after) { edges { node { ${TOKEN} } } } }`;
  const { result } = await manage(text, {});
  return result.apiTokens.edges
    .map(({ node }: { node: { id: string } }) => node)
    .find((node: { id: string }) => node.id === id);
};

const bookings = async (token: string) => (await app.rest('/bookings?limit=1', { token })).status;
const minutesLater = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

describe('a new API token', () => {
  it('is shown once, identified by its prefix and stored as a hash only', async () => {
    const { secret, apiToken } = await create({ scopes: ['bookings:read', 'spaces:read'] });
    expect(secret).toMatch(/^foyer_[0-9A-Za-z]{49}$/);
    expect(apiToken).toEqual({
      id: apiToken.id,
      name: 'Website',
      prefix: secret.slice(0, 12),
      scopes: ['bookings:read', 'spaces:read'],
      createdAt: NOW.toISOString(),
      createdBy: { name: 'Ada Lindqvist' },
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      replacedById: null,
    });
    expect(await listed(apiToken.id)).toEqual(apiToken);
    const row = await app.ctx.db.apiToken.findUniqueOrThrow({ where: { id: apiToken.id } });
    expect(row.hash).toHaveLength(32);
    expect(Buffer.from(JSON.stringify(row)).toString()).not.toContain(secret.slice(12));
    expect(logged.join()).not.toContain(secret);
  });

  it('allows what its scopes cover; other errors name the missing scope in both APIs', async () => {
    const { secret: token } = await create({ scopes: ['spaces:read'] });
    const rest = await app.rest('/bookings', { token });
    expect([rest.status, rest.body]).toEqual([
      403,
      { success: false, data: 'This needs the scope bookings:read.' },
    ]);
    const graphql = await app.graphql('{ bookings { edges { cursor } } }', {}, { token });
    expect(graphql.errors[0]).toMatchObject({
      message: 'This needs the scope bookings:read.',
      extensions: { code: 'FORBIDDEN', reason: 'MISSING_SCOPE', scope: 'bookings:read' },
    });
    const open = await app.graphql('{ locations { edges { node { slug } } } }', {}, { token });
    expect(open.codes).toEqual([]);
  });

  it('with * allows everything except managing tokens', async () => {
    const { secret: token } = await create({ scopes: ['*'] });
    const all =
      '{ viewer { kind name scopes } members { edges { cursor } } displays { edges { cursor } } }';
    const { data } = await app.graphql(all, {}, { token });
    expect(data.viewer).toEqual({ kind: 'TOKEN', name: 'Website', scopes: ['*'] });
    expect(await bookings(token)).toBe(200);
    const keys = await app.graphql('{ apiTokens { edges { cursor } } }', {}, { token });
    expect(keys.errors[0]?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
  });

  it('is valid until its expiry', async () => {
    const expiresAt = new Date(NOW.getTime() + 60_000).toISOString();
    const { secret, apiToken } = await create({ expiresAt });
    expect(apiToken.expiresAt).toBe(expiresAt);
    app.clock.now = new Date(NOW.getTime() + 59_999);
    expect(await bookings(secret)).toBe(200);
    minutesLater(1);
    expect(await bookings(secret)).toBe(401);
  });

  it.each([
    ['without scopes', { scopes: [] }, 'UNKNOWN_SCOPE'],
    ['with an unknown scope', { scopes: ['bookings:read', 'moon:read'] }, 'UNKNOWN_SCOPE'],
    ['with an expiry in the past', { expiresAt: NOW.toISOString() }, 'IN_THE_PAST'],
    ['without a name', { name: ' ' }, 'INVALID_INPUT'],
    ['with too long a name', { name: 'x'.repeat(201) }, 'INVALID_INPUT'],
  ])('is rejected %s', async (_, input, reason) => {
    expect((await create(input)).error).toMatchObject({ code: 'VALIDATION', reason });
  });

  it('cannot have scopes that its creator lacks', async () => {
    const maker: Viewer = { kind: 'token', id: v7(), name: 'maker', scopes: ['spaces:read'] };
    const ctx = { ...app.ctx, viewer: maker };
    const make = (...scopes: string[]) => createApiToken(ctx, { name: 'x', scopes });
    await expect(make('spaces:read')).resolves.toBeDefined();
    for (const beyond of [['spaces:read', 'bookings:read'], ['*']]) {
      await expect(make(...beyond)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: 'MISSING_SCOPE', scopes: beyond.slice(-1) },
      });
    }
    const { apiToken } = await create({ scopes: ['*'] });
    await expect(rotateApiToken(ctx, apiToken.id, 0)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await listed(apiToken.id)).toEqual(apiToken);
  });
});

describe('revoking', () => {
  it('ends only that token, from the next request on', async () => {
    const [one, other] = [await create({}), await create({})];
    expect(await bookings(one.secret)).toBe(200);
    expect((await revoke(one.apiToken.id)).revokedAt).toBe(NOW.toISOString());
    const rest = await app.rest('/bookings', { token: one.secret });
    expect([rest.status, rest.body]).toEqual([401, { success: false, data: 'Unauthenticated.' }]);
    expect(rest.headers.get('www-authenticate')).toBe('Bearer');
    const graphql = await app.graphql('{ viewer { kind } }', {}, { token: one.secret });
    expect([graphql.status, graphql.codes]).toEqual([401, ['UNAUTHENTICATED']]);
    expect(await bookings(other.secret)).toBe(200);
  });

  it('twice keeps the first time; an unknown token is NOT_FOUND', async () => {
    const { apiToken } = await create({});
    await revoke(apiToken.id);
    minutesLater(5);
    expect((await revoke(apiToken.id)).revokedAt).toBe(NOW.toISOString());
    expect((await revoke(v7())).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await revoke('x')).error).toMatchObject({ code: 'VALIDATION' });
  });
});

describe('rotating', () => {
  it('without an overlap ends the old token immediately and returns an equal one', async () => {
    const old = await create({ scopes: ['bookings:read', 'spaces:read'] });
    const next = await rotate(old.apiToken.id, 0);
    expect([await bookings(old.secret), await bookings(next.secret)]).toEqual([401, 200]);
    expect(next.apiToken).toMatchObject({ name: 'Website', scopes: old.apiToken.scopes });
    expect(await listed(old.apiToken.id)).toMatchObject({
      revokedAt: NOW.toISOString(),
      replacedById: next.apiToken.id,
    });
  });

  it('with an overlap keeps both tokens valid until its end', async () => {
    const old = await create({});
    const next = await rotate(old.apiToken.id, 60);
    const hold = async () => [await bookings(old.secret), await bookings(next.secret)];
    expect(await hold()).toEqual([200, 200]);
    minutesLater(59.99);
    expect(await hold()).toEqual([200, 200]);
    minutesLater(60);
    expect(await hold()).toEqual([401, 200]);
  });

  it('does not extend the expiry of a token', async () => {
    const expiresAt = new Date(NOW.getTime() + 30 * 60_000).toISOString();
    const old = await create({ expiresAt });
    const next = await rotate(old.apiToken.id, 60);
    expect(next.apiToken.expiresAt).toBe(expiresAt);
    expect((await listed(old.apiToken.id)).expiresAt).toBe(expiresAt);
  });

  it('works once: not twice, not concurrently and not for ended tokens', async () => {
    const ended = { code: 'CONFLICT', reason: 'TOKEN_ENDED' };
    const { apiToken } = await create({});
    await rotate(apiToken.id, 60);
    expect((await rotate(apiToken.id, 60)).error).toMatchObject(ended);

    const both = await create({});
    const responses = await Promise.all([
      rotate(both.apiToken.id, 60),
      rotate(both.apiToken.id, 60),
    ]);
    expect(responses.filter(({ error }) => error === undefined)).toHaveLength(1);

    const revoked = await create({});
    await revoke(revoked.apiToken.id);
    expect((await rotate(revoked.apiToken.id, 0)).error).toMatchObject(ended);

    const expired = await create({ expiresAt: new Date(NOW.getTime() + 60_000).toISOString() });
    minutesLater(1);
    expect((await rotate(expired.apiToken.id, 0)).error).toMatchObject(ended);
  });

  it('accepts an overlap of up to a week', async () => {
    const { apiToken } = await create({});
    for (const minutes of [-1, 10_081])
      expect((await rotate(apiToken.id, minutes)).error).toMatchObject({ code: 'VALIDATION' });
    expect((await rotate(apiToken.id, 10_080)).error).toBeUndefined();
    expect((await rotate(v7(), 0)).error).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the list of tokens', () => {
  it('is paginated, newest first, and includes ended tokens', async () => {
    const made: string[] = [];
    for (const minutes of [1, 2, 3]) {
      minutesLater(minutes);
      made.unshift((await create({})).apiToken.id);
    }
    await revoke(made[1] ?? '');
    const text = `query ($after: String) { apiTokens(first: 2, after: $after) {
      edges { node { id } } pageInfo { endCursor } } }`;
    const first = (await manage(text, {})).result.apiTokens;
    const second = (await manage(text, { after: first.pageInfo.endCursor })).result.apiTokens;
    const ids = [...first.edges, ...second.edges].map(({ node }) => node.id);
    expect(ids.slice(0, 3)).toEqual(made);
    expect((await manage(text, { after: 'nonsense' })).error).toMatchObject({
      reason: 'BAD_CURSOR',
    });
  });

  it('has the last use of each, to the minute', async () => {
    const { secret, apiToken } = await create({});
    const usedAfter = async (minutes: number) => {
      minutesLater(minutes);
      await bookings(secret);
      await app.app.close(); // flushes pending writes
      return (await listed(apiToken.id)).lastUsedAt;
    };
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();
    expect(await usedAfter(0)).toBe(at(0));
    expect(await usedAfter(1)).toBe(at(0));
    expect(await usedAfter(1.5)).toBe(at(1.5));
  });
});

describe('scopes', () => {
  it('have descriptions, and presets consist of them', async () => {
    const { data } = await app.graphql(
      '{ scopes { scope description } scopePresets { name scopes } }',
    );
    const known = data.scopes.map(({ scope }: { scope: string }) => scope);
    expect(known).toHaveLength(23);
    expect(known).toEqual(expect.arrayContaining(['bookings:read', 'webhooks:write', '*']));
    for (const { description } of data.scopes) expect(description).not.toBe('');
    expect(data.scopePresets.map(({ name }: { name: string }) => name)).toEqual([
      'Read only',
      'Front desk',
      'Website',
      'Everything',
    ]);
    for (const { scopes } of data.scopePresets)
      expect((await create({ scopes })).error).toBeUndefined();
  });
});
