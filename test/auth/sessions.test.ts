import { setTimeout } from 'node:timers/promises';
import { hashPassword } from '../../src/auth/passwords.ts';
import { toBrowserLabel } from '../../src/auth/sessions.ts';
import { startWriteBehind } from '../../src/jobs/write-behind.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask as askApp, signIn, somebody, viewer } from '../support/people.ts';
import { NOW, PASSWORD } from '../support/seed.ts';
import { serverUrl } from '../support/templates.ts';

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

async function ask(query: string, cookie: string) {
  const { data, refusal } = await askApp(app, query, {}, { cookie });
  return {
    data: data as unknown as Record<string, Session[]>,
    code: refusal?.extensions.code,
  };
}

const SESSIONS = '{ mySessions { id browser createdAt lastUsedAt expiresAt isCurrent } }';
const list = async (cookie: string) => (await ask(SESSIONS, cookie)).data.mySessions ?? [];

describe.each(['staff', 'members'])('sessions of %s', (kind) => {
  let people = 0;
  async function person(): Promise<() => Promise<string>> {
    if (kind === 'staff') return (await somebody(app)).session;
    people += 1;
    const email = `member-${people}@example.org`;
    const member = await app.ctx.db.member.create({
      data: { name: 'Mem', email, code: `MEM${people}` },
    });
    await app.ctx.db.user.create({
      data: { name: 'Mem', email, memberId: member.id, passwordHash: await hashPassword(PASSWORD) },
    });
    return () => app.signIn(email);
  }

  it('are listed to their owner, and end one by one or all but the current one', async () => {
    const session = await person();
    const [here, laptop, phone] = [await session(), await session(), await session()];
    const strangers = await (await person())();
    const mine = await list(here);
    expect(mine.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, false, true]);

    const laptopId = (await list(laptop)).find(({ isCurrent }) => isCurrent)?.id;
    const end = `mutation { endSession(input: { id: "${laptopId}" }) { id } }`;
    expect((await ask(end, strangers)).code).toBe('NOT_FOUND');
    expect(await viewer(app, laptop)).not.toMatchObject({ kind: 'ANONYMOUS' });
    expect((await ask(end, here)).code).toBeUndefined();
    expect(await viewer(app, laptop)).toMatchObject({ kind: 'ANONYMOUS' });

    const { data } = await ask('mutation { endOtherSessions { id } }', here);
    expect(data.endOtherSessions).toHaveLength(1);
    expect(await viewer(app, phone)).toMatchObject({ kind: 'ANONYMOUS' });
    for (const cookie of [here, strangers])
      expect(await viewer(app, cookie)).not.toMatchObject({ kind: 'ANONYMOUS' });
  });
});

describe('the last use of a session', () => {
  it('is recorded to the minute with the browser, and the account keeps it', async () => {
    const { email, session } = await somebody(app);
    const cookie = await session();
    const [{ id = '' } = {}] = await list(cookie);
    const log = app.ctx.log;
    const clock = { now: NOW };
    const recordUseAt = async (seconds: number) => {
      clock.now = new Date(NOW.getTime() + seconds * 1000);
      const writeBehind = startWriteBehind({
        sql: app.database.lockingSql,
        now: () => clock.now,
        log,
      });
      writeBehind.recordSessionUse(id, 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0');
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

// The embedded database has one connection, so nothing changes while a sign-in is under way.
if (serverUrl) {
  const isWaiting = async () => {
    const { rows } = await app.database.pool.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'`);
    return rows.length > 0;
  };

  describe('a password that changes while somebody signs in with the old one', () => {
    it('opens no session', async () => {
      const { email, password } = await somebody(app);
      const client = await app.database.pool.connect();
      await client.query('BEGIN');
      await client.query('UPDATE users SET password_hash = $2 WHERE email = $1', [
        email,
        await hashPassword('harbour pencil quiet moss'),
      ]);
      let isDone = false;
      const signingIn = signIn(app, email, password).finally(() => {
        isDone = true;
      });
      // It has compared the old password once it waits for this change.
      while (!isDone && !(await isWaiting())) await setTimeout(20);
      await client.query('COMMIT');
      client.release();
      expect((await signingIn).refusal?.extensions.reason).toBe('WRONG_CREDENTIALS');
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
