import { hashPassword } from '../../src/auth/passwords.ts';
import { STAFF, startApp, type TestApp } from '../support/app.ts';
import { walkGraphql, walkRest } from '../support/lists.ts';
import { ask, signIn, somebody, viewer } from '../support/people.ts';
import { NOW, PASSWORD } from '../support/seed.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1', CORS_ORIGINS: 'https://site.example' } });
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

describe('signing in', () => {
  it('with the right password opens a session, whatever the case of the address', async () => {
    for (const email of [STAFF.owner, ' ADA@Example.org ']) {
      const { setCookie } = await signIn(app, email);
      expect(await viewer(app, setCookie.split(';')[0] ?? '')).toEqual({
        kind: 'STAFF',
        name: 'Ada Lindqvist',
        role: 'OWNER',
      });
    }
  });

  it('fails in the same words for a wrong password and for an unknown person', async () => {
    const wrong = await signIn(app, STAFF.owner, 'not this one');
    const unknown = await signIn(app, 'nobody@example.org', PASSWORD);
    expect(wrong.refusal?.extensions).toEqual({
      code: 'UNAUTHENTICATED',
      reason: 'WRONG_CREDENTIALS',
    });
    expect([wrong.refusal?.message, wrong.setCookie]).toEqual([unknown.refusal?.message, '']);
    expect(wrong.refusal?.extensions).toEqual(unknown.refusal?.extensions);
  });

  it('keeps the session in a cookie that scripts and other sites do not get', async () => {
    const { setCookie } = await signIn(app, STAFF.owner);
    expect(setCookie).toMatch(/^foyer_session=foyers_[0-9A-Za-z]{49};/);
    for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=1209600'])
      expect(setCookie.split('; ')).toContain(flag);
    expect(setCookie).not.toContain('Secure');
  });

  it('over https keeps it to https and to this very host', async () => {
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

  it('keeps nothing of the secret but its hash', async () => {
    const { session } = await somebody(app);
    const secret = (await session()).split('=')[1] ?? '';
    const rows = await app.ctx.db.session.findMany();
    expect(rows.every(({ tokenHash }) => tokenHash.length === 32)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('a session', () => {
  it('ends at once when its owner signs out, and takes the cookie away', async () => {
    const { session } = await somebody(app);
    const [cookie, other] = [await session(), await session()];
    const { setCookie } = await ask(app, 'mutation { signOut }', {}, { cookie });
    expect(setCookie).toMatch(/^foyer_session=; Max-Age=0/);
    expect(await viewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await viewer(app, other)).toMatchObject({ kind: 'STAFF' });
  });

  it('ends by itself after fourteen days', async () => {
    const { session } = await somebody(app);
    const cookie = await session();
    app.clock.now = new Date(NOW.getTime() + 14 * 86_400_000 - 1);
    expect(await viewer(app, cookie)).toMatchObject({ kind: 'STAFF' });
    app.clock.now = new Date(NOW.getTime() + 14 * 86_400_000);
    expect(await viewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('may do what the role allows now, not what it allowed when it began', async () => {
    const { email, session } = await somebody(app, 'manager');
    const cookie = await session();
    const make =
      'mutation { createApiToken(input: { name: "x", scopes: ["bookings:read"] }) { token { id } } }';
    expect((await ask(app, make, {}, { cookie })).refusal).toBeUndefined();
    await app.ctx.db.user.update({ where: { email }, data: { role: 'front_desk' } });
    expect((await ask(app, make, {}, { cookie })).refusal?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'MANAGER_NEEDED',
    });
    await app.ctx.db.user.delete({ where: { email } });
    expect(await viewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('does nothing for pages of other sites', async () => {
    const cookie = await app.signIn(STAFF.owner);
    const refusalTo = async (origin?: string) =>
      (await ask(app, '{ viewer { kind } }', {}, { cookie, ...(origin ? { origin } : {}) })).refusal
        ?.extensions.reason;
    for (const own of [undefined, 'http://foyer.test', app.url, 'https://site.example'])
      expect([own, await refusalTo(own)]).toEqual([own, undefined]);
    for (const foreign of [
      'https://evil.example',
      'null',
      'https://foyer.test',
      'http://foyer.test.evil.example',
      'https://site.example:8443',
    ])
      expect([foreign, await refusalTo(foreign)]).toEqual([foreign, 'FOREIGN_ORIGIN']);
  });
});

describe('a member who signs in', () => {
  const passwordHash = hashPassword(PASSWORD);
  async function member(email: string) {
    const { id, name } = await app.ctx.db.member.findUniqueOrThrow({ where: { email } });
    await app.ctx.db.user.create({
      data: { name, email, memberId: id, passwordHash: await passwordHash },
    });
    return id;
  }

  it('sees their own bookings only, through both doors, and no keys', async () => {
    const id = await member('ben@example.org');
    const cookie = await app.signIn('ben@example.org');
    expect(await viewer(app, cookie)).toEqual({ kind: 'MEMBER', name: 'Ben Okafor', role: null });
    for (const walk of [walkRest, walkGraphql]) {
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
    const keys = await ask(app, '{ apiTokens { edges { cursor } } }', {}, { cookie });
    expect(keys.refusal?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
  });

  it('is refused once they have left, in the same words as a stranger, and so is their session', async () => {
    await member('aylin.demir@example.com');
    const cookie = await app.signIn('aylin.demir@example.com');
    await app.ctx.db.member.update({
      where: { email: 'aylin.demir@example.com' },
      data: { status: 'former' },
    });
    expect(await viewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    const { refusal, setCookie } = await signIn(app, 'aylin.demir@example.com');
    expect(refusal?.extensions.reason).toBe('WRONG_CREDENTIALS');
    expect(setCookie).toBe('');
  });
});
