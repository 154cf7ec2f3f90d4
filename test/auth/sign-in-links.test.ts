import { purgeSignInLinks } from '../../src/auth/sign-in-links.ts';
import { createSecret, hashSecret } from '../../src/auth/tokens.ts';
import { deliverEmails } from '../../src/integrations/email/delivery-worker.ts';
import { createSmtpTransport } from '../../src/integrations/email/smtp.ts';
import { STAFF, startApp, type TestApp } from '../support/app.ts';
import { type Asking, ask, newAddress, viewer } from '../support/people.ts';
import { NOW } from '../support/seed.ts';
import { startSmtp } from '../support/smtp.ts';

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

const request = (email: string, asking: Asking = {}) =>
  ask(app, 'mutation ($email: String!) { requestSignInLink(email: $email) }', { email }, asking);
const redeem = (secret: string, asking: Asking = {}) =>
  ask(app, 'mutation ($secret: String!) { redeemSignInLink(secret: $secret) }', { secret }, asking);

const secretIn = (text: string | undefined) => /#(foyerl_[0-9A-Za-z]+)/.exec(text ?? '')?.[1] ?? '';
async function linkFor(email: string): Promise<string> {
  await request(email);
  const [mail] = await app.ctx.db.mail.findMany({
    where: { recipient: email },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return secretIn(mail?.text);
}
const cookieOf = ({ setCookie }: { setCookie: string }) => setCookie.split(';')[0] ?? '';
const minutesLater = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

/** Somebody of the seed who has not signed in yet. */
async function newcomer(status: 'active' | 'paused' | 'former' = 'active') {
  const member = await app.ctx.db.member.findFirstOrThrow({
    where: { status, user: null, email: { not: BEN } },
    orderBy: { name: 'asc' },
  });
  return member;
}

describe('a link to sign in', () => {
  it('leads through the mail to a session of that member, and out of it again', async () => {
    const smtp = await startSmtp();
    const transport = createSmtpTransport({ url: smtp.url, from: 'no-reply@foyer.test' });
    const { data } = await request(' Ben@Example.org ');
    expect(data).toEqual({ requestSignInLink: true });
    await deliverEmails(app.ctx, transport);
    transport.close();
    await smtp.stop();
    expect(smtp.received.map(({ to }) => to)).toEqual([BEN]);
    const source = smtp.received[0]?.source ?? '';
    expect(source).toContain('Hello Ben Okafor,');
    const url = /http:\S+#foyerl_[0-9A-Za-z]+/.exec(source)?.[0] ?? '';
    expect(url).toMatch(/^http:\/\/foyer\.test\/my\/sign-in#foyerl_[0-9A-Za-z]{49}$/);

    const answer = await redeem(secretIn(url));
    expect(answer.data).toEqual({ redeemSignInLink: true });
    expect(answer.setCookie).toMatch(/^foyer_session=foyers_[0-9A-Za-z]{49};.*HttpOnly/);
    const cookie = cookieOf(answer);
    expect(await viewer(app, cookie)).toEqual({ kind: 'MEMBER', name: 'Ben Okafor', role: null });
    await ask(app, 'mutation { signOut }', {}, { cookie });
    expect(await viewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('is kept as a hash only', async () => {
    const secret = await linkFor(BEN);
    const rows = await app.ctx.db.signInLink.findMany();
    expect(rows.some(({ tokenHash }) => Buffer.from(tokenHash).equals(hashSecret(secret)))).toBe(
      true,
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(7));
  });

  it('makes the account of a member at their first sign-in, and no other later', async () => {
    const { id, email } = await newcomer('paused');
    const users = () => app.ctx.db.user.findMany({ where: { memberId: id } });
    const secrets = [await linkFor(email)];
    expect(await users()).toEqual([]);
    await redeem(secrets[0] ?? '');
    const [first] = await users();
    expect(first).toMatchObject({ email, role: null, passwordHash: null });
    await redeem(await linkFor(email));
    expect(await users()).toEqual([first]);
  });

  it('works for a quarter of an hour', async () => {
    const [early, late] = [await linkFor(BEN), await linkFor((await newcomer()).email)];
    minutesLater(14.99);
    expect((await redeem(early)).refusal).toBeUndefined();
    minutesLater(15);
    expect((await redeem(late)).refusal?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
  });

  it('is refused in the same words when used, too old, ended by another or made up', async () => {
    const [older, used] = [await linkFor(BEN), await linkFor(BEN)];
    await redeem(used);
    const refusals = [
      await redeem(used),
      await redeem(older),
      await redeem(createSecret('signInLink').plainText),
      await redeem('foyerl_nonsense'),
      await redeem(''),
    ];
    for (const { refusal, setCookie } of refusals) {
      expect(refusal).toMatchObject({
        message: 'This link no longer works: it is used or expired. Request a new one.',
        extensions: { code: 'UNAUTHENTICATED', reason: 'LINK_INVALID' },
      });
      expect(setCookie).toBe('');
    }
  });

  it('is no good to who has left since', async () => {
    const { id, email } = await newcomer();
    const secret = await linkFor(email);
    await app.ctx.db.member.update({ where: { id }, data: { status: 'former' } });
    expect((await redeem(secret)).refusal?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
    expect(await app.ctx.db.user.count({ where: { memberId: id } })).toBe(0);
  });

  it('is no good to pages of other sites', async () => {
    const secret = await linkFor(BEN);
    const { refusal } = await redeem(secret, { origin: 'https://evil.example' });
    expect(refusal?.extensions).toMatchObject({ reason: 'FOREIGN_ORIGIN' });
    expect((await redeem(secret, { origin: 'http://foyer.test' })).refusal).toBeUndefined();
  });

  it('is forgotten a day after its end', async () => {
    await app.ctx.db.signInLink.deleteMany();
    await linkFor(BEN);
    minutesLater(15 + 24 * 60);
    expect(await purgeSignInLinks(app.ctx)).toBe(0);
    minutesLater(16 + 24 * 60);
    expect(await purgeSignInLinks(app.ctx)).toBe(1);
  });
});

describe('one link used by fifty at once', () => {
  it('would let more than one in if it were looked at first and marked after', async () => {
    const tokenHash = hashSecret(await linkFor(BEN));
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

  it('lets one in', async () => {
    const { email, id } = await newcomer();
    const secret = await linkFor(email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(secret)));
    expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
    expect(new Set(answers.map(({ refusal }) => refusal?.extensions.reason))).toEqual(
      new Set([undefined, 'LINK_INVALID']),
    );
    expect(await app.ctx.db.session.count({ where: { user: { memberId: id } } })).toBe(1);
  });
});

describe('asking for a link', () => {
  it('is answered the same, in the same time, whether there is such a member or not', async () => {
    const left = await newcomer('former');
    const timed = async (email: string) => {
      const started = performance.now();
      const { data, refusal, setCookie } = await request(email);
      return { answer: { data, refusal, setCookie }, ms: performance.now() - started };
    };
    const known = await timed(BEN);
    for (const email of ['nobody@example.org', left.email, STAFF.owner]) {
      const unknown = await timed(email);
      expect(unknown.answer).toEqual(known.answer);
      expect(Math.abs(unknown.ms - known.ms)).toBeLessThan(100);
    }
    expect(known.ms).toBeGreaterThan(240);
    const mails = await app.ctx.db.mail.findMany();
    expect(mails.map(({ recipient }) => recipient)).toEqual([BEN]);
  });

  it('is no way in for a member whose address is that of somebody on the staff', async () => {
    await app.ctx.db.member.create({
      data: { name: 'Fred', email: STAFF.front_desk, code: 'FRED234567' },
    });
    expect(await linkFor(STAFF.front_desk)).toBe('');
    const { id, email } = await newcomer();
    const secret = await linkFor(email);
    await app.ctx.db.user.create({ data: { name: 'New', email, role: 'owner' } });
    expect((await redeem(secret)).refusal?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
    await app.ctx.db.user.delete({ where: { email } });
    expect(await app.ctx.db.user.count({ where: { memberId: id } })).toBe(0);
  });

  it('needs an address', async () => {
    expect((await request('ben')).refusal?.extensions).toMatchObject({ code: 'VALIDATION' });
  });

  it('is possible a few times in a quarter of an hour, for members and strangers alike', async () => {
    for (const email of [BEN, 'nobody@example.org']) {
      const address = newAddress();
      for (let time = 1; time <= 5; time += 1)
        expect((await request(email, { address })).refusal).toBeUndefined();
      expect((await request(email, { address })).refusal?.extensions).toMatchObject({
        code: 'RATE_LIMITED',
        reason: 'TOO_MANY_ATTEMPTS',
        retryAfterSeconds: expect.any(Number),
      });
    }
  });

  it('fills nobody’s mailbox, from however many addresses it is done', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => request(BEN)));
    expect(answers.filter(({ refusal }) => refusal)).toHaveLength(5);
    expect(await app.ctx.db.mail.count()).toBe(10);
  });

  it('leaves the attempts at a password as they were', async () => {
    const address = newAddress();
    for (let time = 1; time <= 6; time += 1) await request(STAFF.owner, { address });
    const signIn = 'mutation { signIn(email: "ada@example.org", password: "wrong") }';
    const { refusal } = await ask(app, signIn, {}, { address });
    expect(refusal?.extensions).toMatchObject({ reason: 'WRONG_CREDENTIALS' });
  });
});
