import { KNOWN_BROWSER_RETENTION_DAYS, purgeKnownBrowsers } from '../../src/auth/sessions.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { newAddress, somebody } from '../support/people.ts';
import { NOW } from '../support/seed.ts';

const MEMBER = 'ben@example.org';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

interface From {
  address?: string;
  browser?: string;
}

async function send(query: string, variables: object, { address = newAddress(), browser }: From) {
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(browser ? { cookie: browser } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await answer.json()) as { errors?: { extensions: { reason: string } }[] };
  const cookies = answer.headers.getSetCookie();
  const cookie = cookies.find((it) => it.startsWith('foyer_browser=')) ?? '';
  return { reason: errors?.[0]?.extensions.reason ?? 'OK', cookie, browser: cookie.split(';')[0] };
}

const signIn = (email: string, password: string, from: From = {}) =>
  send(
    'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }',
    { email, password },
    from,
  );

/** Uses up all attempts at the account, from twenty networks. */
async function lockOut(email: string) {
  for (let n = 0; n < 20; n += 1) {
    const address = newAddress();
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => signIn(email, `guess ${i}`, { address })),
    );
  }
}

describe('a stranger who guesses a password', () => {
  it('does not lock the account for a browser that has signed in before', async () => {
    const { email, password } = await somebody(app);
    const { browser, cookie } = await signIn(email, password);
    expect(cookie).toMatch(
      /^foyer_browser=foyerb_\w+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    await lockOut(email);
    expect((await signIn(email, password)).reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await signIn(email, password, { browser })).reason).toBe('OK');
  });

  it('does not lock it from the same address either', async () => {
    const { email, password } = await somebody(app);
    const address = newAddress();
    const { browser } = await signIn(email, password, { address });
    for (let n = 0; n < 12; n += 1) await signIn(email, 'a wrong guess', { address });
    expect((await signIn(email, password, { address })).reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await signIn(email, password, { address, browser })).reason).toBe('OK');
  });

  it('is not helped by a cookie of another account, or by one that is made up', async () => {
    const [victim, stranger] = [await somebody(app), await somebody(app)];
    const address = newAddress();
    const { browser } = await signIn(stranger.email, stranger.password, { address });
    const made = 'foyer_browser=foyerb_0000000000000000000000000000000000000000000000000';
    for (const cookie of [browser, made]) {
      const here = { address: newAddress(), browser: cookie as string };
      const reasons: string[] = [];
      for (let n = 0; n < 12; n += 1)
        reasons.push((await signIn(victim.email, 'wrong', here)).reason);
      expect(reasons.filter((reason) => reason === 'WRONG_CREDENTIALS')).toHaveLength(10);
    }
    const { browser: replaced } = await signIn(victim.email, victim.password, { browser: made });
    expect(replaced).not.toBe(made);
  });
});

describe('a browser that has signed in before', () => {
  it('has ten attempts, and the wait is not extended by more of them', async () => {
    const { email, password } = await somebody(app);
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

  it('is one of twenty of the account, serves several accounts, and is forgotten in the end', async () => {
    const [one, other] = [await somebody(app), await somebody(app)];
    const { browser = '' } = await signIn(one.email, one.password);
    expect((await signIn(other.email, other.password, { browser })).browser).toBe(browser);
    for (let n = 0; n < 22; n += 1) await signIn(one.email, one.password);
    const known = () => app.ctx.db.knownBrowser.count({ where: { user: { email: one.email } } });
    expect(await known()).toBe(20);
    app.clock.now = new Date(NOW.getTime() + KNOWN_BROWSER_RETENTION_DAYS * 86_400_000);
    expect(await purgeKnownBrowsers(app.ctx)).toBeGreaterThanOrEqual(21);
    expect(await known()).toBe(0);
  });
});

describe('a stranger who asks for sign-in links', () => {
  it('does not stop a browser that has signed in before from getting one', async () => {
    const request = (from: From = {}) =>
      send(
        'mutation ($email: String!) { requestSignInLink(email: $email) }',
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
    const redeem = 'mutation ($secret: String!) { redeemSignInLink(secret: $secret) }';
    const { browser = '', reason } = await send(redeem, { secret: await newestLink() }, {});
    expect(reason).toBe('OK');
    for (let n = 0; n < 12; n += 1) await request();
    expect((await request()).reason).toBe('TOO_MANY_ATTEMPTS');
    expect((await request({ browser })).reason).toBe('OK');
    expect((await send(redeem, { secret: await newestLink() }, { browser })).browser).toBe(browser);
  });
});
