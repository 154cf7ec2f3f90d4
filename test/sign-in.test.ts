import { hashPassword } from '../src/auth/passwords.ts';
import { createStaff } from '../src/auth/sign-in.ts';
import { STAFF, startApp, type TestApp } from './support/app.ts';
import { walkGraphql, walkRest } from './support/lists.ts';
import { NOW, PASSWORD } from './support/seed.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1', CORS_ORIGINS: 'https://site.example' } });
});
beforeEach(() => {
  network += 1;
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

// Each test has a network of its own: guesses of one must not count against another.
let network = 0;
const from = (host: number) => ({ address: `10.0.${network}.${host}` });

interface Asking {
  cookie?: string;
  origin?: string;
  /** As the proxy in front sees it. */
  address?: string;
}

async function graphql(query: string, variables: object, asking: Asking = {}, to = app) {
  const { cookie, origin, address } = { ...from(1), ...asking };
  const answer = await fetch(`${to.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(cookie ? { cookie } : {}),
      ...(origin ? { origin } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = (await answer.json()) as {
    data?: Record<string, { kind: string; name: string; role: string }>;
    errors?: { message: string; extensions: Record<string, unknown> }[];
  };
  return { data, refusal: errors[0], setCookie: answer.headers.getSetCookie()[0] ?? '' };
}

const SIGN_IN =
  'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }';
const signIn = (email: string, password = PASSWORD, asking: Asking = {}, to = app) =>
  graphql(SIGN_IN, { email, password }, asking, to);
const viewer = async (cookie: string) =>
  (await graphql('{ viewer { kind name role } }', {}, { cookie })).data?.viewer;

/** Somebody new, so that no test stands in another's way. */
let people = 0;
async function somebody(role: 'owner' | 'manager' | 'front_desk' = 'manager') {
  people += 1;
  const email = `person-no-${people}@example.org`;
  const password = 'copper lantern avenue';
  await createStaff(app.ctx, { name: 'Some Body', email, password, role });
  return { email, password, session: () => app.signIn(email, password) };
}

describe('signing in', () => {
  it('with the right password opens a session, whatever the case of the address', async () => {
    for (const email of [STAFF.owner, ' ADA@Example.org ']) {
      const { setCookie } = await signIn(email);
      expect(await viewer(setCookie.split(';')[0] ?? '')).toEqual({
        kind: 'STAFF',
        name: 'Ada Lindqvist',
        role: 'OWNER',
      });
    }
  });

  it('fails in the same words for a wrong password and for an unknown person', async () => {
    const wrong = await signIn(STAFF.owner, 'not this one');
    const unknown = await signIn('nobody@example.org', PASSWORD);
    expect(wrong.refusal?.extensions).toEqual({
      code: 'UNAUTHENTICATED',
      reason: 'WRONG_CREDENTIALS',
    });
    expect([wrong.refusal?.message, wrong.setCookie]).toEqual([unknown.refusal?.message, '']);
    expect(wrong.refusal?.extensions).toEqual(unknown.refusal?.extensions);
  });

  it('keeps the session in a cookie that scripts and other sites do not get', async () => {
    const { setCookie } = await signIn(STAFF.owner);
    expect(setCookie).toMatch(/^foyer_session=foyers_[0-9A-Za-z]{49};/);
    for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=1209600'])
      expect(setCookie.split('; ')).toContain(flag);
    expect(setCookie).not.toContain('Secure');
  });

  it('over https keeps it to https and to this very host', async () => {
    const secure = await startApp({ config: { BASE_URL: 'https://foyer.test' } });
    const { setCookie } = await signIn(STAFF.owner, PASSWORD, {}, secure);
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
    const { session } = await somebody();
    const secret = (await session()).split('=')[1] ?? '';
    const rows = await app.ctx.db.session.findMany();
    expect(rows.every(({ tokenHash }) => tokenHash.length === 32)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('guessing passwords', () => {
  it('is over after ten attempts, for the right one too, and says when to come back', async () => {
    const { email, password } = await somebody();
    const { email: other, password: others } = await somebody();
    for (let i = 0; i < 10; i += 1)
      expect((await signIn(email, `guess ${i}`)).refusal?.extensions.code).toBe('UNAUTHENTICATED');
    const { refusal } = await signIn(email, password);
    expect(refusal?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      reason: 'TOO_MANY_ATTEMPTS',
    });
    const seconds = Number(refusal?.extensions.retryAfterSeconds);
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    const spelt = await signIn(` ${email.toUpperCase()}`, password);
    expect(spelt.refusal?.extensions.code).toBe('RATE_LIMITED');
    // Nobody else suffers, and the owner elsewhere is not locked out.
    expect((await signIn(other, others)).refusal).toBeUndefined();
    expect((await signIn(email, password, from(2))).refusal).toBeUndefined();
  });

  it('is over for an account after two hundred attempts, from wherever they come', async () => {
    const { email, password } = await somebody();
    await signIn(email, 'guess', from(5));
    const key = `sign-in-account:${email}`;
    await app.ctx.db.rateLimit.update({ where: { key }, data: { points: 199 } });
    const last = await signIn(email, 'guess', from(6));
    expect(last.refusal?.extensions.code).toBe('UNAUTHENTICATED');
    const { refusal } = await signIn(email, password, from(7));
    expect(refusal?.extensions.code).toBe('RATE_LIMITED');
  });

  it('is over for people who are not there as well, so that it tells nothing', async () => {
    for (let i = 0; i < 10; i += 1) await signIn('ghost@example.org', `guess ${i}`);
    const { refusal } = await signIn('ghost@example.org');
    expect(refusal?.extensions.code).toBe('RATE_LIMITED');
  });

  it('is forgiven to who then knows it', async () => {
    const { email, password } = await somebody();
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 9; i += 1) await signIn(email, `guess ${i}`);
      expect((await signIn(email, password)).refusal).toBeUndefined();
    }
  });

  it('is over for an address after fifty attempts, whoever is guessed at', async () => {
    const { email, password } = await somebody();
    const { address } = from(4);
    const guesses = Array.from({ length: 50 }, (_, i) =>
      signIn(`guessed-${i}@example.org`, PASSWORD, { address }),
    );
    await Promise.all(guesses);
    const { refusal } = await signIn(email, password, { address });
    expect(refusal?.extensions.code).toBe('RATE_LIMITED');
    // What a caller writes into the header does not make them somebody else.
    const forged = await signIn(email, password, { address: `198.51.100.7, ${address}` });
    expect(forged.refusal?.extensions.code).toBe('RATE_LIMITED');
    expect((await signIn(email, password)).refusal).toBeUndefined();
  });
});

describe('a session', () => {
  it('ends at once when its owner signs out, and takes the cookie away', async () => {
    const { session } = await somebody();
    const [cookie, other] = [await session(), await session()];
    const { setCookie } = await graphql('mutation { signOut }', {}, { cookie });
    expect(setCookie).toMatch(/^foyer_session=; Max-Age=0/);
    expect(await viewer(cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await viewer(other)).toMatchObject({ kind: 'STAFF' });
  });

  it('ends by itself after fourteen days', async () => {
    const { session } = await somebody();
    const cookie = await session();
    app.clock.now = new Date(NOW.getTime() + 14 * 86_400_000 - 1);
    expect(await viewer(cookie)).toMatchObject({ kind: 'STAFF' });
    app.clock.now = new Date(NOW.getTime() + 14 * 86_400_000);
    expect(await viewer(cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('may do what the role allows now, not what it allowed when it began', async () => {
    const { email, session } = await somebody('manager');
    const cookie = await session();
    const make =
      'mutation { createApiToken(input: { name: "x", scopes: ["*"] }) { token { id } } }';
    expect((await graphql(make, {}, { cookie })).refusal).toBeUndefined();
    await app.ctx.db.user.update({ where: { email }, data: { role: 'front_desk' } });
    expect((await graphql(make, {}, { cookie })).refusal?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'MANAGER_NEEDED',
    });
    await app.ctx.db.user.delete({ where: { email } });
    expect(await viewer(cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('does nothing for pages of other sites', async () => {
    const cookie = await app.signIn(STAFF.owner);
    const ask = async (origin?: string) =>
      (await graphql('{ viewer { kind } }', {}, { cookie, ...(origin ? { origin } : {}) })).refusal
        ?.extensions.reason;
    for (const own of [undefined, 'http://foyer.test', app.url, 'https://site.example'])
      expect([own, await ask(own)]).toEqual([own, undefined]);
    for (const foreign of [
      'https://evil.example',
      'null',
      'https://foyer.test',
      'http://foyer.test.evil.example',
      'https://site.example:8443',
    ])
      expect([foreign, await ask(foreign)]).toEqual([foreign, 'FOREIGN_ORIGIN']);
  });
});

describe('changing the password', () => {
  const change = (cookie: string, current: string, next: string) =>
    graphql(
      'mutation ($current: String!, $next: String!) { changePassword(current: $current, next: $next) }',
      { current, next },
      { cookie },
    );

  it('ends every other session of the same person and no one else’s', async () => {
    const [me, somebodyElse] = [await somebody(), await somebody()];
    const [here, there, elses] = [
      await me.session(),
      await me.session(),
      await somebodyElse.session(),
    ];
    expect((await change(here, me.password, 'velvet harbour seventeen')).refusal).toBeUndefined();
    expect(await viewer(here)).toMatchObject({ kind: 'STAFF' });
    expect(await viewer(there)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await viewer(elses)).toMatchObject({ kind: 'STAFF' });
    expect((await signIn(me.email, me.password)).refusal?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await signIn(me.email, 'velvet harbour seventeen')).refusal).toBeUndefined();
  });

  it('needs the current one, and gives no more guesses than signing in does', async () => {
    const { session, password } = await somebody();
    const cookie = await session();
    for (let i = 0; i < 10; i += 1) {
      expect(
        (await change(cookie, 'wrong', 'velvet harbour seventeen')).refusal?.extensions,
      ).toEqual({
        code: 'VALIDATION',
        reason: 'WRONG_PASSWORD',
      });
    }
    expect(
      (await change(cookie, password, 'velvet harbour seventeen')).refusal?.extensions.code,
    ).toBe('RATE_LIMITED');
    expect((await change('', password, 'x')).refusal?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('refuses weak ones, however often, and leaves the old one', async () => {
    const { session, email, password } = await somebody();
    const cookie = await session();
    for (const weak of [
      ...['', 'short', 'elevenchars', 'aaaaaaaaaaaaaaaa', 'abababababababab', 'x'.repeat(201)],
      ...['password1234', 'PasswortPasswort', '123456123456', 'Administrator!1'],
      ...[`my name is ${email.split('@')[0]}`, 'welcome2026!!!!'],
    ])
      expect([weak, (await change(cookie, password, weak)).refusal?.extensions]).toEqual([
        weak,
        { code: 'VALIDATION', reason: 'PASSWORD_TOO_WEAK' },
      ]);
    expect((await signIn(email, password)).refusal).toBeUndefined();
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
    expect(await viewer(cookie)).toEqual({ kind: 'MEMBER', name: 'Ben Okafor', role: null });
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
    const keys = await graphql('{ apiTokens { edges { cursor } } }', {}, { cookie });
    expect(keys.refusal?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
  });

  it('is refused once they have left, in the same words as a stranger, and so is their session', async () => {
    await member('aylin.demir@example.com');
    const cookie = await app.signIn('aylin.demir@example.com');
    await app.ctx.db.member.update({
      where: { email: 'aylin.demir@example.com' },
      data: { status: 'former' },
    });
    expect(await viewer(cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    const { refusal, setCookie } = await signIn('aylin.demir@example.com');
    expect(refusal?.extensions.reason).toBe('WRONG_CREDENTIALS');
    expect(setCookie).toBe('');
  });
});

describe('who works here', () => {
  it.each([
    ['owner', STAFF.owner, undefined],
    ['manager', STAFF.manager, undefined],
    ['front desk', STAFF.front_desk, 'MANAGER_NEEDED'],
  ])('as %s manages keys or does not', async (_, email, reason) => {
    const cookie = await app.signIn(email);
    const { refusal } = await graphql(
      'mutation { createApiToken(input: { name: "x", scopes: ["*"] }) { token { id } } }',
      {},
      { cookie },
    );
    expect(refusal?.extensions.reason).toBe(reason);
  });

  it('has an address of their own and a password that holds', async () => {
    const add = (email: string, password: string) =>
      createStaff(app.ctx, { name: 'Again', email, password, role: 'owner' });
    await expect(add('ADA@example.org', 'copper lantern avenue')).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'EMAIL_TAKEN' },
    });
    await expect(add('eva@example.org', 'short')).rejects.toMatchObject({ code: 'VALIDATION' });
  });
});
