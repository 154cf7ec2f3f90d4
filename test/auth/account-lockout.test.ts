import { RATE_LIMITS } from '../../src/auth/rate-limit-rules.ts';
import { KNOWN_BROWSER_RETENTION_DAYS, purgeKnownBrowsers } from '../../src/auth/sessions.ts';
import { DAY_MS } from '../../src/core/time/time-zone.ts';
import { uniqueAddress } from '../support/clients/sign-in.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { NOW } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

const MEMBER = 'ben@example.org';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9' } });
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

interface Origin {
  address?: string;
  browser?: string;
}

async function send(
  query: string,
  variables: object,
  { address = uniqueAddress(), browser }: Origin,
) {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(browser ? { cookie: browser } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { reason: string } }[] };
  const cookies = response.headers.getSetCookie();
  const cookie = cookies.find((it) => it.startsWith('foyer_browser=')) ?? '';
  return { reason: errors?.[0]?.extensions.reason ?? 'OK', cookie, browser: cookie.split(';')[0] };
}

const signIn = (email: string, password: string, from: Origin = {}) =>
  send(
    'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }',
    { email, password },
    from,
  );

/** The number of attempts by account. The keys contain hashes of the accounts. */
async function readAttempts(): Promise<Map<string, number>> {
  const counters = await app.ctx.db.rateLimit.findMany({
    where: { key: { startsWith: 'signIns requests account ' } },
  });
  return new Map(counters.map(({ key, points }) => [key, points]));
}

/** Attempts to sign in, and counts as many attempts as if other networks had made all that are allowed. */
async function lockOut(email: string) {
  const before = await readAttempts();
  await signIn(email, 'a guess');
  const [key] =
    [...(await readAttempts())].find(([key, points]) => points !== before.get(key)) ?? [];
  const { max = 0 } = RATE_LIMITS.signIns.find(({ per }) => per === 'account') ?? {};
  await app.ctx.db.rateLimit.update({ where: { key: key ?? '' }, data: { points: max } });
}

describe('guessing a password from other browsers', () => {
  it('does not lock the account for a browser that has signed in before', async () => {
    const { email, password } = await createStaffUser(app);
    const { browser, cookie } = await signIn(email, password);
    expect(cookie).toMatch(
      /^foyer_browser=foyerb_\w+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    await lockOut(email);
    expect((await signIn(email, password)).reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await signIn(email, password, { browser })).reason).toBe('OK');
  });

  it('does not lock the account for that browser at the same address', async () => {
    const { email, password } = await createStaffUser(app);
    const address = uniqueAddress();
    const { browser } = await signIn(email, password, { address });
    for (let n = 0; n < 12; n += 1) await signIn(email, 'a wrong guess', { address });
    expect((await signIn(email, password, { address })).reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await signIn(email, password, { address, browser })).reason).toBe('OK');
  });

  it('gets no more attempts with a cookie of another account or a forged one', async () => {
    const [victim, stranger] = [await createStaffUser(app), await createStaffUser(app)];
    const address = uniqueAddress();
    const { browser } = await signIn(stranger.email, stranger.password, { address });
    const made = 'foyer_browser=foyerb_0000000000000000000000000000000000000000000000000';
    for (const cookie of [browser, made]) {
      const here = { address: uniqueAddress(), browser: cookie as string };
      const reasons: string[] = [];
      for (let n = 0; n < 12; n += 1)
        reasons.push((await signIn(victim.email, 'wrong', here)).reason);
      expect(reasons.filter((reason) => reason === 'WRONG_CREDENTIALS')).toHaveLength(10);
    }
    const { browser: replaced } = await signIn(victim.email, victim.password, { browser: made });
    expect(replaced).not.toContain(made);
  });

  it('gets no more attempts after putting a cookie of another account into the browser of a person', async () => {
    const [victim, stranger] = [await createStaffUser(app), await createStaffUser(app)];
    const { browser: planted = '' } = await signIn(stranger.email, stranger.password);
    const { browser: own = '' } = await signIn(victim.email, victim.password, { browser: planted });
    await lockOut(victim.email);
    const attempt = await signIn(victim.email, 'wrong', { browser: planted });
    expect(attempt.reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await signIn(victim.email, victim.password, { browser: own })).reason).toBe('OK');
  });
});

describe('a browser that has signed in before', () => {
  it('has ten attempts, and further ones do not extend the wait', async () => {
    const { email, password } = await createStaffUser(app);
    const { browser = '' } = await signIn(email, password);
    for (let n = 0; n < 10; n += 1)
      expect((await signIn(email, 'wrong', { browser })).reason).toBe('WRONG_CREDENTIALS');
    for (const minutes of [0, 5, 14]) {
      app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
      expect((await signIn(email, password, { browser })).reason).toBe('TOO_MANY_ATTEMPTS');
    }
    app.clock.now = new Date(NOW.getTime() + 15 * 60_000);
    expect((await signIn(email, password, { browser })).reason).toBe('OK');
  });

  it('is one of twenty per account, serves several accounts and expires', async () => {
    const [one, other] = [await createStaffUser(app), await createStaffUser(app)];
    const { browser = '' } = await signIn(one.email, one.password);
    const { browser: shared = '' } = await signIn(other.email, other.password, { browser });
    for (const { email, password } of [one, other]) {
      await lockOut(email);
      expect((await signIn(email, password)).reason).toBe('TOO_MANY_ATTEMPTS');
      expect((await signIn(email, password, { browser: shared })).reason).toBe('OK');
    }
    app.clock.now = new Date(NOW.getTime() + DAY_MS);
    for (let n = 0; n < 22; n += 1) await signIn(one.email, one.password);
    const known = () => app.ctx.db.knownBrowser.count({ where: { user: { email: one.email } } });
    expect(await known()).toBe(20);
    app.clock.now = new Date(NOW.getTime() + (KNOWN_BROWSER_RETENTION_DAYS + 1) * DAY_MS);
    expect(await purgeKnownBrowsers(app.ctx)).toBeGreaterThanOrEqual(21);
    expect(await known()).toBe(0);
  });
});

describe('requesting sign-in links from other browsers', () => {
  it('does not block a browser that has signed in before', async () => {
    const request = (from: Origin = {}) =>
      send(
        'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
        { email: MEMBER },
        from,
      );
    const newestLink = async () => {
      const [mail] = await app.ctx.db.mail.findMany({
        where: { recipient: MEMBER },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return /#(foyerl_[0-9A-Za-z]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    };
    await request();
    const redeem =
      'mutation ($secret: String!) { redeemSignInLink(input: { secret: $secret }) { viewer { kind } } }';
    const { browser = '', reason } = await send(redeem, { secret: await newestLink() }, {});
    expect(reason).toBe('OK');
    for (let n = 0; n < 12; n += 1) await request();
    expect((await request()).reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await request({ browser })).reason).toBe('OK');
    expect((await send(redeem, { secret: await newestLink() }, { browser })).browser).toBe(browser);
  });
});

describe('requests of strangers for a link to reset a password', () => {
  it('do not block a browser that has signed in before', async () => {
    const { email, password } = await createStaffUser(app);
    const request = (from: Origin = {}) =>
      send(
        'mutation ($email: String!) { requestPasswordReset(input: { email: $email }) { email } }',
        { email },
        from,
      );
    const { browser = '' } = await signIn(email, password);
    for (let n = 0; n < 10; n += 1) await request();
    expect((await request()).reason).toBe('TOO_MANY_ATTEMPTS');
    for (let n = 0; n < 5; n += 1) expect((await request({ browser })).reason).toBe('OK');
    expect((await request({ browser })).reason).toBe('TOO_MANY_ATTEMPTS');
    const mails = await app.ctx.db.mail.findMany({
      where: { recipient: email },
      orderBy: { id: 'asc' },
    });
    expect(mails.map(({ priority }) => priority)).toEqual([
      'requested',
      ...Array.from({ length: 5 }, () => 'critical'),
    ]);
  });
});
