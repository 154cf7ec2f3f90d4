import { readConfig } from '../../../src/config.ts';
import { type Context, runInTransaction } from '../../../src/context.ts';
import {
  deliverEmails,
  MAX_EMAIL_ATTEMPTS,
  purgeEmails,
} from '../../../src/integrations/email/delivery-worker.ts';
import { renderEmail } from '../../../src/integrations/email/layout.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { createSmtpTransport, type EmailTransport } from '../../../src/integrations/email/smtp.ts';
import { getEmailTexts } from '../../../src/languages/emails/email-texts.ts';
import { createDeferred } from '../../support/deferred.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const FROM = 'Foyer <no-reply@foyer.test>';
const LINK = 'https://foyer.test/my/sign-in#foyerl_abcdefghijklmnop';

let app: TestApp;
let ctx: Context;
let smtp: TestSmtp;
let transport: EmailTransport;

beforeAll(async () => {
  app = await startApp({ config: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  ctx = app.ctx;
  smtp = await startSmtp({
    reject: (recipient) => ({ gone: 550, full: 452 })[recipient.split('@')[0] ?? ''],
  });
  transport = createSmtpTransport({ url: smtp.url, from: FROM });
});
afterEach(async () => {
  app.clock.now = NOW;
  smtp.received.length = 0;
  await ctx.db.mail.deleteMany();
  await ctx.db.mailBudget.deleteMany();
});
afterAll(async () => {
  transport.close();
  await smtp.stop();
  await app.stop();
});

const write = (to = 'ben@example.org', text = 'Good morning.') =>
  enqueueEmail(ctx, { to, subject: 'Grüße aus dem Foyer', text, html: `<p>${text}</p>` });
const rows = () => ctx.db.mail.findMany({ orderBy: { id: 'asc' } });
const minutesLater = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

describe('an email', () => {
  it('is sent once, as HTML and text, and recorded as sent', async () => {
    await write();
    expect(await deliverEmails(ctx, transport)).toBe(1);
    expect(smtp.received).toMatchObject([{ from: 'no-reply@foyer.test', to: 'ben@example.org' }]);
    const [row] = await rows();
    const { source } = smtp.received[0] ?? { source: '' };
    for (const part of [
      'Good morning.',
      '<p>Good morning.</p>',
      `Message-ID: <${row?.id}@foyer.test>`,
    ])
      expect(source).toContain(part);
    expect(row).toMatchObject({ sentAt: NOW, attempts: 1, lastError: null });
    minutesLater(60);
    expect([await deliverEmails(ctx, transport), smtp.received.length]).toEqual([0, 1]);
  });

  it('is rolled back with its transaction', async () => {
    const failing = runInTransaction(ctx, async (ctx) => {
      await enqueueEmail(ctx, { to: 'ben@example.org', subject: 'Booked', text: 'Booked.' });
      throw new Error('the room is taken');
    });
    await expect(failing).rejects.toThrow('the room is taken');
    expect(await rows()).toEqual([]);
  });

  it('loses its secrets once it is sent', async () => {
    await write('ben@example.org', `Sign in: ${LINK}`);
    await deliverEmails(ctx, transport);
    expect(smtp.received[0]?.source).toContain(LINK);
    const [row] = await rows();
    expect([row?.text, row?.html]).toEqual([
      'Sign in: https://foyer.test/my/sign-in#foyerl_***',
      '<p>Sign in: https://foyer.test/my/sign-in#foyerl_***</p>',
    ]);
  });

  it('is sent to one address only, whatever characters it contains', async () => {
    await write('ben@example.org, eve@example.org');
    await deliverEmails(ctx, transport);
    expect(smtp.received.filter(({ to }) => to.split(',').length > 1)).toEqual([]);
    expect(smtp.received.map(({ to }) => to)).not.toContain('eve@example.org');
  });

  it('waits while there is no mail server', async () => {
    await write();
    expect(await deliverEmails(ctx, undefined)).toBe(0);
    expect(await rows()).toMatchObject([{ sentAt: null, attempts: 0 }]);
  });
});

describe('a rejected email', () => {
  it('fails immediately if the rejection is permanent, and does not delay others', async () => {
    await write('gone@example.org');
    await write('ben@example.org');
    expect(await deliverEmails(ctx, transport)).toBe(1);
    const [rejected] = await rows();
    expect(rejected).toMatchObject({
      sentAt: null,
      lastError: expect.stringContaining('no mail for gone'),
    });
    for (const minutes of [10, 100, 1000]) {
      minutesLater(minutes);
      expect(await deliverEmails(ctx, transport)).toBe(0);
    }
    expect(await rows()).toContainEqual(rejected);
  });

  it('fails immediately if its address is invalid', async () => {
    await write('nowhere');
    await write('ben@example.org, eve@example.org');
    expect(await deliverEmails(ctx, transport)).toBe(0);
    expect(await rows()).toMatchObject([{ attempts: 9 }, { attempts: 9 }]);
  });

  it('is retried with growing delays for about a day if the rejection is temporary', async () => {
    await write('full@example.org');
    const tries: number[] = [];
    let next = 0;
    while (tries.length < 9) {
      minutesLater(next - 1);
      if (next > 0) await deliverEmails(ctx, transport); // too early
      minutesLater(next);
      await deliverEmails(ctx, transport);
      tries.push(next);
      const [row] = await rows();
      expect(row?.attempts).toBe(tries.length);
      next = ((row?.nextAttemptAt ?? NOW).getTime() - NOW.getTime()) / 60_000;
    }
    expect(tries).toEqual([0, 2, 7, 22, 82, 202, 442, 922, 1642]);
    minutesLater(3 * 24 * 60);
    await deliverEmails(ctx, transport);
    expect(await rows()).toMatchObject([{ attempts: 9 }]);
  });
});

describe('a mail server that is down', () => {
  it('delays emails until it is up again', async () => {
    const down = await startSmtp();
    await down.stop();
    const out = createSmtpTransport({ url: down.url, from: FROM });
    for (const name of ['ben', 'mona', 'fred']) await write(`${name}@example.org`);
    expect(await deliverEmails(ctx, out)).toBe(0);
    for (let run = 0; run < 20; run += 1) expect(await deliverEmails(ctx, out)).toBe(0);
    const attempts = (await rows()).map(({ attempts }) => attempts);
    expect(attempts).toEqual([1, 1, 1]); // none of them loses further attempts
    const up = await startSmtp({ port: down.port });
    expect(await deliverEmails(ctx, out)).toBe(3);
    expect(up.received.map(({ to }) => to).sort()).toEqual(
      ['ben', 'fred', 'mona'].map((name) => `${name}@example.org`),
    );
    out.close();
    await up.stop();
  });

  it('for days causes outdated emails to be dropped', async () => {
    await write();
    minutesLater(3 * 24 * 60);
    expect(await deliverEmails(ctx, transport)).toBe(0);
  });
});

describe('several delivery workers', () => {
  const fifty = Array.from({ length: 50 }, (_, number) => `person-${number}@example.org`);
  const sentTo = () => smtp.received.map(({ to }) => to).sort();

  it('send emails twice without leases (negative control)', async () => {
    for (const to of fifty) await write(to);
    const naive = async () => {
      for (const mail of await ctx.db.mail.findMany({ where: { sentAt: null } }))
        await transport.send({ ...mail, senderName: null }, { files: [] });
    };
    await Promise.all([naive(), naive()]);
    expect(sentTo()).toHaveLength(100);
  });

  it('send each email once', async () => {
    for (const to of fifty) await write(to);
    const out = [1, 2, 3, 4].map(() => createSmtpTransport({ url: smtp.url, from: FROM }));
    let rounds = 0;
    while (smtp.received.length < fifty.length && rounds < 50) {
      rounds += 1;
      await Promise.all(out.map((transport) => deliverEmails(ctx, transport)));
    }
    expect(sentTo()).toEqual([...fifty].sort());
    expect((await rows()).every(({ attempts, sentAt }) => attempts === 1 && sentAt)).toBe(true);
    for (const transport of out) transport.close();
  });

  it('take over emails of a killed worker', async () => {
    await write();
    const stopping = new AbortController();
    await new Promise<void>((begun) => {
      const killed: EmailTransport = {
        send: () => {
          begun();
          return new Promise(() => {});
        },
        close: () => {},
      };
      void deliverEmails(ctx, killed, { signal: stopping.signal });
    });
    stopping.abort(); // it leases no more emails and never reports the result of this one
    minutesLater(0.49);
    expect(await deliverEmails(ctx, transport)).toBe(0);
    minutesLater(0.5);
    expect(await deliverEmails(ctx, transport)).toBe(1);
  });

  it('do not take an email that is being sent', async () => {
    await write();
    const { promise: begun, resolve: begin } = createDeferred<void>();
    const { promise: released, resolve: release } = createDeferred<void>();
    const slow: EmailTransport = {
      send: () => {
        begin();
        return released;
      },
      close: () => {},
    };
    const first = deliverEmails(ctx, slow);
    await begun;
    expect(await deliverEmails(ctx, transport)).toBe(0);
    release();
    expect([await first, smtp.received]).toEqual([1, []]);
  });
});

describe('the list of emails', () => {
  const MAIL = 'recipient subject text state lastError sentAt';
  const LIST = `query ($after: String) { mails(first: 2, after: $after) {
    edges { node { id ${MAIL} } } pageInfo { endCursor hasNextPage } } }`;

  it('is paginated, newest first, with the status of each', async () => {
    const owner = { cookie: await app.signIn(STAFF.owner) };
    for (const [minutes, to] of [
      [0, 'ben@example.org'],
      [1, 'gone@example.org'],
      [2, 'full@example.org'],
    ] as const) {
      minutesLater(minutes);
      await write(to);
    }
    await deliverEmails(ctx, transport);
    const { data: first } = await app.graphql(LIST, {}, owner);
    const { data: rest } = await app.graphql(
      LIST,
      { after: first.mails.pageInfo.endCursor },
      owner,
    );
    const all = [...first.mails.edges, ...rest.mails.edges].map(({ node }) => node);
    expect(all.map(({ recipient, state }) => [recipient.split('@')[0], state])).toEqual([
      ['full', 'WAITING'],
      ['gone', 'FAILED'],
      ['ben', 'SENT'],
    ]);
    const one = await app.graphql(
      `query ($id: ID!) { mail(id: $id) { id ${MAIL} } }`,
      all[2],
      owner,
    );
    expect(one.data.mail).toEqual(all[2]);
    const none = await app.graphql(
      '{ mail(id: "00000000-0000-7000-8000-000000000000") { id } }',
      {},
      owner,
    );
    expect(none.codes).toEqual(['NOT_FOUND']);
  });

  it('shows secrets only without a mail server', async () => {
    await write('ben@example.org', `Sign in: ${LINK}`);
    const text = async (app: TestApp) => {
      const owner = { cookie: await app.signIn(STAFF.owner) };
      const { data } = await app.graphql(LIST, {}, owner);
      const [{ node }] = data.mails.edges;
      return [node.state, node.text];
    };
    expect(await text(app)).toEqual([
      'WAITING',
      'Sign in: https://foyer.test/my/sign-in#foyerl_***',
    ]);
    const emails = await startApp();
    await enqueueEmail(emails.ctx, {
      to: 'ben@example.org',
      subject: 'x',
      text: `Sign in: ${LINK}`,
    });
    expect(await text(emails)).toEqual(['STORED', `Sign in: ${LINK}`]);
    await emails.stop();
  });
});

describe('the configuration', () => {
  it('uses a sender at the host of BASE_URL by default', () => {
    const BASE_URL = 'https://hub.example.org/foyer';
    expect(readConfig({ BASE_URL })).toMatchObject({
      smtpUrl: undefined,
      mailFrom: 'Foyer <no-reply@hub.example.org>',
    });
    expect(readConfig({ MAIL_FROM: 'hub@example.org' }).mailFrom).toBe('hub@example.org');
  });

  it.each([
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'https://mail.example.org'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'Foyer'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
    ['MAIL_FROM', 'Foyer <a@example.org>\nBcc: <b@example.org>'],
  ])('rejects %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: must`);
  });
});

it('an email has the same content as HTML and text, and escapes markup', () => {
  const { text, html } = renderEmail(getEmailTexts('en'), {
    greeting: 'Hello <b>Ben</b>,',
    paragraphs: ['come in.'],
    action: { label: 'Enter', url: 'https://foyer.test/?a=1&b="2"' },
  });
  expect(text).toBe('Hello <b>Ben</b>,\n\ncome in.\n\nEnter:\nhttps://foyer.test/?a=1&b="2"\n');
  expect(html).toContain('>Hello &lt;b&gt;Ben&lt;/b&gt;,</p>');
  expect(html).toContain('href="https://foyer.test/?a=1&amp;b=&quot;2&quot;"');
});

describe('purging emails', () => {
  it('removes expired secrets, and emails after three months', async () => {
    const app = await startApp({ content: 'empty' });
    const write = (text: string, hours: number) =>
      app.ctx.db.mail.create({
        data: {
          recipient: 'ben@example.org',
          subject: '',
          text,
          createdAt: new Date(NOW.getTime() - hours * 3_600_000),
        },
      });
    const [fresh, old, ancient] = [
      await write(LINK, 0.9),
      await write(LINK, 1.1),
      await write('x', 91 * 24),
    ];
    await purgeEmails(app.ctx);
    const emails = await app.ctx.db.mail.findMany({ orderBy: { createdAt: 'desc' } });
    expect(emails.map(({ id }) => id)).toEqual([fresh.id, old.id]);
    expect(ancient.id).not.toBe(old.id);
    expect(emails[0]?.text).toBe(LINK);
    expect(emails[1]?.text).toBe('https://foyer.test/my/sign-in#foyerl_***');
    expect(emails[1]).toMatchObject({
      lastError: 'Not sent: its link has expired.',
      attempts: MAX_EMAIL_ATTEMPTS,
    });
    await app.stop();
  });

  it('removes order links from sent emails, not from waiting ones', async () => {
    const app = await startApp({ content: 'empty' });
    const link = 'https://foyer.test/orders#foyero_abcdefghijklmnop';
    const write = (sentAt: Date | null) =>
      app.ctx.db.mail.create({
        data: {
          recipient: 'a@example.org',
          subject: 's',
          text: link,
          html: link,
          sentAt,
          createdAt: NOW,
        },
      });
    const [sent, waiting] = [await write(NOW), await write(null)];
    await purgeEmails(app.ctx);
    const read = async ({ id }: { id: string }) =>
      app.ctx.db.mail.findUniqueOrThrow({ where: { id } });
    expect(await read(sent)).toMatchObject({
      text: 'https://foyer.test/orders#foyero_***',
      html: 'https://foyer.test/orders#foyero_***',
    });
    expect(await read(waiting)).toMatchObject({ text: link, html: link });
    await app.stop();
  });
});
