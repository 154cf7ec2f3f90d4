import { v7 } from 'uuid';
import type { Viewer } from '../../src/auth/viewer.ts';
import { createApiToken, rotateApiToken } from '../../src/features/tokens/service.ts';
import { STAFF, startApp, type TestApp } from '../support/app.ts';
import { NOW } from '../support/seed.ts';

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

const TOKEN = `id name prefix scopes createdAt createdBy expiresAt revokedAt lastUsedAt replacedById`;
const manage = async (text: string, variables: object) => {
  const { data, errors } = await app.graphql(text, variables, owner);
  return { result: data, refusal: errors[0]?.extensions };
};

const create = (input: object) =>
  manage(
    `mutation ($input: CreateApiTokenInput!) {
      createApiToken(input: $input) { plainText token { ${TOKEN} } } }`,
    { input: { name: 'Website', scopes: ['bookings:read'], ...input } },
  ).then(({ result, refusal }) => ({ ...result?.createApiToken, refusal }));
const revoke = (id: string) =>
  manage(`mutation ($id: ID!) { revokeApiToken(id: $id) { ${TOKEN} } }`, { id }).then(
    ({ result, refusal }) => ({ ...result?.revokeApiToken, refusal }),
  );
const rotate = (id: string, overlapMinutes: number) =>
  manage(
    `mutation ($id: ID!, $overlapMinutes: Int!) {
      rotateApiToken(id: $id, overlapMinutes: $overlapMinutes) { plainText token { ${TOKEN} } } }`,
    { id, overlapMinutes },
  ).then(({ result, refusal }) => ({ ...result?.rotateApiToken, refusal }));
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
  it('is shown once, named and told by its prefix, and kept as a hash only', async () => {
    const { plainText, token } = await create({ scopes: ['bookings:read', 'spaces:read'] });
    expect(plainText).toMatch(/^foyer_[0-9A-Za-z]{49}$/);
    expect(token).toEqual({
      id: token.id,
      name: 'Website',
      prefix: plainText.slice(0, 12),
      scopes: ['bookings:read', 'spaces:read'],
      createdAt: NOW.toISOString(),
      createdBy: 'Ada Lindqvist',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      replacedById: null,
    });
    expect(await listed(token.id)).toEqual(token);
    const row = await app.ctx.db.apiToken.findUniqueOrThrow({ where: { id: token.id } });
    expect(row.hash).toHaveLength(32);
    expect(Buffer.from(JSON.stringify(row)).toString()).not.toContain(plainText.slice(12));
    expect(logged.join()).not.toContain(plainText);
  });

  it('opens what its scopes cover and names the missing one elsewhere, through both doors', async () => {
    const { plainText: token } = await create({ scopes: ['spaces:read'] });
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

  it('with * opens everything but the keys themselves', async () => {
    const { plainText: token } = await create({ scopes: ['*'] });
    const all =
      '{ viewer { kind name scopes } members { edges { cursor } } displays { edges { cursor } } }';
    const { data } = await app.graphql(all, {}, { token });
    expect(data.viewer).toEqual({ kind: 'TOKEN', name: 'Website', scopes: ['*'] });
    expect(await bookings(token)).toBe(200);
    const keys = await app.graphql('{ apiTokens { edges { cursor } } }', {}, { token });
    expect(keys.errors[0]?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
  });

  it('may end at a time: before it holds, from then on it does not', async () => {
    const expiresAt = new Date(NOW.getTime() + 60_000).toISOString();
    const { plainText, token } = await create({ expiresAt });
    expect(token.expiresAt).toBe(expiresAt);
    app.clock.now = new Date(NOW.getTime() + 59_999);
    expect(await bookings(plainText)).toBe(200);
    minutesLater(1);
    expect(await bookings(plainText)).toBe(401);
  });

  it.each([
    ['without scopes', { scopes: [] }, 'UNKNOWN_SCOPE'],
    ['with a scope that is not there', { scopes: ['bookings:read', 'moon:read'] }, 'UNKNOWN_SCOPE'],
    ['that would have ended already', { expiresAt: NOW.toISOString() }, 'IN_THE_PAST'],
    ['without a name', { name: ' ' }, 'INVALID_INPUT'],
    ['with too long a name', { name: 'x'.repeat(201) }, 'INVALID_INPUT'],
  ])('is refused %s', async (_, input, reason) => {
    expect((await create(input)).refusal).toMatchObject({ code: 'VALIDATION', reason });
  });

  it('never has a scope that its maker has not', async () => {
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
    const { token } = await create({ scopes: ['*'] });
    await expect(rotateApiToken(ctx, token.id, 0)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await listed(token.id)).toEqual(token);
  });
});

describe('revoking', () => {
  it('ends the token with the very next request, and no other', async () => {
    const [one, other] = [await create({}), await create({})];
    expect(await bookings(one.plainText)).toBe(200);
    expect((await revoke(one.token.id)).revokedAt).toBe(NOW.toISOString());
    const rest = await app.rest('/bookings', { token: one.plainText });
    expect([rest.status, rest.body]).toEqual([401, { success: false, data: 'Unauthenticated.' }]);
    expect(rest.headers.get('www-authenticate')).toBe('Bearer');
    const graphql = await app.graphql('{ viewer { kind } }', {}, { token: one.plainText });
    expect([graphql.status, graphql.codes]).toEqual([401, ['UNAUTHENTICATED']]);
    expect(await bookings(other.plainText)).toBe(200);
  });

  it('done twice keeps the first moment, and of no token is NOT_FOUND', async () => {
    const { token } = await create({});
    await revoke(token.id);
    minutesLater(5);
    expect((await revoke(token.id)).revokedAt).toBe(NOW.toISOString());
    expect((await revoke(v7())).refusal).toMatchObject({ code: 'NOT_FOUND' });
    expect((await revoke('x')).refusal).toMatchObject({ code: 'VALIDATION' });
  });
});

describe('rotating', () => {
  it('without overlap ends the old token at once and gives one like it', async () => {
    const old = await create({ scopes: ['bookings:read', 'spaces:read'] });
    const next = await rotate(old.token.id, 0);
    expect([await bookings(old.plainText), await bookings(next.plainText)]).toEqual([401, 200]);
    expect(next.token).toMatchObject({ name: 'Website', scopes: old.token.scopes });
    expect(await listed(old.token.id)).toMatchObject({
      revokedAt: NOW.toISOString(),
      replacedById: next.token.id,
    });
  });

  it('with an overlap lets both hold until it is over', async () => {
    const old = await create({});
    const next = await rotate(old.token.id, 60);
    const hold = async () => [await bookings(old.plainText), await bookings(next.plainText)];
    expect(await hold()).toEqual([200, 200]);
    minutesLater(59.99);
    expect(await hold()).toEqual([200, 200]);
    minutesLater(60);
    expect(await hold()).toEqual([401, 200]);
  });

  it('never lets a token live longer than it would have', async () => {
    const expiresAt = new Date(NOW.getTime() + 30 * 60_000).toISOString();
    const old = await create({ expiresAt });
    const next = await rotate(old.token.id, 60);
    expect(next.token.expiresAt).toBe(expiresAt);
    expect((await listed(old.token.id)).expiresAt).toBe(expiresAt);
  });

  it('is done once: neither twice, nor at the same moment, nor to what has ended', async () => {
    const ended = { code: 'CONFLICT', reason: 'TOKEN_ENDED' };
    const { token } = await create({});
    await rotate(token.id, 60);
    expect((await rotate(token.id, 60)).refusal).toMatchObject(ended);

    const both = await create({});
    const answers = await Promise.all([rotate(both.token.id, 60), rotate(both.token.id, 60)]);
    expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);

    const revoked = await create({});
    await revoke(revoked.token.id);
    expect((await rotate(revoked.token.id, 0)).refusal).toMatchObject(ended);

    const expired = await create({ expiresAt: new Date(NOW.getTime() + 60_000).toISOString() });
    minutesLater(1);
    expect((await rotate(expired.token.id, 0)).refusal).toMatchObject(ended);
  });

  it('takes an overlap from none to a week', async () => {
    const { token } = await create({});
    for (const minutes of [-1, 10_081])
      expect((await rotate(token.id, minutes)).refusal).toMatchObject({ code: 'VALIDATION' });
    expect((await rotate(token.id, 10_080)).refusal).toBeUndefined();
    expect((await rotate(v7(), 0)).refusal).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the list of tokens', () => {
  it('has the newest first, page by page, ended ones too', async () => {
    const made: string[] = [];
    for (const minutes of [1, 2, 3]) {
      minutesLater(minutes);
      made.unshift((await create({})).token.id);
    }
    await revoke(made[1] ?? '');
    const text = `query ($after: String) { apiTokens(first: 2, after: $after) {
      edges { node { id } } pageInfo { endCursor } } }`;
    const first = (await manage(text, {})).result.apiTokens;
    const second = (await manage(text, { after: first.pageInfo.endCursor })).result.apiTokens;
    const ids = [...first.edges, ...second.edges].map(({ node }) => node.id);
    expect(ids.slice(0, 3)).toEqual(made);
    expect((await manage(text, { after: 'nonsense' })).refusal).toMatchObject({
      reason: 'BAD_CURSOR',
    });
  });

  it('tells when each was last used, to the minute', async () => {
    const { plainText, token } = await create({});
    const usedAfter = async (minutes: number) => {
      minutesLater(minutes);
      await bookings(plainText);
      await app.app.close(); // writes what is waiting
      return (await listed(token.id)).lastUsedAt;
    };
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();
    expect(await usedAfter(0)).toBe(at(0));
    expect(await usedAfter(1)).toBe(at(0));
    expect(await usedAfter(1.5)).toBe(at(1.5));
  });
});

describe('scopes', () => {
  it('are described one by one, and presets are made of them', async () => {
    const { data } = await app.graphql(
      '{ scopes { scope description } scopePresets { name scopes } }',
    );
    const known = data.scopes.map(({ scope }: { scope: string }) => scope);
    expect(known).toHaveLength(21);
    expect(known).toEqual(expect.arrayContaining(['bookings:read', 'webhooks:write', '*']));
    for (const { description } of data.scopes) expect(description).not.toBe('');
    expect(data.scopePresets.map(({ name }: { name: string }) => name)).toEqual([
      'Read only',
      'Front desk',
      'Website',
      'Everything',
    ]);
    for (const { scopes } of data.scopePresets)
      expect((await create({ scopes })).refusal).toBeUndefined();
  });
});
