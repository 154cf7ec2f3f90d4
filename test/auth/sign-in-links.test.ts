import { v7 } from 'uuid';
import { createSecret, hashSecret } from '../../src/auth/tokens.ts';
import { purgeSignInLinks } from '../../src/features/sign-in/service.ts';
import { deliverEmails } from '../../src/integrations/email/delivery-worker.ts';
import { createSmtpTransport } from '../../src/integrations/email/smtp.ts';
import { type Caller, fetchViewer, sendQuery, uniqueAddress } from '../support/clients/sign-in.ts';
import { NOW } from '../support/factories/seed.ts';
import { startSmtp } from '../support/fakes/smtp.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

const BEN = 'ben@example.org';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1', CORS_ORIGINS: 'https://site.example' } });
});
beforeEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.mail.deleteMany();
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const request = (email: string, caller: Caller = {}) =>
  sendQuery(
    app,
    'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
    { email },
    caller,
  );
const redeem = (secret: string, caller: Caller = {}) =>
  sendQuery(
    app,
    'mutation ($secret: String!) { redeemSignInLink(input: { secret: $secret }) { viewer { kind } } }',
    { secret },
    caller,
  );

const findSecret = (text: string | undefined) =>
  /#(foyerl_[0-9A-Za-z]+)/.exec(text ?? '')?.[1] ?? '';
async function makeLink(email: string): Promise<string> {
  await request(email);
  const [mail] = await app.ctx.db.mail.findMany({
    where: { recipient: email },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return findSecret(mail?.text);
}
const getCookie = ({ setCookie }: { setCookie: string }) => setCookie.split(';')[0] ?? '';
const advanceClock = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

it('is not emailed any more once it has expired', async () => {
  const smtp = await startSmtp();
  const transport = createSmtpTransport({ url: smtp.url, from: 'f@foyer.test' });
  await makeLink(BEN);
  advanceClock(16);
  await makeLink(BEN);
  await deliverEmails(app.ctx, transport);
  expect(smtp.received).toHaveLength(1);
  const mails = await app.ctx.db.mail.findMany({ orderBy: { createdAt: 'asc' } });
  expect(mails.map(({ status, lastError }) => [status, lastError])).toEqual([
    ['failed', 'Not sent: its link has expired.'],
    ['sent', null],
  ]);
  expect(findSecret(mails[0]?.text)).toBe('');
  transport.close();
  await smtp.stop();
});

/** Finds a member who has never signed in. */
async function findNewMember(status: 'active' | 'paused' | 'former' = 'active') {
  const member = await app.ctx.db.member.findFirstOrThrow({
    where: { status, user: null, email: { not: BEN } },
    orderBy: { name: 'asc' },
  });
  return member;
}

describe('a new member', () => {
  const create = async (as: { cookie?: string; token?: string }, sendWelcomeEmail?: boolean) => {
    const email = `${v7()}+new@example.org`;
    const { data, errors } = await app.graphql(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }',
      { input: { name: 'Ida', email, sendWelcomeEmail } },
      as,
    );
    expect(errors).toEqual([]);
    const mails = await app.ctx.db.mail.findMany({ where: { recipient: email } });
    return { id: data.createMember.member.id as string, email, mails };
  };

  it('gets a welcome email by default, with a link to the sign-in page and no secret', async () => {
    const { email, mails } = await create({ cookie: await app.signIn(STAFF.front_desk) });
    expect(mails.map(({ subject }) => subject)).toEqual(['Welcome']);
    expect(mails[0]?.text).toContain(`Sign in with ${email} to book`);
    const [, fragment] = /my\/sign-in#(\S+)/.exec(mails[0]?.text ?? '') ?? [];
    expect(new URLSearchParams(fragment).get('email')).toBe(email);
    expect(await app.ctx.db.signInLink.count({ where: { member: { email } } })).toBe(0);
  });

  it('gets none if staff say so, if it is switched off, or if a program adds them', async () => {
    const staff = { cookie: await app.signIn(STAFF.owner) };
    expect((await create(staff, false)).mails).toEqual([]);
    const byToken = await create({ token: await app.token('members:write') }, true);
    expect(byToken.mails.map(({ subject }) => subject)).toEqual(['Confirm your email address']);
    const toggle = (isEnabled: boolean) =>
      app.graphql(
        'mutation ($input: UpdateEmailTemplateInput!) { updateEmailTemplate(input: $input) { emailTemplate { isEnabled } } }',
        { input: { key: 'member-welcome', isEnabled } },
        staff,
      );
    const readDelivery = async () =>
      (await app.graphql('{ emailDelivery { hasMailServer welcomesMembers } }', {}, staff)).data
        .emailDelivery;
    const hasMailServer = expect.any(Boolean);
    expect(await readDelivery()).toEqual({ hasMailServer, welcomesMembers: true });
    await toggle(false);
    expect((await create(staff, true)).mails).toEqual([]);
    expect(await readDelivery()).toEqual({ hasMailServer, welcomesMembers: false });
    await toggle(true);
  });

  it('gets a sign-in link from staff that opens a session, with the smaller budget from a program', async () => {
    const staff = { cookie: await app.signIn(STAFF.front_desk) };
    const { id, email } = await create(staff, false);
    const send = (memberId: string, as: { cookie?: string; token?: string }) =>
      app.graphql(
        'mutation ($id: ID!) { sendMemberSignInLink(input: { id: $id }) { member { id } } }',
        { id: memberId },
        as,
      );
    expect((await send(id, staff)).data).toEqual({ sendMemberSignInLink: { member: { id } } });
    await send(id, { token: await app.token('members:write') });
    const mails = await app.ctx.db.mail.findMany({
      where: { recipient: email },
      orderBy: { id: 'asc' },
    });
    expect(mails.map(({ priority }) => priority)).toEqual(['essential', 'requested']);
    expect(mails[0]?.text).toContain('Our staff sent you this link.');
    const { data } = await redeem(findSecret(mails[0]?.text));
    expect(data).toEqual({ redeemSignInLink: { viewer: { kind: 'MEMBER' } } });
    const former = await send((await findNewMember('former')).id, staff);
    expect(former.errors[0]?.extensions.reason).toBe('CANNOT_SIGN_IN');
    expect((await send(v7(), staff)).errors[0]?.extensions.code).toBe('NOT_FOUND');
  });
});

describe('a sign-in link', () => {
  it('arrives by email and opens a session, which signing out ends', async () => {
    const smtp = await startSmtp();
    const transport = createSmtpTransport({ url: smtp.url, from: 'no-reply@foyer.test' });
    const { data } = await request(' Ben@Example.org ');
    expect(data).toEqual({ requestSignInLink: { email: expect.any(String) } });
    await deliverEmails(app.ctx, transport);
    transport.close();
    await smtp.stop();
    expect(smtp.received.map(({ to }) => to)).toEqual([BEN]);
    const source = smtp.received[0]?.source ?? '';
    expect(source).toContain('Hello Ben Okafor,');
    const url = /http:\S+#foyerl_[0-9A-Za-z]+/.exec(source)?.[0] ?? '';
    expect(url).toMatch(/^http:\/\/foyer\.test\/my\/sign-in#foyerl_[0-9A-Za-z]{49}$/);

    const response = await redeem(findSecret(url));
    expect(response.data).toEqual({ redeemSignInLink: { viewer: { kind: 'MEMBER' } } });
    expect(response.setCookie).toMatch(/^foyer_session=foyers_[0-9A-Za-z]{49};.*HttpOnly/);
    const cookie = getCookie(response);
    expect(await fetchViewer(app, cookie)).toEqual({
      kind: 'MEMBER',
      name: 'Ben Okafor',
      role: null,
    });
    await sendQuery(app, 'mutation { signOut { viewer { kind } } }', {}, { cookie });
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('is stored as a hash only', async () => {
    const secret = await makeLink(BEN);
    const rows = await app.ctx.db.signInLink.findMany();
    expect(rows.some(({ tokenHash }) => Buffer.from(tokenHash).equals(hashSecret(secret)))).toBe(
      true,
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(7));
  });

  it('creates the account of a member at the first sign-in and reuses it later', async () => {
    const { id, email } = await findNewMember('paused');
    const users = () => app.ctx.db.user.findMany({ where: { memberId: id } });
    const secrets = [await makeLink(email)];
    expect(await users()).toEqual([]);
    await redeem(secrets[0] ?? '');
    const [first] = await users();
    expect(first).toMatchObject({ email, role: null, passwordHash: null });
    await redeem(await makeLink(email));
    expect(await users()).toEqual([first]);
  });

  it('expires after 15 minutes', async () => {
    const [early, late] = [await makeLink(BEN), await makeLink((await findNewMember()).email)];
    advanceClock(14.99);
    expect((await redeem(early)).error).toBeUndefined();
    advanceClock(15);
    expect((await redeem(late)).error?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
  });

  it('returns the same error when used, expired, replaced or forged', async () => {
    const [older, used] = [await makeLink(BEN), await makeLink(BEN)];
    await redeem(used);
    const rejected = [
      await redeem(used),
      await redeem(older),
      await redeem(createSecret('signInLink').plainText),
      await redeem('foyerl_nonsense'),
      await redeem(''),
    ];
    for (const { error, setCookie } of rejected) {
      expect(error).toMatchObject({
        message: 'This link has been used or has expired. Request a new one.',
        extensions: { code: 'UNAUTHENTICATED', reason: 'LINK_INVALID' },
      });
      expect(setCookie).toBe('');
    }
  });

  it('is rejected for a former member', async () => {
    const { id, email } = await findNewMember();
    const secret = await makeLink(email);
    await app.ctx.db.member.update({ where: { id }, data: { status: 'former' } });
    expect((await redeem(secret)).error?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
    expect(await app.ctx.db.user.count({ where: { memberId: id } })).toBe(0);
  });

  it('is rejected for requests from other sites', async () => {
    const secret = await makeLink(BEN);
    const { error } = await redeem(secret, { origin: 'https://evil.example' });
    expect(error?.extensions).toMatchObject({ reason: 'FOREIGN_ORIGIN' });
    expect((await redeem(secret, { origin: 'http://foyer.test' })).error).toBeUndefined();
  });

  it('is deleted a day after it expires', async () => {
    await app.ctx.db.signInLink.deleteMany();
    await makeLink(BEN);
    advanceClock(15 + 24 * 60);
    expect(await purgeSignInLinks(app.ctx)).toBe(0);
    advanceClock(16 + 24 * 60);
    expect(await purgeSignInLinks(app.ctx)).toBe(1);
  });
});

describe('fifty concurrent requests with one link', () => {
  it('open several sessions if the link is checked first and marked afterwards (negative control)', async () => {
    const tokenHash = hashSecret(await makeLink(BEN));
    const { db } = app.ctx;
    const naive = async () => {
      const link = await db.signInLink.findUnique({ where: { tokenHash } });
      if (link?.usedAt !== null) return 0;
      await db.signInLink.update({ where: { tokenHash }, data: { usedAt: NOW } });
      return 1;
    };
    const successes = await Promise.all(Array.from({ length: 50 }, naive));
    expect(successes.filter(Boolean).length).toBeGreaterThan(1);
  });

  it('open one session', async () => {
    const { email, id } = await findNewMember();
    const secret = await makeLink(email);
    const responses = await Promise.all(Array.from({ length: 50 }, () => redeem(secret)));
    expect(responses.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(new Set(responses.map(({ error }) => error?.extensions.reason))).toEqual(
      new Set([undefined, 'LINK_INVALID']),
    );
    expect(await app.ctx.db.session.count({ where: { user: { memberId: id } } })).toBe(1);
  });
});

describe('requesting a sign-in link', () => {
  it('returns the same response for members and strangers, and not before a fixed time', async () => {
    const left = await findNewMember('former');
    const timed = async (email: string) => {
      const started = performance.now();
      const { data, error, setCookie } = await request(email);
      expect(data).toEqual({ requestSignInLink: { email } });
      return { response: { error, setCookie }, ms: performance.now() - started };
    };
    const known = await timed(BEN);
    for (const email of ['nobody@example.org', left.email, STAFF.owner]) {
      const unknown = await timed(email);
      expect(unknown.response).toEqual(known.response);
      expect(unknown.ms).toBeGreaterThan(240);
    }
    expect(known.ms).toBeGreaterThan(240);
    const mails = await app.ctx.db.mail.findMany();
    expect(mails.map(({ recipient }) => recipient)).toEqual([BEN]);
  });

  it('does not sign in a member with the address of a staff account', async () => {
    await app.ctx.db.member.create({
      data: { name: 'Fred', email: STAFF.front_desk, code: 'FRED234567' },
    });
    expect(await makeLink(STAFF.front_desk)).toBe('');
    const { id, email } = await findNewMember();
    const secret = await makeLink(email);
    await app.ctx.db.user.create({ data: { name: 'New', email, role: 'owner' } });
    expect((await redeem(secret)).error?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
    await app.ctx.db.user.delete({ where: { email } });
    expect(await app.ctx.db.user.count({ where: { memberId: id } })).toBe(0);
  });

  it('requires an email address', async () => {
    expect((await request('ben')).error?.extensions).toMatchObject({ code: 'VALIDATION' });
  });

  it('is limited per address to a few requests in 15 minutes, for members and strangers', async () => {
    for (const email of [BEN, 'nobody@example.org']) {
      const address = uniqueAddress();
      for (let time = 1; time <= 5; time += 1)
        expect((await request(email, { address })).error).toBeUndefined();
      expect((await request(email, { address })).error?.extensions).toMatchObject({
        code: 'RATE_LIMITED',
        reason: 'TOO_MANY_ATTEMPTS',
        retryAfterSeconds: expect.any(Number),
      });
    }
  });

  it('is limited per recipient across client addresses', async () => {
    const responses = await Promise.all(Array.from({ length: 15 }, () => request(BEN)));
    expect(responses.filter(({ error }) => error)).toHaveLength(5);
    expect(await app.ctx.db.mail.count()).toBe(10);
  });

  it('does not use up password attempts', async () => {
    const address = uniqueAddress();
    for (let time = 1; time <= 6; time += 1) await request(STAFF.owner, { address });
    const signIn =
      'mutation { signIn(input: { email: "ada@example.org", password: "wrong" }) { viewer { kind } } }';
    const { error } = await sendQuery(app, signIn, {}, { address });
    expect(error?.extensions).toMatchObject({ reason: 'WRONG_CREDENTIALS' });
  });
});
