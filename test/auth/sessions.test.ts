import { createCredentialUses } from '../../src/auth/credential-uses.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { recordKnownBrowser, toBrowserLabel } from '../../src/auth/sessions.ts';
import { startWriteBehind } from '../../src/core/write-behind.ts';
import { fetchViewer, sendQuery, signIn } from '../support/clients/sign-in.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { NOW, PASSWORD } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { serverUrl } from '../support/harness/database.ts';
import { runDuringTransaction } from '../support/harness/lock-waits.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

interface Session {
  id: string;
  browser: string | null;
  lastUsedAt: string | null;
  isCurrent: boolean;
}

async function send(query: string, cookie: string) {
  const { data, error } = await sendQuery(app, query, {}, { cookie });
  return {
    data: data as unknown as Record<string, Session[]>,
    code: error?.extensions.code,
  };
}

const SESSIONS = '{ mySessions { id browser createdAt lastUsedAt expiresAt isCurrent } }';
const list = async (cookie: string) => (await send(SESSIONS, cookie)).data.mySessions ?? [];

describe.each(['staff', 'members'])('sessions of %s', (kind) => {
  let members = 0;
  async function createUser(): Promise<() => Promise<string>> {
    if (kind === 'staff') return (await createStaffUser(app)).session;
    members += 1;
    const email = `member-${members}@example.org`;
    const member = await app.ctx.db.member.create({
      data: { name: 'Mem', email, code: `MEM${members}` },
    });
    await app.ctx.db.user.create({
      data: { name: 'Mem', email, memberId: member.id, passwordHash: await hashPassword(PASSWORD) },
    });
    return () => app.signIn(email);
  }

  it('are listed for their owner and end one by one or all but the current one', async () => {
    const session = await createUser();
    const [current, laptop, phone] = [await session(), await session(), await session()];
    const otherUser = await (await createUser())();
    const own = await list(current);
    expect(own.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, false, true]);

    const laptopId = (await list(laptop)).find(({ isCurrent }) => isCurrent)?.id;
    const end = `mutation { endSession(input: { id: "${laptopId}" }) { session { id } } }`;
    expect((await send(end, otherUser)).code).toBe('NOT_FOUND');
    expect(await fetchViewer(app, laptop)).not.toMatchObject({ kind: 'ANONYMOUS' });
    expect((await send(end, current)).code).toBeUndefined();
    expect(await fetchViewer(app, laptop)).toMatchObject({ kind: 'ANONYMOUS' });

    const { userId } = await app.ctx.db.session.findUniqueOrThrow({
      where: { id: own.find(({ isCurrent }) => isCurrent)?.id ?? '' },
    });
    await recordKnownBrowser(app.ctx, userId, undefined);
    const { data } = await send('mutation { endOtherSessions { sessions { id } } }', current);
    expect(data.endOtherSessions).toEqual({ sessions: [expect.anything()] });
    expect(await fetchViewer(app, phone)).toMatchObject({ kind: 'ANONYMOUS' });
    expect(await app.ctx.db.knownBrowser.count({ where: { userId } })).toBe(0);
    for (const cookie of [current, otherUser])
      expect(await fetchViewer(app, cookie)).not.toMatchObject({ kind: 'ANONYMOUS' });
  });
});

describe('the last use of a session', () => {
  it('is recorded to the minute with the browser and stays on the account', async () => {
    const { email, session } = await createStaffUser(app);
    const cookie = await session();
    const [{ id = '' } = {}] = await list(cookie);
    const log = app.ctx.log;
    const clock = { now: NOW };
    const recordUseAt = async (seconds: number) => {
      clock.now = new Date(NOW.getTime() + seconds * 1000);
      const writeBehind = startWriteBehind(log);
      const uses = createCredentialUses(writeBehind, app.database.lockingSql, () => clock.now);
      uses.recordSessionUse(id, 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0');
      await writeBehind.stop();
      const { lastUsedAt, browser } = await app.ctx.db.session.findUniqueOrThrow({ where: { id } });
      const { lastActiveAt } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
      expect(lastActiveAt).toEqual(lastUsedAt);
      expect(browser).toBe('Firefox on Linux');
      return ((lastUsedAt?.getTime() ?? 0) - NOW.getTime()) / 1000;
    };
    await app.ctx.db.session.update({ where: { id }, data: { lastUsedAt: null } });
    await app.ctx.db.user.update({ where: { email }, data: { lastActiveAt: null } });
    expect(await recordUseAt(0)).toBe(0);
    expect(await recordUseAt(59)).toBe(0);
    expect(await recordUseAt(61)).toBe(61);
  });
});

// The embedded database has one connection, so nothing changes during a sign-in.
if (serverUrl) {
  describe('a password change during a sign-in with the old password', () => {
    it('rejects the sign-in', async () => {
      const { email, password } = await createStaffUser(app);
      const changedHash = await hashPassword('harbour pencil quiet moss');
      // By the time it waits for this change it has verified the old password.
      const { error } = await runDuringTransaction(
        app.database.pool,
        ['UPDATE users SET password_hash = $2 WHERE email = $1', [email, changedHash]],
        () => signIn(app, email, password),
      );
      expect(error?.extensions.reason).toBe('WRONG_CREDENTIALS');
      expect(await app.ctx.db.session.count({ where: { user: { email } } })).toBe(0);
    });
  });
}

describe('the label of a browser', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', null],
    [undefined, null],
  ])('%s is %s', (userAgent, label) => {
    expect(toBrowserLabel(userAgent)).toBe(label);
  });
});

describe("other people's sessions", () => {
  const getKind = async (cookie: string) => (await fetchViewer(app, cookie))?.kind;
  const run = (query: string, id: string, cookie: string, more: object = {}) =>
    app.graphql(query, { input: { id, ...more } }, { cookie });

  it('of staff are shown to owners, who end one or all of them, at once', async () => {
    const { email, session } = await createStaffUser(app);
    const getId = async (address: string) =>
      (await app.ctx.db.user.findUniqueOrThrow({ where: { email: address } })).id;
    const id = await getId(email);
    const [phone, laptop] = [await session(), await session()];
    const owner = await app.signIn(STAFF.owner);
    const read = async (as: string) =>
      (
        await app.graphql(
          'query ($id: ID!) { node(id: $id) { ... on StaffUser { sessions { id isCurrent } } } }',
          { id },
          { cookie: as },
        )
      ).data?.node?.sessions as { id: string }[] | undefined;
    expect(await read(owner)).toHaveLength(2);
    expect(await read(phone)).toBeUndefined();
    const END = `mutation ($input: EndStaffSessionsInput!) {
      endStaffSessions(input: $input) { staffUser { id } } }`;
    for (const role of ['front_desk', 'manager'] as const)
      expect((await run(END, id, await app.signIn(STAFF[role]))).codes).toEqual(['FORBIDDEN']);

    const sessionId = (await list(phone)).find(({ isCurrent }) => isCurrent)?.id;
    expect((await run(END, id, owner, { sessionId })).codes).toEqual([]);
    expect([await getKind(phone), await getKind(laptop)]).toEqual(['ANONYMOUS', 'STAFF']);
    // The session of one account does not end through another.
    const other = await createStaffUser(app);
    const own = (await list(laptop))[0]?.id;
    expect((await run(END, await getId(other.email), owner, { sessionId: own })).codes).toEqual([
      'NOT_FOUND',
    ]);
    expect((await run(END, id, owner)).codes).toEqual([]);
    expect(await getKind(laptop)).toBe('ANONYMOUS');
    const ownerId = await getId(STAFF.owner);
    expect((await run(END, ownerId, owner)).errors[0]?.extensions.reason).toBe('OWN_ACCOUNT');
    expect(await getKind(owner)).toBe('STAFF');
  });

  it('of members are ended by whoever may change members, with the links that were sent', async () => {
    const email = 'lost-phone@example.org';
    const member = await app.ctx.db.member.create({
      data: { name: 'Mem', email, code: 'LOSTPHONE', emailConfirmedAt: NOW },
    });
    await app.ctx.db.user.create({ data: { name: 'Mem', email, memberId: member.id } });
    const session = await app.signIn(email);
    await app.ctx.db.signInLink.create({
      data: { memberId: member.id, tokenHash: Buffer.alloc(32, 7), createdAt: NOW, expiresAt: NOW },
    });
    const END = `mutation ($input: EndMemberSessionsInput!) {
      endMemberSessions(input: $input) { member { id } } }`;
    expect((await run(END, member.id, session)).codes).toEqual(['FORBIDDEN']);
    expect(await getKind(session)).toBe('MEMBER');
    expect((await run(END, member.id, await app.signIn(STAFF.front_desk))).codes).toEqual([]);
    expect(await getKind(session)).toBe('ANONYMOUS');
    expect(await app.ctx.db.signInLink.count({ where: { memberId: member.id } })).toBe(0);
  });
});
