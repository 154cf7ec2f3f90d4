import { v7 } from 'uuid';
import { purgeEmailChanges } from '../../../src/features/members/email-change.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../../support/app.ts';
import { ask, viewer } from '../../support/people.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let token: Credential;
let owner: Credential;
let frontDesk: Credential;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  token = { token: await app.token('members:read', 'members:write') };
  owner = { cookie: await app.signIn(STAFF.owner) };
  frontDesk = { cookie: await app.signIn(STAFF.front_desk) };
});
beforeEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const EMAIL = 'id name email emailConfirmed emailChange { email confirmedAt approvedAt }';
const create = (as: Credential, email = `${v7()}@example.org`) =>
  app.graphql(
    `mutation ($email: String!) { createMember(input: { name: "Ola Nordin", email: $email }) { ${EMAIL} } }`,
    { email },
    as,
  );
const update = (id: string, input: object, as: Credential) =>
  app.graphql(
    `mutation ($id: ID!, $input: UpdateMemberInput!) { updateMember(id: $id, input: $input) { ${EMAIL} } }`,
    { id, input },
    as,
  );
const read = async (id: string) =>
  (await app.graphql(`query ($id: ID!) { member(id: $id) { ${EMAIL} } }`, { id }, token)).data
    .member;
const run = (name: string, id: string, as: Credential) =>
  app.graphql(`mutation ($id: ID!) { ${name}(id: $id) { ${EMAIL} } }`, { id }, as);
const confirm = async (secret: string) => {
  const { data, errors } = await app.graphql(
    'mutation ($secret: String!) { confirmMemberEmail(secret: $secret) }',
    { secret },
  );
  return errors[0]?.extensions.reason ?? data.confirmMemberEmail;
};
const reject = (secret: string) =>
  app.graphql('mutation ($secret: String!) { rejectMemberEmailChange(secret: $secret) }', {
    secret,
  });

const mailsTo = (recipient: string) =>
  app.ctx.db.mail.findMany({ where: { recipient }, orderBy: { id: 'desc' } });
/** What stands after the # of the newest link to this address. */
const secretTo = async (recipient: string, page = 'confirm-email') => {
  for (const { text } of await mailsTo(recipient)) {
    const found = new RegExp(`/my/${page}#(foyere_[0-9A-Za-z]+)`).exec(text)?.[1];
    if (found) return found;
  }
  return '';
};

/** The session of who has this mailbox, by the link that the service sends to it; empty where it sends none. */
async function signInBy(email: string): Promise<string> {
  await ask(app, 'mutation ($email: String!) { requestSignInLink(email: $email) }', { email });
  const [mail] = await mailsTo(email);
  const secret = /#(foyerl_[0-9A-Za-z]+)/.exec(mail?.text ?? '')?.[1];
  if (!secret) return '';
  const { setCookie } = await ask(
    app,
    'mutation ($secret: String!) { redeemSignInLink(secret: $secret) }',
    { secret },
  );
  return setCookie.split(';')[0] ?? '';
}
const kindOf = async (cookie: string) => (await viewer(app, cookie))?.kind;

/** A member whom staff made, signed in. */
async function member() {
  const { data } = await create(owner);
  const { id, email } = data.createMember as { id: string; email: string };
  return { id, email, cookie: await signInBy(email) };
}

describe('a member created by a token', () => {
  it('signs in only after the address is confirmed', async () => {
    const email = `${v7()}@example.org`;
    const answer = await app.rest('/members', token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ola Nordin', email }),
    });
    expect([answer.status, answer.body.data]).toMatchObject([
      201,
      { member: { email, status: 'active', email_confirmed: false } },
    ]);
    expect(await signInBy(email)).toBe('');
    const secret = await secretTo(email);
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({ subject: 'Confirm your email address', priority: 'requested' });
    expect(mail?.text).not.toContain('Ola');
    expect(await confirm(secret)).toBe('CONFIRMED');
    expect(await kindOf(await signInBy(email))).toBe('MEMBER');
    expect(await confirm(secret)).toBe('LINK_INVALID');
  });

  it('cannot be taken over by a token that changes the address', async () => {
    const { data } = await create(token);
    const { id, email } = data.createMember;
    const attacker = `${v7()}@example.org`;
    await update(id, { email: attacker }, token);
    expect(await confirm(await secretTo(attacker))).toBe('AWAITING_APPROVAL');
    expect(await signInBy(attacker)).toBe('');
    expect((await read(id)).email).toBe(email);
  });

  it('cannot sign in with an earlier link', async () => {
    const { data } = await create(token);
    const { id, email, emailConfirmed } = data.createMember;
    expect(emailConfirmed).toBe(false);
    await app.ctx.db.member.update({ where: { id }, data: { emailConfirmedAt: NOW } });
    await ask(app, 'mutation ($email: String!) { requestSignInLink(email: $email) }', { email });
    await app.ctx.db.member.update({ where: { id }, data: { emailConfirmedAt: null } });
    const [mail] = await mailsTo(email);
    const secret = /#(foyerl_[0-9A-Za-z]+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
    const { refusal } = await ask(
      app,
      'mutation ($secret: String!) { redeemSignInLink(secret: $secret) }',
      { secret },
    );
    expect(refusal?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
  });

  it('gets a new link when the first has expired', async () => {
    const { data } = await create(token);
    const { id, email } = data.createMember;
    const first = await secretTo(email);
    app.clock.now = new Date(NOW.getTime() + 7 * 24 * 3_600_000);
    expect(await confirm(first)).toBe('LINK_INVALID');
    await purgeEmailChanges(app.ctx);
    expect((await run('resendMemberConfirmation', id, frontDesk)).codes).toEqual([]);
    const second = await secretTo(email);
    expect(second).not.toBe(first);
    expect(await confirm(second)).toBe('CONFIRMED');
    const again = await run('resendMemberConfirmation', id, frontDesk);
    expect(again.errors[0]?.extensions).toMatchObject({ reason: 'NOTHING_TO_CONFIRM' });
  });

  it('needs no confirmation when staff created it', async () => {
    const { email, cookie } = await member();
    expect(await secretTo(email)).toBe('');
    expect(await kindOf(cookie)).toBe('MEMBER');
  });
});

describe('a changed email address', () => {
  it('is confirmed from the new address, notifies the old one and ends sessions', async () => {
    const { id, email, cookie } = await member();
    const next = `new-${email}`;
    const { data } = await update(id, { name: 'Ola N.', email: next.toUpperCase() }, frontDesk);
    expect(data.updateMember).toMatchObject({
      name: 'Ola N.',
      email,
      emailChange: { email: next, confirmedAt: null, approvedAt: expect.any(String) },
    });
    // Until then nothing changes: the old address signs in, the new one does not.
    expect(await signInBy(next)).toBe('');
    const second = await signInBy(email);
    for (const one of [cookie, second]) expect(await kindOf(one)).toBe('MEMBER');
    await ask(app, 'mutation ($email: String!) { requestSignInLink(email: $email) }', { email });
    expect(await confirm(await secretTo(next))).toBe('CONFIRMED');
    for (const one of [cookie, second]) expect(await kindOf(one)).toBe('ANONYMOUS');
    expect(await app.ctx.db.signInLink.count({ where: { memberId: id, usedAt: null } })).toBe(0);
    expect(await read(id)).toMatchObject({ email: next, emailConfirmed: true, emailChange: null });
    expect((await mailsTo(email))[0]).toMatchObject({
      subject: 'Your email address was changed',
      text: expect.stringContaining(next),
    });
    expect(await signInBy(email)).toBe('');
    expect(await kindOf(await signInBy(next))).toBe('MEMBER');
  });

  it('by a token gives the owner of the new mailbox no access', async () => {
    const { id, email, cookie } = await member();
    const evil = `evil-${email}`;
    await update(id, { email: evil }, token);
    expect(await confirm(await secretTo(evil))).toBe('AWAITING_APPROVAL');
    expect(await signInBy(evil)).toBe('');
    // Neither does any other right of the token.
    const { errors } = await run('approveMemberEmailChange', id, {
      token: await app.token('*'),
    });
    expect(errors[0]?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
    await run('resendMemberConfirmation', id, token);
    expect(await read(id)).toMatchObject({ email });
    expect(await kindOf(cookie)).toBe('MEMBER');
    const [notice] = await mailsTo(email);
    expect(notice).toMatchObject({
      subject: 'Approve your new email address',
      priority: 'essential',
      text: expect.stringContaining(evil),
    });
    expect((await reject(await secretTo(email, 'approve-email'))).data).toEqual({
      rejectMemberEmailChange: true,
    });
    expect(await read(id)).toMatchObject({ email, emailChange: null });
  });

  it('by a token takes effect when the old address approves, in either order', async () => {
    for (const oldFirst of [true, false]) {
      const { id, email } = await member();
      const next = `new-${email}`;
      await update(id, { email: next }, token);
      const [old, fresh] = [await secretTo(email, 'approve-email'), await secretTo(next)];
      expect(await confirm(oldFirst ? old : fresh)).toBe(
        oldFirst ? 'AWAITING_CONFIRMATION' : 'AWAITING_APPROVAL',
      );
      expect(await read(id)).toMatchObject({ email });
      expect(await confirm(oldFirst ? fresh : old)).toBe('CONFIRMED');
      expect(await read(id)).toMatchObject({ email: next });
    }
  });

  it('by a token can be approved by a manager but not by front desk', async () => {
    const { id, email } = await member();
    const next = `new-${email}`;
    await update(id, { email: next }, token);
    expect((await run('approveMemberEmailChange', id, frontDesk)).codes).toEqual(['FORBIDDEN']);
    expect((await run('approveMemberEmailChange', id, owner)).codes).toEqual([]);
    expect(await read(id)).toMatchObject({ email });
    expect(await confirm(await secretTo(next))).toBe('CONFIRMED');
    expect(await read(id)).toMatchObject({ email: next });
  });

  it('is replaced by the next one and can be cancelled', async () => {
    const { id, email } = await member();
    await update(id, { email: `one-${email}` }, owner);
    const first = await secretTo(`one-${email}`);
    // A token replaces what staff asked for, and does not inherit their approval.
    await update(id, { email: `two-${email}` }, token);
    expect(await confirm(first)).toBe('LINK_INVALID');
    expect((await read(id)).emailChange).toMatchObject({ email: `two-${email}`, approvedAt: null });
    const second = await secretTo(`two-${email}`);
    await run('cancelMemberEmailChange', id, owner);
    expect(await confirm(second)).toBe('LINK_INVALID');
    expect(await read(id)).toMatchObject({ email, emailChange: null });
  });

  it('can be confirmed once under concurrent requests', async () => {
    const { id, email } = await member();
    await update(id, { email: `new-${email}` }, owner);
    const secret = await secretTo(`new-${email}`);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => confirm(secret)));
    expect(outcomes.filter((one) => one === 'CONFIRMED')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['CONFIRMED', 'LINK_INVALID']));
    expect(
      (await mailsTo(email)).filter(({ subject }) => subject.includes('was changed')),
    ).toHaveLength(1);
  });

  it('is rejected when someone else got the address in the meantime', async () => {
    const { id, email } = await member();
    const next = `new-${email}`;
    await update(id, { email: next }, owner);
    const other = await create(owner, next);
    expect(other.codes).toEqual([]);
    expect(await confirm(await secretTo(next))).toBe('TAKEN');
    expect(await read(id)).toMatchObject({ email });
    const taken = await update(id, { email: STAFF.owner }, owner);
    expect(taken.errors[0]?.extensions).toMatchObject({ reason: 'TAKEN' });
  });

  it('is not confirmed by an invalid link', async () => {
    for (const secret of ['', 'foyere_x', `foyere_${'x'.repeat(49)}`])
      expect(await confirm(secret)).toBe('LINK_INVALID');
    expect((await reject('foyere_x')).codes).toEqual(['NOT_FOUND']);
  });
});
