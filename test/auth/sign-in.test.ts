import { assertSameOrigin } from '../../src/auth/cookies.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { fetchAllByGraphql, fetchAllByRest } from '../support/clients/lists.ts';
import { fetchViewer, sendQuery, signIn } from '../support/clients/sign-in.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { NOW, PASSWORD } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1', CORS_ORIGINS: 'https://site.example' } });
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

describe('signing in', () => {
  it('opens a session with the right password and the address in any case', async () => {
    for (const email of [STAFF.owner, ' ADA@Example.org ']) {
      const { setCookie } = await signIn(app, email);
      expect(await fetchViewer(app, setCookie.split(';')[0] ?? '')).toEqual({
        kind: 'STAFF',
        name: 'Ada Lindqvist',
        role: 'OWNER',
      });
    }
  });

  it('returns the same error for a wrong password and an unknown address', async () => {
    const wrong = await signIn(app, STAFF.owner, 'not this one');
    const unknown = await signIn(app, 'nobody@example.org', PASSWORD);
    expect(wrong.error?.extensions).toEqual({
      code: 'UNAUTHENTICATED',
      reason: 'WRONG_CREDENTIALS',
    });
    expect([wrong.error?.message, wrong.setCookie]).toEqual([unknown.error?.message, '']);
    expect(wrong.error?.extensions).toEqual(unknown.error?.extensions);
  });

  it('sets an HttpOnly cookie with SameSite', async () => {
    const { setCookie } = await signIn(app, STAFF.owner);
    expect(setCookie).toMatch(/^foyer_session=foyers_[0-9A-Za-z]{49};/);
    for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=1209600'])
      expect(setCookie.split('; ')).toContain(flag);
    expect(setCookie).not.toContain('Secure');
  });

  it('sets a Secure cookie with the __Host- prefix over https', async () => {
    const secure = await startApp({ config: { BASE_URL: 'https://foyer.test' } });
    const { setCookie } = await signIn(secure, STAFF.owner);
    expect(setCookie).toMatch(/^__Host-foyer_session=foyers_/);
    expect(setCookie.split('; ')).toEqual(expect.arrayContaining(['Secure', 'Path=/']));
    expect(setCookie).not.toContain('Domain');
    const { data } = await secure.graphql(
      '{ viewer { kind } }',
      {},
      { cookie: setCookie.split(';')[0] },
    );
    expect(data.viewer.kind).toBe('STAFF');
    await secure.stop();
  });

  it('has a cookie of its own on each port and path of a host', async () => {
    const names = [];
    for (const address of ['http://foyer.test:4001', 'https://foyer.test:8443/space/']) {
      const other = await startApp({ config: { BASE_URL: address } });
      const { setCookie } = await signIn(other, STAFF.owner);
      const cookie = setCookie.split(';')[0] ?? '';
      names.push(cookie.split('=')[0]);
      expect(await fetchViewer(other, `foyer_session=x; ${cookie}`)).toMatchObject({
        kind: 'STAFF',
      });
      expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
      await other.stop();
    }
    expect(names).toEqual(['foyer_session_4001', '__Host-foyer_session_8443_space']);
  });

  it('stores only the hash of the secret', async () => {
    const { session } = await createStaffUser(app);
    const secret = (await session()).split('=')[1] ?? '';
    const rows = await app.ctx.db.session.findMany();
    expect(rows.every(({ tokenHash }) => tokenHash.length === 32)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('a session', () => {
  it('ends immediately when its owner signs out, and the cookie is cleared', async () => {
    const { session } = await createStaffUser(app);
    const [cookie, other] = [await session(), await session()];
    const { setCookie } = await sendQuery(
      app,
      'mutation { signOut { viewer { kind } } }',
      {},
      { cookie },
    );
    expect(setCookie).toMatch(/^foyer_session=; Max-Age=0/);
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await fetchViewer(app, other)).toMatchObject({ kind: 'STAFF' });
  });

  it('expires after fourteen days', async () => {
    const { session } = await createStaffUser(app);
    const cookie = await session();
    app.clock.now = new Date(NOW.getTime() + 14 * 86_400_000 - 1);
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'STAFF' });
    app.clock.now = new Date(NOW.getTime() + 14 * 86_400_000);
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('has the permissions of the current role, not of the role at sign-in', async () => {
    const { email, session } = await createStaffUser(app, 'manager');
    const cookie = await session();
    const make =
      'mutation { createApiToken(input: { name: "x", scopes: ["bookings:read"] }) { apiToken { id } } }';
    expect((await sendQuery(app, make, {}, { cookie })).error).toBeUndefined();
    await app.ctx.db.user.update({ where: { email }, data: { role: 'front_desk' } });
    expect((await sendQuery(app, make, {}, { cookie })).error?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'MANAGER_NEEDED',
    });
    await app.ctx.db.user.delete({ where: { email } });
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('is rejected for requests from other sites', async () => {
    const cookie = await app.signIn(STAFF.owner);
    const getErrorReason = async (origin?: string) =>
      (await sendQuery(app, '{ viewer { kind } }', {}, { cookie, ...(origin ? { origin } : {}) }))
        .error?.extensions.reason;
    for (const own of [undefined, 'http://foyer.test', app.url, 'https://site.example'])
      expect([own, await getErrorReason(own)]).toEqual([own, undefined]);
    for (const foreign of [
      'https://evil.example',
      'null',
      'https://foyer.test',
      'http://foyer.test.evil.example',
      'https://site.example:8443',
    ])
      expect([foreign, await getErrorReason(foreign)]).toEqual([foreign, 'FOREIGN_ORIGIN']);
  });
});

it.each([
  ['https://foyer.test', 'https://10.0.0.5:4000', true],
  ['https://foyer.test', 'http://10.0.0.5:4000', false],
  ['http://foyer.test', 'http://10.0.0.5:4000', true],
])('a service at %s is used by its pages at %s: %s', (baseUrl, origin, isAllowed) => {
  const assert = () =>
    assertSameOrigin({ origin, host: '10.0.0.5:4000' }, { baseUrl, corsOrigins: [] });
  if (isAllowed) assert();
  else expect(assert).toThrow('cannot use your session');
});

describe('a signed-in member', () => {
  const passwordHash = hashPassword(PASSWORD);
  async function member(email: string) {
    const { id, name } = await app.ctx.db.member.findUniqueOrThrow({ where: { email } });
    await app.ctx.db.user.create({
      data: { name, email, memberId: id, passwordHash: await passwordHash },
    });
    return id;
  }

  it('sees only their own bookings in both APIs, and no API tokens', async () => {
    const id = await member('ben@example.org');
    const cookie = await app.signIn('ben@example.org');
    expect(await fetchViewer(app, cookie)).toEqual({
      kind: 'MEMBER',
      name: 'Ben Okafor',
      role: null,
    });
    for (const walk of [fetchAllByRest, fetchAllByGraphql]) {
      const { items } = await walk(app, {
        list: 'bookings',
        filter: {},
        limit: 100,
        as: { cookie },
      });
      expect(items.length).toBeGreaterThan(0);
      expect(new Set(items.map((item) => (item.member as { id: string } | null)?.id))).toEqual(
        new Set([id]),
      );
    }
    const keys = await sendQuery(app, '{ apiTokens { edges { cursor } } }', {}, { cookie });
    expect(keys.error?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
  });

  it('is rejected like a stranger after leaving, as is their session', async () => {
    await member('aylin.demir@example.com');
    const cookie = await app.signIn('aylin.demir@example.com');
    await app.ctx.db.member.update({
      where: { email: 'aylin.demir@example.com' },
      data: { status: 'former' },
    });
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    const { error, setCookie } = await signIn(app, 'aylin.demir@example.com');
    expect(error?.extensions.reason).toBe('WRONG_CREDENTIALS');
    expect(setCookie).toBe('');
  });
});
