import { createStaff } from '../../src/auth/sign-in.ts';
import { STAFF, startApp, type TestApp } from '../support/app.ts';
import { ask, newAddress, signIn, somebody, viewer } from '../support/people.ts';
import { PASSWORD } from '../support/seed.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

describe('guessing passwords', () => {
  const here = { address: newAddress() };
  beforeEach(() => {
    here.address = newAddress();
  });

  it('is over after ten attempts, for the right one too, and says when to come back', async () => {
    const { email, password } = await somebody(app);
    const { email: other, password: others } = await somebody(app);
    for (let i = 0; i < 10; i += 1)
      expect((await signIn(app, email, `guess ${i}`, here)).refusal?.extensions.code).toBe(
        'UNAUTHENTICATED',
      );
    const { refusal } = await signIn(app, email, password, here);
    expect(refusal?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      reason: 'TOO_MANY_ATTEMPTS',
    });
    const seconds = Number(refusal?.extensions.retryAfterSeconds);
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    const spelt = await signIn(app, ` ${email.toUpperCase()}`, password, here);
    expect(spelt.refusal?.extensions.code).toBe('RATE_LIMITED');
    // Nobody else suffers, and the owner elsewhere is not locked out.
    expect((await signIn(app, other, others, here)).refusal).toBeUndefined();
    expect((await signIn(app, email, password)).refusal).toBeUndefined();
  });

  it('is over for an account after two hundred attempts, from wherever they come', async () => {
    const { email, password } = await somebody(app);
    await signIn(app, email, 'guess');
    await app.ctx.db.rateLimit.updateMany({
      where: { key: { startsWith: 'sign-in requests account ' }, points: 1 },
      data: { points: 199 },
    });
    const last = await signIn(app, email, 'guess');
    expect(last.refusal?.extensions.code).toBe('UNAUTHENTICATED');
    const { refusal } = await signIn(app, email, password);
    expect(refusal?.extensions.code).toBe('RATE_LIMITED');
  });

  it('is over for people who are not there as well, so that it tells nothing', async () => {
    for (let i = 0; i < 10; i += 1) await signIn(app, 'ghost@example.org', `guess ${i}`, here);
    const { refusal } = await signIn(app, 'ghost@example.org', PASSWORD, here);
    expect(refusal?.extensions.code).toBe('RATE_LIMITED');
  });

  it('is forgiven to who then knows it', async () => {
    const { email, password } = await somebody(app);
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 9; i += 1) await signIn(app, email, `guess ${i}`, here);
      expect((await signIn(app, email, password, here)).refusal).toBeUndefined();
    }
  });

  it('is over for an address after fifty attempts, whoever is guessed at', async () => {
    const { email, password } = await somebody(app);
    const guesses = Array.from({ length: 50 }, (_, i) =>
      signIn(app, `guessed-${i}@example.org`, PASSWORD, here),
    );
    await Promise.all(guesses);
    const { refusal } = await signIn(app, email, password, here);
    expect(refusal?.extensions.code).toBe('RATE_LIMITED');
    // What a caller writes into the header does not make them somebody else.
    const forged = await signIn(app, email, password, { address: `198.51.100.7, ${here.address}` });
    expect(forged.refusal?.extensions.code).toBe('RATE_LIMITED');
    expect((await signIn(app, email, password)).refusal).toBeUndefined();
  });
});

describe('changing the password', () => {
  const address = newAddress();
  const change = (cookie: string, current: string, next: string) =>
    ask(
      app,
      'mutation ($current: String!, $next: String!) { changePassword(current: $current, next: $next) }',
      { current, next },
      { cookie, address },
    );

  it('ends every other session of the same person and no one else’s', async () => {
    const [me, somebodyElse] = [await somebody(app), await somebody(app)];
    const [here, there, elses] = [
      await me.session(),
      await me.session(),
      await somebodyElse.session(),
    ];
    expect((await change(here, me.password, 'velvet harbour seventeen')).refusal).toBeUndefined();
    expect(await viewer(app, here)).toMatchObject({ kind: 'STAFF' });
    expect(await viewer(app, there)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await viewer(app, elses)).toMatchObject({ kind: 'STAFF' });
    expect((await signIn(app, me.email, me.password)).refusal?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
    expect((await signIn(app, me.email, 'velvet harbour seventeen')).refusal).toBeUndefined();
  });

  it('needs the current one, and gives no more guesses than signing in does', async () => {
    const { session, password } = await somebody(app);
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
    const { session, email, password } = await somebody(app);
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
    expect((await signIn(app, email, password)).refusal).toBeUndefined();
  });
});

describe('who works here', () => {
  it.each([
    ['owner', STAFF.owner, undefined],
    ['manager', STAFF.manager, undefined],
    ['front desk', STAFF.front_desk, 'MANAGER_NEEDED'],
  ])('as %s manages keys or does not', async (_, email, reason) => {
    const cookie = await app.signIn(email);
    const { refusal } = await ask(
      app,
      'mutation { createApiToken(input: { name: "x", scopes: ["bookings:read"] }) { token { id } } }',
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
