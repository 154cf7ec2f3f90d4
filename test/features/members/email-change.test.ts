import { v7 } from 'uuid';
import { purgeEmailChanges } from '../../../src/features/members/service/email-change.ts';
import type { Credential } from '../../support/clients/api.ts';
import { fetchViewer, sendQuery } from '../../support/clients/sign-in.ts';
import { NOW } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

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
    `mutation ($email: String!) { createMember(input: { name: "Ola Nordin", email: $email }) { member { ${EMAIL} } } }`,
    { email },
    as,
  );
const update = (id: string, input: object, as: Credential) =>
  app.graphql(
    `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { ${EMAIL} } } }`,
    { input: { id, ...input } },
    as,
  );
const read = async (id: string) =>
  (await app.graphql(`query ($id: ID!) { member(id: $id) { ${EMAIL} } }`, { id }, token)).data
    .member;
const run = (name: string, id: string, as: Credential) =>
  app.graphql(
    `mutation ($id: ID!) { ${name}(input: { id: $id }) { member { ${EMAIL} } } }`,
    { id },
    as,
  );
const confirm = async (secret: string) => {
  const { data, errors } = await app.graphql(
    'mutation ($secret: String!) { confirmMemberEmail(input: { secret: $secret }) { confirmation } }',
    { secret },
  );
  return errors[0]?.extensions.reason ?? data.confirmMemberEmail.confirmation;
};
const reject = (secret: string) =>
  app.graphql(
    'mutation ($secret: String!) { rejectMemberEmailChange(input: { secret: $secret }) { rejectedEmail } }',
    {
      secret,
    },
  );

const findEmails = (recipient: string) =>
  app.ctx.db.mail.findMany({ where: { recipient }, orderBy: { id: 'desc' } });
/** The secret in the newest link to this address. */
const findSecret = async (recipient: string, page = 'confirm-email') => {
  for (const { text } of await findEmails(recipient)) {
    const found = new RegExp(`/my/${page}#(foyere_[0-9A-Za-z]+)`).exec(text)?.[1];
    if (found) return found;
  }
  return '';
};

/** The session that the owner of this mailbox gets by a sign-in link; empty if the service sends none. */
async function signInBy(email: string): Promise<string> {
  await sendQuery(
    app,
    'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
    {
      email,
    },
  );
  const [mail] = await findEmails(email);
  const secret = /#(foyerl_[0-9A-Za-z]+)/.exec(mail?.text ?? '')?.[1];
  if (!secret) return '';
  const { setCookie } = await sendQuery(
    app,
    'mutation ($secret: String!) { redeemSignInLink(input: { secret: $secret }) { viewer { kind } } }',
    { secret },
  );
  return setCookie.split(';')[0] ?? '';
}
const getKind = async (cookie: string) => (await fetchViewer(app, cookie))?.kind;

/** A member created by staff, signed in. */
async function member() {
  const { data } = await create(owner);
  const { id, email } = data.createMember.member as { id: string; email: string };
  return { id, email, cookie: await signInBy(email) };
}

describe('a member created by a token', () => {
  it('signs in only after the address is confirmed', async () => {
    const email = `${v7()}@example.org`;
    const response = await app.rest('/members', token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ola Nordin', email }),
    });
    expect([response.status, response.body.data]).toMatchObject([
      201,
      { member: { email, status: 'active', email_confirmed: false } },
    ]);
    expect(await signInBy(email)).toBe('');
    const secret = await findSecret(email);
    const [mail] = await findEmails(email);
    expect(mail).toMatchObject({ subject: 'Confirm your email address', priority: 'requested' });
    expect(mail?.text).not.toContain('Ola');
    expect(await confirm(secret)).toBe('CONFIRMED');
    expect(await getKind(await signInBy(email))).toBe('MEMBER');
    expect(await confirm(secret)).toBe('LINK_INVALID');
  });

  it('cannot be taken over by a token that changes the address', async () => {
    const { data } = await create(token);
    const { id, email } = data.createMember.member;
    const attacker = `${v7()}@example.org`;
    await update(id, { email: attacker }, token);
    expect(await confirm(await findSecret(attacker))).toBe('AWAITING_APPROVAL');
    expect(await signInBy(attacker)).toBe('');
    expect((await read(id)).email).toBe(email);
  });

  it('cannot sign in with an earlier link', async () => {
    const { data } = await create(token);
    const { id, email, emailConfirmed } = data.createMember.member;
    expect(emailConfirmed).toBe(false);
    await app.ctx.db.member.update({ where: { id }, data: { emailConfirmedAt: NOW } });
    await sendQuery(
      app,
      'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
      {
        email,
      },
    );
    await app.ctx.db.member.update({ where: { id }, data: { emailConfirmedAt: null } });
    const [mail] = await findEmails(email);
    const secret = /#(foyerl_[0-9A-Za-z]+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
    const { error } = await sendQuery(
      app,
      'mutation ($secret: String!) { redeemSignInLink(input: { secret: $secret }) { viewer { kind } } }',
      { secret },
    );
    expect(error?.extensions).toMatchObject({ reason: 'LINK_INVALID' });
  });

  it('gets a new link when the first has expired', async () => {
    const { data } = await create(token);
    const { id, email } = data.createMember.member;
    const first = await findSecret(email);
    app.clock.now = new Date(NOW.getTime() + 7 * 24 * 3_600_000);
    expect(await confirm(first)).toBe('LINK_INVALID');
    await purgeEmailChanges(app.ctx);
    expect((await run('resendMemberConfirmation', id, frontDesk)).codes).toEqual([]);
    const second = await findSecret(email);
    expect(second).not.toBe(first);
    expect(await confirm(second)).toBe('CONFIRMED');
    const again = await run('resendMemberConfirmation', id, frontDesk);
    expect(again.errors[0]?.extensions).toMatchObject({ reason: 'NOTHING_TO_CONFIRM' });
  });

  it('needs no confirmation when staff created it', async () => {
    const { email, cookie } = await member();
    expect(await findSecret(email)).toBe('');
    expect(await getKind(cookie)).toBe('MEMBER');
  });
});

/** Those who could take a member over by changing the address alone. */
const REQUESTERS: [name: string, getCaller: () => Credential][] = [
  ['a token', () => token],
  ['the front desk', () => frontDesk],
];

describe('a changed email address', () => {
  it('is confirmed from the new address, notifies the old one and ends sessions', async () => {
    const { id, email, cookie } = await member();
    const next = `new-${email}`;
    const { data } = await update(id, { name: 'Ola N.', email: next.toUpperCase() }, owner);
    expect(data.updateMember.member).toMatchObject({
      name: 'Ola N.',
      email,
      emailChange: { email: next, confirmedAt: null, approvedAt: expect.any(String) },
    });
    // Until then nothing changes: the old address signs in, the new one does not.
    expect(await signInBy(next)).toBe('');
    const second = await signInBy(email);
    for (const one of [cookie, second]) expect(await getKind(one)).toBe('MEMBER');
    await sendQuery(
      app,
      'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
      {
        email,
      },
    );
    expect(await confirm(await findSecret(next))).toBe('CONFIRMED');
    for (const one of [cookie, second]) expect(await getKind(one)).toBe('ANONYMOUS');
    expect(await app.ctx.db.signInLink.count({ where: { memberId: id, usedAt: null } })).toBe(0);
    expect(await read(id)).toMatchObject({ email: next, emailConfirmed: true, emailChange: null });
    const [notice] = await findEmails(email);
    expect(notice).toMatchObject({
      subject: 'Your email address was changed',
      text: expect.stringContaining(next),
    });
    // Staff changed it, not the member.
    expect(notice?.text).toContain('staff or a program of the space entered it');
    expect((await findEmails(next))[0]?.text).not.toContain('member asked');
    expect(await signInBy(email)).toBe('');
    expect(await getKind(await signInBy(next))).toBe('MEMBER');
  });

  it.each(REQUESTERS)(
    'by %s gives the owner of the new mailbox no access',
    async (_, getCaller) => {
      const caller = getCaller();
      const { id, email, cookie } = await member();
      const evil = `evil-${email}`;
      await update(id, { email: evil }, caller);
      expect(await confirm(await findSecret(evil))).toBe('AWAITING_APPROVAL');
      expect(await signInBy(evil)).toBe('');
      // Nor do other scopes of the token.
      const { errors } = await run('approveMemberEmailChange', id, {
        token: await app.token('*'),
      });
      expect(errors[0]?.extensions).toMatchObject({ reason: 'MANAGER_NEEDED' });
      await run('resendMemberConfirmation', id, caller);
      expect(await read(id)).toMatchObject({ email });
      expect(await getKind(cookie)).toBe('MEMBER');
      const [notice] = await findEmails(email);
      expect(notice).toMatchObject({
        subject: 'Approve your new email address',
        priority: 'essential',
        text: expect.stringContaining(evil),
      });
      expect((await reject(await findSecret(email, 'approve-email'))).data).toEqual({
        rejectMemberEmailChange: { rejectedEmail: expect.any(String) },
      });
      expect(await read(id)).toMatchObject({ email, emailChange: null });
    },
  );

  it.each(REQUESTERS)(
    'by %s takes effect when the old address approves, in either order',
    async (_, getCaller) => {
      for (const oldFirst of [true, false]) {
        const { id, email } = await member();
        const next = `new-${email}`;
        await update(id, { email: next }, getCaller());
        const [old, fresh] = [await findSecret(email, 'approve-email'), await findSecret(next)];
        expect(await confirm(oldFirst ? old : fresh)).toBe(
          oldFirst ? 'AWAITING_CONFIRMATION' : 'AWAITING_APPROVAL',
        );
        expect(await read(id)).toMatchObject({ email });
        expect(await confirm(oldFirst ? fresh : old)).toBe('CONFIRMED');
        expect(await read(id)).toMatchObject({ email: next });
      }
    },
  );

  it.each(REQUESTERS)(
    'by %s can be approved by a manager but not by front desk',
    async (_, getCaller) => {
      const { id, email } = await member();
      const next = `new-${email}`;
      await update(id, { email: next }, getCaller());
      expect((await run('approveMemberEmailChange', id, frontDesk)).codes).toEqual(['FORBIDDEN']);
      const approve = (address: string) =>
        app.graphql(
          `mutation ($input: ApproveMemberEmailChangeInput!) { approveMemberEmailChange(input: $input) { member { ${EMAIL} } } }`,
          { input: { id, email: address } },
          owner,
        );
      const { errors } = await approve(`read-before-${email}`);
      expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'OTHER_ADDRESS' });
      expect((await read(id)).emailChange.approvedAt).toBeNull();
      expect((await approve(next.toUpperCase())).codes).toEqual([]);
      expect(await read(id)).toMatchObject({ email });
      expect(await confirm(await findSecret(next))).toBe('CONFIRMED');
      expect(await read(id)).toMatchObject({ email: next });
    },
  );

  it('by a manager who has become front desk meanwhile needs approval', async () => {
    const { id, email } = await member();
    const next = `new-${email}`;
    await update(id, { email: next }, owner);
    const { approvedById } = await app.ctx.db.memberEmailChange.findUniqueOrThrow({
      where: { memberId: id },
    });
    const manager = await app.ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.front_desk } });
    expect(approvedById).not.toBe(manager.id);
    await app.ctx.db.memberEmailChange.update({
      where: { memberId: id },
      data: { approvedById: manager.id },
    });
    expect(await confirm(await findSecret(next))).toBe('AWAITING_APPROVAL');
    expect(await read(id)).toMatchObject({ email });
  });

  it('is replaced by the next one and can be cancelled', async () => {
    const { id, email } = await member();
    await update(id, { email: `one-${email}` }, owner);
    const first = await findSecret(`one-${email}`);
    // A token replaces the request of staff and does not inherit its approval.
    await update(id, { email: `two-${email}` }, token);
    expect(await confirm(first)).toBe('LINK_INVALID');
    expect((await read(id)).emailChange).toMatchObject({ email: `two-${email}`, approvedAt: null });
    const second = await findSecret(`two-${email}`);
    await run('cancelMemberEmailChange', id, owner);
    expect(await confirm(second)).toBe('LINK_INVALID');
    expect(await read(id)).toMatchObject({ email, emailChange: null });
  });

  it('can be confirmed once under concurrent requests', async () => {
    const { id, email } = await member();
    await update(id, { email: `new-${email}` }, owner);
    const secret = await findSecret(`new-${email}`);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => confirm(secret)));
    expect(outcomes.filter((one) => one === 'CONFIRMED')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['CONFIRMED', 'LINK_INVALID']));
    expect(
      (await findEmails(email)).filter(({ subject }) => subject.includes('was changed')),
    ).toHaveLength(1);
  });

  it('is rejected when someone else got the address in the meantime', async () => {
    const { id, email } = await member();
    const next = `new-${email}`;
    await update(id, { email: next }, owner);
    const other = await create(owner, next);
    expect(other.codes).toEqual([]);
    expect(await confirm(await findSecret(next))).toBe('TAKEN');
    expect(await read(id)).toMatchObject({ email });
    const reserved = await update(id, { email: STAFF.owner }, owner);
    expect(reserved.errors[0]?.extensions).toMatchObject({ reason: 'TAKEN' });
  });

  it('is not confirmed by an invalid link', async () => {
    for (const secret of ['', 'foyere_x', `foyere_${'x'.repeat(49)}`])
      expect(await confirm(secret)).toBe('LINK_INVALID');
    expect((await reject('foyere_x')).codes).toEqual(['NOT_FOUND']);
  });
});
