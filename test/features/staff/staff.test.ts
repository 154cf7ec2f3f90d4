import { recordKnownBrowser } from '../../../src/auth/sessions.ts';
import { purgeStaffLinks } from '../../../src/features/staff/service/links.ts';
import { fetchViewer, sendQuery, signIn } from '../../support/clients/sign-in.ts';
import { createStaffActions, NEW_PASSWORD } from '../../support/clients/staff.ts';
import { createStaffUser, makeMember } from '../../support/factories/people.ts';
import { NOW, PASSWORD } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { countStatements } from '../../support/harness/database.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let owner: string;
let manager: string;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  owner = await app.signIn(STAFF.owner);
  manager = await app.signIn(STAFF.manager);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const { send, list, change, withdraw, changeWithLink, invite, accept, fetchLink } =
  createStaffActions(() => ({ app, owner }));

const findId = async (email: string) =>
  (await app.ctx.db.user.findUniqueOrThrow({ where: { email } })).id;

describe('the list of staff', () => {
  it('reads the sessions of all of them in one statement', async () => {
    await createStaffUser(app);
    const read = (count: number) => () =>
      send(`{ staffUsers(first: ${count}) { nodes { sessions { isCurrent } } } }`, {}, owner);
    expect(await countStatements(app, 'sessions', read(3))).toBe(
      await countStatements(app, 'sessions', read(1)),
    );
  });

  it('shows names, roles and the last activity, and no members', async () => {
    const all = await list();
    expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort());
    expect(all).toContainEqual(
      expect.objectContaining({ email: STAFF.owner, role: 'OWNER', status: 'ACTIVE', isYou: true }),
    );
    const members = await app.ctx.db.member.findMany();
    expect(all.some(({ email }) => members.some((member) => member.email === email))).toBe(false);
  });

  it('is visible to owners and managers, and editable for owners', async () => {
    const desk = await app.signIn(STAFF.front_desk);
    expect((await send('{ staff { edges { cursor } } }', {}, manager)).reason).toBeUndefined();
    expect((await send('{ staff { edges { cursor } } }', {}, desk)).reason).toBe('MANAGER_NEEDED');
    const input = { id: await findId(STAFF.front_desk) };
    for (const cookie of [manager, desk]) {
      expect((await change('disableStaff', input, cookie)).reason).toBe('OWNER_NEEDED');
      const role = { ...input, role: 'OWNER' };
      expect((await change('setStaffRole', role, cookie)).reason).toBe('OWNER_NEEDED');
    }
    const token = await app.token('*');
    const asToken = await app.graphql('{ staff { edges { cursor } } }', {}, { token });
    expect(asToken.errors[0]?.extensions.reason).toBe('MANAGER_NEEDED');
  });
});

describe('an invitation', () => {
  it('is sent by email, shows its recipient and sets a password once', async () => {
    const { email, id, secret, url, staffUser } = await invite();
    expect(url).toMatch(/^http:\/\/foyer\.test\/admin\/set-password#foyeri_[0-9A-Za-z]{49}$/);
    expect(staffUser).toMatchObject({ status: 'INVITED', role: 'FRONT_DESK', lastActiveAt: null });
    const mail = await app.ctx.db.mail.findFirstOrThrow({ where: { recipient: email } });
    expect(mail.text).toContain(url);
    expect((await fetchLink(secret)).data.staffLink).toEqual({
      purpose: 'INVITATION',
      name: 'Ina Vited',
      email,
      expiresAt: new Date(NOW.getTime() + 3 * DAY_MS).toISOString(),
    });

    expect((await accept(secret, 'short')).reason).toBe('PASSWORD_TOO_WEAK');
    const { data, setCookie } = await accept(secret);
    expect(data.acceptStaffLink.staffUser).toEqual({ id, status: 'ACTIVE' });
    expect(await fetchViewer(app, setCookie.split(';')[0] ?? '')).toMatchObject({
      role: 'FRONT_DESK',
    });
    expect((await accept(secret)).reason).toBe('LINK_INVALID');
    expect((await fetchLink(secret)).reason).toBe('LINK_INVALID');
    expect((await signIn(app, email, NEW_PASSWORD)).error).toBeUndefined();
  });

  it('lets a former member sign in as staff, unless the member has an account', async () => {
    const { id, email, signedIn } = await makeMember(app, { status: 'former' });
    const { url } = await changeWithLink('inviteStaff', { name: 'Rita', email, role: 'MANAGER' });
    await accept(new URL(url).hash.slice(1));
    const { setCookie } = await signIn(app, email, NEW_PASSWORD);
    expect(await fetchViewer(app, setCookie.split(';')[0] ?? '')).toMatchObject({
      role: 'MANAGER',
    });

    // An account belongs to staff or to a member, so the account of a former member cannot get a role.
    const both = app.ctx.db.user.updateMany({ where: { email }, data: { memberId: id } });
    await expect(both).rejects.toThrow('users_staff_or_member');
    await app.ctx.db.user.deleteMany({ where: { email } });
    await signedIn();
    const { reason } = await changeWithLink('inviteStaff', {
      name: 'Rita',
      email,
      role: 'MANAGER',
    });
    expect(reason).toBe('TAKEN');
  });

  it('is accepted once under concurrent requests', async () => {
    const { secret } = await invite();
    const responses = await Promise.all(Array.from({ length: 8 }, () => accept(secret)));
    expect(responses.filter(({ data }) => data?.acceptStaffLink.staffUser)).toHaveLength(1);
    expect(responses.filter(({ reason }) => reason === 'LINK_INVALID')).toHaveLength(7);
  });

  it('expires after three days, and its account cannot sign in before', async () => {
    const { email, secret } = await invite();
    for (const password of ['null', PASSWORD, NEW_PASSWORD]) {
      const { error } = await signIn(app, email, password);
      expect(error?.extensions.reason).toBe('WRONG_CREDENTIALS');
    }
    app.clock.now = new Date(NOW.getTime() + 3 * DAY_MS);
    expect((await accept(secret)).reason).toBe('LINK_INVALID');
  });

  it('is replaced by sending it again, and ends when it is withdrawn', async () => {
    const { email, id, secret } = await invite();
    const again = await changeWithLink('resendStaffInvitation', { id });
    expect((await accept(secret)).reason).toBe('LINK_INVALID');
    const next = new URL(again.url).hash.slice(1);
    expect((await fetchLink(next)).data.staffLink.email).toBe(email);
    expect((await withdraw(id)).data).toEqual({
      withdrawStaffInvitation: { deletedStaffUserId: id },
    });
    expect((await accept(next)).reason).toBe('LINK_INVALID');
    expect(await app.ctx.db.user.findUnique({ where: { id } })).toBeNull();
    expect((await withdraw(id)).code).toBe('NOT_FOUND');
  });

  it('cannot be withdrawn, sent again or disabled at the wrong time', async () => {
    const { id, secret } = await invite();
    expect((await change('disableStaff', { id })).reason).toBe('INVITATION_OPEN');
    await accept(secret);
    expect((await withdraw(id)).reason).toBe('INVITATION_ACCEPTED');
    expect((await changeWithLink('resendStaffInvitation', { id })).reason).toBe(
      'INVITATION_ACCEPTED',
    );
  });

  it('is rejected for an address with an account', async () => {
    const input = { name: 'Again', email: ' ADA@example.org', role: 'MANAGER' };
    expect(await changeWithLink('inviteStaff', input)).toMatchObject({ reason: 'TAKEN' });
  });

  it('does not show its link in the list of emails, since it is shown once', async () => {
    const { email, secret } = await invite('OWNER');
    const findText = async (cookie: string) => {
      const { data } = await send(
        '{ mails(first: 20) { edges { node { recipient text } } } }',
        {},
        cookie,
      );
      const nodes = data.mails.edges as { node: { recipient: string; text: string } }[];
      return nodes.find(({ node }) => node.recipient === email)?.node.text ?? '';
    };
    for (const cookie of [manager, owner]) {
      const text = await findText(cookie);
      expect(text).toContain('#foyeri_***');
      expect(text).not.toContain(secret);
    }
  });

  it('shows its link only to the recipient with a mail server', async () => {
    const mailing = await startApp({ config: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    const { data } = await mailing.graphql(
      `mutation { inviteStaff(input: { name: "x", email: "x@example.org", role: OWNER }) { url } }`,
      {},
      { cookie: await mailing.signIn(STAFF.owner) },
    );
    expect(data.inviteStaff).toEqual({ url: null });
    const mail = await mailing.ctx.db.mail.findFirstOrThrow({
      where: { recipient: 'x@example.org' },
    });
    expect(mail.text).toMatch(/#foyeri_\w{49}/);
    await mailing.stop();
  });
});

describe('a disabled account', () => {
  it('loses its sessions immediately and cannot sign in, with the error of a wrong password', async () => {
    const { email, password, session } = await createStaffUser(app);
    const cookies = [await session(), await session()];
    const id = await findId(email);
    const { staffUser } = await change('disableStaff', { id });
    expect(staffUser).toMatchObject({ status: 'DISABLED' });
    for (const cookie of cookies)
      expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    const disabled = await signIn(app, email, password);
    const wrong = await signIn(app, email, 'not this one');
    expect([disabled.error, disabled.setCookie]).toEqual([wrong.error, '']);

    expect((await change('enableStaff', { id })).staffUser).toMatchObject({ status: 'ACTIVE' });
    for (const cookie of cookies)
      expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    expect((await signIn(app, email, password)).error).toBeUndefined();
  });

  it('has no session, even one that was opened while it was being disabled', async () => {
    const { email, session } = await createStaffUser(app);
    const cookie = await session();
    await app.ctx.db.user.update({ where: { email }, data: { disabledAt: NOW } });
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
  });

  it('keeps its API tokens unless they are revoked on request', async () => {
    const { email, session } = await createStaffUser(app);
    const cookie = await session();
    const { data } = await send(
      'mutation { createApiToken(input: { name: "till", scopes: ["bookings:read"] }) { secret } }',
      {},
      cookie,
    );
    const token = data.createApiToken.secret as string;
    const others = await app.token('bookings:read');
    const statuses = () =>
      Promise.all(
        [token, others].map(async (token) => (await app.rest('/bookings', { token })).status),
      );
    const id = await findId(email);
    const withTokens = await change('disableStaff', { id });
    expect(withTokens.staffUser).toMatchObject({ activeTokenCount: 1 });
    expect(await statuses()).toEqual([200, 200]);
    const ended = await change('disableStaff', { id, revokeTokens: true });
    expect(ended.staffUser).toMatchObject({ activeTokenCount: 0 });
    expect(await statuses()).toEqual([401, 200]);
  });

  it('cannot be the own one', async () => {
    const id = await findId(STAFF.owner);
    for (const own of [id, id.toUpperCase()]) {
      expect((await change('disableStaff', { id: own })).reason).toBe('OWN_ACCOUNT');
      expect((await changeWithLink('resetStaffPassword', { id: own })).reason).toBe('OWN_ACCOUNT');
    }
  });
});

describe('a changed role', () => {
  it('applies from the next request on and can revoke the tokens', async () => {
    const { email, session } = await createStaffUser(app, 'manager');
    const cookie = await session();
    const { data } = await send(
      'mutation { createApiToken(input: { name: "till", scopes: ["events:write"] }) { secret } }',
      {},
      cookie,
    );
    const id = await findId(email);
    const { staffUser } = await change('setStaffRole', {
      id,
      role: 'FRONT_DESK',
      revokeTokens: true,
    });
    expect(staffUser).toMatchObject({ role: 'FRONT_DESK', activeTokenCount: 0 });
    expect(await fetchViewer(app, cookie)).toMatchObject({ role: 'FRONT_DESK' });
    const { status } = await app.rest('/bookings', { token: data.createApiToken.secret });
    expect(status).toBe(401);
  });

  it('is rejected for members', async () => {
    const ben = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
    const user = await app.ctx.db.user.create({
      data: { name: ben.name, email: ben.email, memberId: ben.id },
    });
    const { id } = user;
    for (const { message } of [
      await change('setStaffRole', { id, role: 'OWNER' }),
      await change('disableStaff', { id }),
      await changeWithLink('resetStaffPassword', { id }),
    ])
      expect(message).toBe('No such staff account.');
    expect(await app.ctx.db.user.findUniqueOrThrow({ where: { id } })).toEqual(user);
  });
});

describe('a password reset', () => {
  it('ends the old password and all sessions, and its link sets a new password', async () => {
    const { email, password, session } = await createStaffUser(app);
    const cookie = await session();
    const { url } = await changeWithLink('resetStaffPassword', { id: await findId(email) });
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    expect((await signIn(app, email, password)).error?.extensions.reason).toBe('WRONG_CREDENTIALS');
    const secret = new URL(url).hash.slice(1);
    expect((await fetchLink(secret)).data.staffLink.purpose).toBe('PASSWORD_RESET');
    expect((await accept(secret)).data.acceptStaffLink.staffUser.status).toBe('ACTIVE');
    expect((await signIn(app, email, NEW_PASSWORD)).error).toBeUndefined();
  });

  it('waits for a disabled account to be enabled, and its link ends when the account is disabled', async () => {
    const { email } = await createStaffUser(app);
    const id = await findId(email);
    const { url } = await changeWithLink('resetStaffPassword', { id });
    await change('disableStaff', { id });
    expect((await accept(new URL(url).hash.slice(1))).reason).toBe('LINK_INVALID');
    expect((await changeWithLink('resetStaffPassword', { id })).reason).toBe('ACCOUNT_DISABLED');
  });
});

const forget = (email: string) =>
  sendQuery(
    app,
    'mutation ($email: String!) { requestPasswordReset(input: { email: $email }) { email } }',
    { email },
  );

describe('a forgotten password without a mail server', () => {
  it('has the same answer, and no link that is stored for others to use', async () => {
    const { email } = await createStaffUser(app);
    expect(await forget(email)).toMatchObject({ data: { requestPasswordReset: { email } } });
    expect(await app.ctx.db.staffLink.count({ where: { user: { email } } })).toBe(0);
    expect(await app.ctx.db.mail.count({ where: { recipient: email } })).toBe(0);
  });
});

describe('a forgotten password', () => {
  const HOUR_MS = 3_600_000;

  const withoutMailServer: { app?: TestApp; owner: string } = { owner: '' };
  beforeAll(async () => {
    Object.assign(withoutMailServer, { app, owner });
    app = await startApp({ config: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9' } });
    owner = await app.signIn(STAFF.owner);
  });
  afterAll(async () => {
    await app.stop();
    app = withoutMailServer.app ?? app;
    owner = withoutMailServer.owner;
  });
  const findMails = (recipient: string) =>
    app.ctx.db.mail.findMany({
      where: { recipient, subject: 'Reset your password' },
      orderBy: { id: 'asc' },
    });
  const findSecret = async (recipient: string) => {
    const mail = await app.ctx.db.mail.findFirst({ where: { recipient }, orderBy: { id: 'desc' } });
    const text = mail?.text ?? '';
    return /admin\/set-password#(foyeri_\w+)/.exec(text)?.[1] ?? '';
  };
  const advanceClock = (minutes: number) => {
    app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
  };

  it('gets a link by email for an hour, which sets a new one and ends all sessions', async () => {
    const { email, password, session } = await createStaffUser(app);
    const cookie = await session();
    const head = await app.ctx.db.change.count();
    expect((await forget(` ${email.toUpperCase()} `)).error).toBeUndefined();
    expect(await app.ctx.db.change.count()).toBe(head);
    const secret = await findSecret(email);
    expect((await fetchLink(secret)).data.staffLink).toMatchObject({
      purpose: 'PASSWORD_RESET',
      expiresAt: new Date(NOW.getTime() + HOUR_MS).toISOString(),
    });
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'STAFF' });
    expect((await signIn(app, email, password)).error).toBeUndefined();

    expect((await accept(secret)).reason).toBeUndefined();
    expect(await fetchViewer(app, cookie)).toMatchObject({ kind: 'ANONYMOUS' });
    expect((await signIn(app, email, password)).error?.extensions.reason).toBe('WRONG_CREDENTIALS');
    expect((await signIn(app, email, NEW_PASSWORD)).error).toBeUndefined();
    expect((await accept(secret)).reason).toBe('LINK_INVALID');
    const changes = await app.ctx.db.change.findMany({ orderBy: { sequence: 'asc' }, skip: head });
    expect(changes.map(({ type }) => type)).toEqual(['staff.password_changed']);
  });

  it('has one answer for all addresses, and changes only accounts that can sign in', async () => {
    const [staff, disabled, reset] = [
      await createStaffUser(app),
      await createStaffUser(app),
      await createStaffUser(app),
    ];
    const member = await makeMember(app, {});
    await member.signedIn();
    await change('disableStaff', { id: await findId(disabled.email) });
    await changeWithLink('resetStaffPassword', { id: await findId(reset.email) });
    const ownerSecret = await findSecret(reset.email);
    const { email: invited } = await createStaffUser(app);
    const invitation = { passwordHash: null, invitedAt: NOW };
    await app.ctx.db.user.update({ where: { email: invited }, data: invitation });
    for (const email of [
      ...[staff.email, disabled.email, reset.email],
      ...[member.email, invited, 'nobody@example.org'],
    ]) {
      const started = performance.now();
      expect(await forget(email)).toEqual({
        data: { requestPasswordReset: { email } },
        error: undefined,
        setCookie: '',
      });
      expect(performance.now() - started).toBeGreaterThan(240);
      expect(await findMails(email)).toHaveLength(email === staff.email ? 1 : 0);
    }
    expect(await app.ctx.db.staffLink.count({ where: { user: { email: invited } } })).toBe(0);
    expect((await fetchLink(ownerSecret)).reason).toBeUndefined();
    // Once the link of an owner has expired, the person can request one.
    app.clock.now = new Date(NOW.getTime() + 3 * DAY_MS);
    await forget(reset.email);
    expect((await accept(await findSecret(reset.email))).reason).toBeUndefined();
  });

  const ends: Record<string, (email: string, cookie: string, password: string) => unknown> = {
    'an hour': () => advanceClock(60),
    'a newer link': async (email) => {
      advanceClock(10);
      await forget(email);
    },
    'a changed password': (_, cookie, current) =>
      send(
        'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { viewer { kind } } }',
        { input: { current, next: NEW_PASSWORD } },
        cookie,
      ),
    'a reset by an owner': async (email) =>
      changeWithLink('resetStaffPassword', { id: await findId(email) }),
    'a disabled account': async (email) => change('disableStaff', { id: await findId(email) }),
    'the end of all sessions': async (email) =>
      change('endStaffSessions', { id: await findId(email) }),
  };
  it.each(Object.entries(ends))('has a link that ends with %s', async (name, end) => {
    const { email, password, session } = await createStaffUser(app);
    const cookie = await session();
    await forget(email);
    const secret = await findSecret(email);
    expect((await fetchLink(secret)).reason).toBeUndefined();
    const known = { where: { user: { email } } };
    await recordKnownBrowser(app.ctx, await findId(email), undefined);
    await end(email, cookie, password);
    expect((await accept(secret)).reason).toBe('LINK_INVALID');
    // A browser is forgotten with its session.
    const isEnded = !['an hour', 'a newer link'].includes(name);
    expect(await app.ctx.db.knownBrowser.count(known)).toBe(isEnded ? 0 : 1);
  });

  it('has a link that ends with all sessions, also without a password, and one of an owner that stays', async () => {
    const [requested, made] = [await createStaffUser(app), await createStaffUser(app)];
    const emails = [requested.email, made.email];
    await changeWithLink('resetStaffPassword', { id: await findId(made.email) });
    const data = { passwordHash: null };
    await app.ctx.db.user.updateMany({ where: { email: { in: emails } }, data });
    await forget(requested.email);
    for (const email of emails) await change('endStaffSessions', { id: await findId(email) });
    const secrets = await Promise.all(emails.map(findSecret));
    expect((await fetchLink(secrets[0] ?? '')).reason).toBe('LINK_INVALID');
    expect((await fetchLink(secrets[1] ?? '')).reason).toBeUndefined();
  });

  it('lets many strangers cause one email in ten minutes, within the budget of strangers', async () => {
    const { email } = await createStaffUser(app);
    const responses = await Promise.all(Array.from({ length: 15 }, () => forget(email)));
    expect(responses.filter(({ error }) => error === undefined)).toHaveLength(10);
    expect(responses.find(({ error }) => error)?.error?.extensions).toMatchObject({
      reason: 'TOO_MANY_ATTEMPTS',
    });
    expect(await findMails(email)).toEqual([
      expect.objectContaining({ priority: 'requested', clientKey: expect.any(String) }),
    ]);
    advanceClock(20);
    await forget(email);
    expect(await findMails(email)).toHaveLength(2);
  });

  it('has an expired link that is deleted, since the panel need not show it', async () => {
    const { email } = await createStaffUser(app);
    const reset = await createStaffUser(app);
    await changeWithLink('resetStaffPassword', { id: await findId(reset.email) });
    await forget(email);
    app.clock.now = new Date(NOW.getTime() + 4 * DAY_MS);
    await purgeStaffLinks(app.ctx);
    const links = await app.ctx.db.staffLink.findMany({
      where: { user: { email: { in: [email, reset.email] } } },
      select: { user: { select: { email: true } } },
    });
    expect(links).toEqual([{ user: { email: reset.email } }]);
  });
});

describe('tokens with all scopes', () => {
  const CREATE = `mutation ($scopes: [String!]!) {
    createApiToken(input: { name: "x", scopes: $scopes }) { apiToken { id } } }`;

  it('are created, rotated and revoked by owners only', async () => {
    const made = await send(CREATE, { scopes: ['*'] });
    const { id } = made.data.createApiToken.apiToken;
    expect((await send(CREATE, { scopes: ['*'] }, manager)).reason).toBe('OWNER_NEEDED');
    const rotate = `mutation { rotateApiToken(input: { id: "${id}", overlapMinutes: 5 }) { apiToken { id } } }`;
    expect((await send(rotate, {}, manager)).reason).toBe('OWNER_NEEDED');
    const revoke = `mutation { revokeApiToken(input: { id: "${id}" }) { apiToken { revokedAt } } }`;
    expect((await send(revoke, {}, manager)).reason).toBe('OWNER_NEEDED');
    expect((await send(rotate)).reason).toBeUndefined();
    expect((await send(revoke)).data.revokeApiToken.apiToken.revokedAt).not.toBeNull();
  });

  it('leave managers every single scope', async () => {
    const { data } = await send('{ scopes { scope } }');
    const scopes = (data.scopes as { scope: string }[])
      .map(({ scope }) => scope)
      .filter((scope) => scope !== '*');
    expect((await send(CREATE, { scopes }, manager)).reason).toBeUndefined();
    const { data: viewerData } = await send('{ viewer { scopes } }', {}, manager);
    expect(viewerData.viewer.scopes).toEqual(scopes);
  });
});

describe('the own account', () => {
  const rename = (name: string, cookie?: string) =>
    send(
      'mutation ($name: String!) { updateMyAccount(input: { name: $name }) { viewer { name } } }',
      { name },
      cookie,
    );

  it('can be renamed by its person only', async () => {
    const user = await createStaffUser(app, 'front_desk');
    const cookie = await user.session();
    const { data } = await rename('  Nora Nordin ', cookie);
    expect(data.updateMyAccount).toEqual({ viewer: { name: 'Nora Nordin' } });
    expect((await send('{ viewer { name } }', {}, cookie)).data.viewer.name).toBe('Nora Nordin');
    expect((await list()).find(({ email }) => email === user.email)).toMatchObject({
      name: 'Nora Nordin',
    });
    expect((await rename('www.example.org', cookie)).reason).toBe('INVALID_INPUT');
  });
});
