import { pino } from 'pino';
import { v7 } from 'uuid';
import { anonymous } from '../../../src/auth/viewer.ts';
import type { Context } from '../../../src/context.ts';
import {
  deliverEmails,
  MAX_EMAIL_ATTEMPTS,
} from '../../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { createSmtpTransport, type EmailTransport } from '../../../src/integrations/email/smtp.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createFullTransport } from '../../support/fakes/full-transport.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

const FROM = 'Foyer <no-reply@foyer.test>';

let app: TestApp;
let ctx: Context;
let smtp: TestSmtp;
let transport: EmailTransport;
/** While this is set, the server does not respond for slow@example.org. */
let held: Promise<void> | undefined;

beforeAll(async () => {
  app = await startApp({ config: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  ctx = app.ctx;
  smtp = await startSmtp({
    hold: (to) => (to === 'slow@example.org' ? held : undefined),
    reject: (to) => (to === 'full@example.org' ? 452 : undefined),
  });
  transport = createSmtpTransport({ url: smtp.url, from: FROM });
});
beforeEach(async () => {
  app.clock.now = NOW;
  held = undefined;
  smtp.received.length = 0;
  await ctx.db.mail.deleteMany();
  await ctx.db.mailBudget.deleteMany();
});
afterAll(async () => {
  transport.close();
  await smtp.stop();
  await app.stop();
});

const write = (to: string, subject = 'Hello') =>
  enqueueEmail(ctx, { to, subject, text: 'Good morning.' });
const arrived = (to: string) =>
  smtp.received
    .filter((mail) => mail.to === to)
    .map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim());
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a recipient with a slow server', () => {
  it('does not delay others and gets its emails in order', async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    for (const subject of ['1', '2', '3']) await write('slow@example.org', subject);
    const others = Array.from({ length: 30 }, () => `${v7()}@example.org`);
    for (const to of others) await write(to);
    const delivery = deliverEmails(ctx, transport);
    await until(() => others.every((to) => arrived(to).length === 1));
    expect(arrived('slow@example.org')).toEqual([]);
    // New emails do not wait for it either.
    await write('late@example.org');
    await until(() => arrived('late@example.org').length === 1);
    release();
    expect(await delivery).toBe(34);
    expect(arrived('slow@example.org')).toEqual(['1', '2', '3']);
  });

  it('times out and is retried later', async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    const hasty = createSmtpTransport({ url: smtp.url, from: FROM, timeoutMs: 300 });
    await write('slow@example.org');
    await write('ben@example.org');
    expect(await deliverEmails(ctx, hasty)).toBe(1);
    expect(await ctx.db.mail.findFirst({ where: { recipient: 'slow@example.org' } })).toMatchObject(
      { status: 'waiting', attempts: 1, lastError: expect.stringContaining('took longer') },
    );
    release();
    hasty.close();
  });
});

describe('a rejected email', () => {
  it('is logged without the address of the recipient', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    await write('full@example.org');
    await deliverEmails({ ...ctx, log }, transport);
    expect(lines.join('')).toContain('"responseCode":452');
    expect(lines.join('')).not.toContain('full@example.org');
  });
});

describe('the order of emails', () => {
  it('puts sign-in links before older emails', async () => {
    for (let count = 0; count < 30; count += 1) await write(`${v7()}@example.org`);
    const { data } = await app.graphql(
      'mutation { requestSignInLink(input: { email: "ben@example.org" }) { email } }',
    );
    expect(data).toEqual({ requestSignInLink: { email: 'ben@example.org' } });
    const { transport, arrived, listFirst } = createFullTransport();
    await deliverEmails(ctx, transport);
    expect(arrived).toHaveLength(31);
    expect(listFirst()).toContainEqual(expect.objectContaining({ subject: 'Your sign-in link' }));
  });

  it('is kept per recipient with several workers', async () => {
    const people = Array.from({ length: 5 }, () => `${v7()}@example.org`);
    const subjects = ['1', '2', '3', '4', '5', '6'];
    for (const subject of subjects) for (const to of people) await write(to, subject);
    const out = [1, 2, 3].map(() => createSmtpTransport({ url: smtp.url, from: FROM }));
    while (smtp.received.length < 30) await Promise.all(out.map((one) => deliverEmails(ctx, one)));
    for (const to of people) expect(arrived(to)).toEqual(subjects);
    for (const one of out) one.close();
  });

  it('waits for a temporarily rejected email only for some time', async () => {
    await write('full@example.org', '1');
    await write('full@example.org', '2');
    const attempts = async () =>
      (await ctx.db.mail.findMany({ orderBy: { id: 'asc' } })).map(({ attempts }) => attempts);
    for (const [minutes, expected] of [
      [0, [1, 0]],
      [2, [2, 0]],
      [7, [3, 0]],
      [22, [4, 1]],
    ] as const) {
      app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
      await deliverEmails(ctx, transport);
      expect(await attempts()).toEqual(expected);
    }
  });
});

describe('a process that is killed', () => {
  it('between delivery and its record causes a second delivery', async () => {
    await write('ben@example.org');
    const broken = {
      ...ctx,
      db: { mail: { updateMany: () => Promise.reject(new Error('killed')) } },
    } as unknown as Context;
    await expect(deliverEmails(broken, transport)).rejects.toThrow('killed');
    expect(arrived('ben@example.org')).toHaveLength(1);
    app.clock.now = new Date(NOW.getTime() + 2 * 60_000);
    expect(await deliverEmails(ctx, transport)).toBe(1);
    expect(arrived('ben@example.org')).toHaveLength(2);
    const ids = smtp.received.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1]);
    expect(ids[0]).toBe(ids[1]);
  });
});

describe('the headers of an email', () => {
  it('cannot be injected by subject or address', async () => {
    await write('ben@example.org', 'Hi\r\nBcc: eve@example.org\r\n\r\nX');
    await write('ben@example.org\r\nBcc: eve@example.org');
    await deliverEmails({ ...ctx, viewer: anonymous }, transport);
    expect(smtp.received.map(({ to }) => to)).toEqual(['ben@example.org']);
    expect(smtp.received[0]?.source).not.toMatch(/^Bcc:/im);
    const rows = await ctx.db.mail.findMany({ where: { sentAt: null } });
    expect(rows).toMatchObject([{ status: 'failed', attempts: MAX_EMAIL_ATTEMPTS }]);
  });
});
