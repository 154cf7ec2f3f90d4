import { createStaff } from '../../src/auth/sign-in.ts';
import { fetchViewer, sendQuery, signIn, uniqueAddress } from '../support/clients/sign-in.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

describe('guessing passwords', () => {
  const here = { address: uniqueAddress() };
  beforeEach(() => {
    here.address = uniqueAddress();
  });

  it('is blocked after ten attempts, also for the right password, and returns when to retry', async () => {
    const { email, password } = await createStaffUser(app);
    const { email: other, password: others } = await createStaffUser(app);
    for (let i = 0; i < 10; i += 1)
      expect((await signIn(app, email, `guess ${i}`, here)).error?.extensions.code).toBe(
        'UNAUTHENTICATED',
      );
    const { error } = await signIn(app, email, password, here);
    expect(error?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      reason: 'TOO_MANY_ATTEMPTS',
    });
    const seconds = Number(error?.extensions.retryAfterSeconds);
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    const spelt = await signIn(app, ` ${email.toUpperCase()}`, password, here);
    expect(spelt.error?.extensions.code).toBe('RATE_LIMITED');
    // Other accounts and other networks are not affected.
    expect((await signIn(app, other, others, here)).error).toBeUndefined();
    expect((await signIn(app, email, password)).error).toBeUndefined();
  });

  it('is blocked per account after two hundred attempts from any network', async () => {
    const { email, password } = await createStaffUser(app);
    await signIn(app, email, 'guess');
    await app.ctx.db.rateLimit.updateMany({
      where: { key: { startsWith: 'signIns requests account ' }, points: 1 },
      data: { points: 199 },
    });
    const last = await signIn(app, email, 'guess');
    expect(last.error?.extensions.code).toBe('UNAUTHENTICATED');
    const { error } = await signIn(app, email, password);
    expect(error?.extensions.code).toBe('RATE_LIMITED');
  });

  it('is blocked for unknown addresses too, so that the limit does not reveal accounts', async () => {
    for (let i = 0; i < 10; i += 1) await signIn(app, 'ghost@example.org', `guess ${i}`, here);
    const { error } = await signIn(app, 'ghost@example.org', PASSWORD, here);
    expect(error?.extensions.code).toBe('RATE_LIMITED');
  });

  it('does not count against a user who then signs in', async () => {
    const { email, password } = await createStaffUser(app);
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 9; i += 1) await signIn(app, email, `guess ${i}`, here);
      expect((await signIn(app, email, password, here)).error).toBeUndefined();
    }
  });

  it('is blocked per client address after fifty attempts across accounts', async () => {
    const { email, password } = await createStaffUser(app);
    const guesses = Array.from({ length: 50 }, (_, i) =>
      signIn(app, `guessed-${i}@example.org`, PASSWORD, here),
    );
    await Promise.all(guesses);
    const { error } = await signIn(app, email, password, here);
    expect(error?.extensions.code).toBe('RATE_LIMITED');
    // A forged X-Forwarded-For header does not make a new client.
    const forged = await signIn(app, email, password, { address: `198.51.100.7, ${here.address}` });
    expect(forged.error?.extensions.code).toBe('RATE_LIMITED');
    expect((await signIn(app, email, password)).error).toBeUndefined();
  });
});

describe('changing the password', () => {
  const address = uniqueAddress();
  const change = (cookie: string, current: string, next: string) =>
    sendQuery(
      app,
      'mutation ($current: String!, $next: String!) { changePassword(input: { current: $current, next: $next }) { viewer { kind } } }',
      { current, next },
      { cookie, address },
    );

  it('ends every other session of that user only', async () => {
    const [me, otherUser] = [await createStaffUser(app), await createStaffUser(app)];
    const [here, there, elses] = [
      await me.session(),
      await me.session(),
      await otherUser.session(),
    ];
    expect((await change(here, me.password, 'velvet harbour seventeen')).error).toBeUndefined();
    expect(await fetchViewer(app, here)).toMatchObject({ kind: 'STAFF' });
    expect(await fetchViewer(app, there)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await fetchViewer(app, elses)).toMatchObject({ kind: 'STAFF' });
    expect((await signIn(app, me.email, me.password)).error?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
    expect((await signIn(app, me.email, 'velvet harbour seventeen')).error).toBeUndefined();
  });

  it('requires the current password and limits the attempts', async () => {
    const { session, password } = await createStaffUser(app);
    const cookie = await session();
    for (let i = 0; i < 10; i += 1) {
      expect(
        (await change(cookie, 'wrong', 'velvet harbour seventeen')).error?.extensions,
      ).toMatchObject({
        code: 'VALIDATION',
        reason: 'WRONG_PASSWORD',
      });
    }
    expect(
      (await change(cookie, password, 'velvet harbour seventeen')).error?.extensions.code,
    ).toBe('RATE_LIMITED');
    expect((await change('', password, 'x')).error?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('rejects weak passwords and keeps the old one', async () => {
    const { session, email, password } = await createStaffUser(app);
    const cookie = await session();
    for (const weak of [
      ...['', 'short', 'elevenchars', 'aaaaaaaaaaaaaaaa', 'abababababababab', 'x'.repeat(201)],
      ...['password1234', 'PasswortPasswort', '123456123456', 'Administrator!1'],
      ...[`my name is ${email.split('@')[0]}`, 'welcome2026!!!!'],
    ])
      expect([weak, (await change(cookie, password, weak)).error?.extensions]).toMatchObject([
        weak,
        { code: 'VALIDATION', reason: 'PASSWORD_TOO_WEAK' },
      ]);
    expect((await signIn(app, email, password)).error).toBeUndefined();
  });
});

describe('staff accounts', () => {
  it.each([
    ['owner', STAFF.owner, undefined],
    ['manager', STAFF.manager, undefined],
    ['front desk', STAFF.front_desk, 'MANAGER_NEEDED'],
  ])('let owners and managers manage API tokens: %s', async (_, email, reason) => {
    const cookie = await app.signIn(email);
    const { error } = await sendQuery(
      app,
      'mutation { createApiToken(input: { name: "x", scopes: ["bookings:read"] }) { apiToken { id } } }',
      {},
      { cookie },
    );
    expect(error?.extensions.reason).toBe(reason);
  });

  it('require a unique address and a strong password', async () => {
    const add = (email: string, password: string) =>
      createStaff(app.ctx, { name: 'Again', email, password, role: 'owner' });
    await expect(add('ADA@example.org', 'copper lantern avenue')).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'TAKEN' },
    });
    await expect(add('eva@example.org', 'short')).rejects.toMatchObject({ code: 'VALIDATION' });
  });
});
