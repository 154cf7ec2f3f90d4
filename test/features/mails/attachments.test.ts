import { pino } from 'pino';
import type { Context } from '../../../src/context.ts';
import type { RenderTickets } from '../../../src/integrations/email/attachments.ts';
import { deliverEmails, purgeEmails } from '../../../src/integrations/email/delivery-worker.ts';
import {
  type EmailAttachment,
  enqueueEmail,
  toEmailRow,
} from '../../../src/integrations/email/outbox.ts';
import { createSmtpTransport, type EmailTransport } from '../../../src/integrations/email/smtp.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const ORDER_ID = '00000000-0000-7000-8000-000000000001';
const TICKETS = { type: 'tickets', orderId: ORDER_ID } as const;
const INVITATION = {
  type: 'calendar',
  method: 'REQUEST',
  content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Ben Okafor\r\nEND:VCALENDAR\r\n',
} as const;

let app: TestApp;
let ctx: Context;
let smtp: TestSmtp;
let transport: EmailTransport;

beforeAll(async () => {
  app = await startApp({ config: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  ctx = app.ctx;
  smtp = await startSmtp();
  transport = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
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

const write = (attachments: EmailAttachment[], to = 'ben@example.org') =>
  enqueueEmail(ctx, { to, subject: 'Hello', text: 'Good morning.', attachments });

const renderTickets: RenderTickets = async (_, { orderId }) => [
  {
    filename: 'tickets.pdf',
    contentType: 'application/pdf',
    content: Buffer.from(`tickets of ${orderId}`),
  },
];

describe('an attachment', () => {
  it('is sent: a calendar file as an invitation, tickets rendered at delivery', async () => {
    await write([INVITATION, TICKETS]);
    expect(await deliverEmails(ctx, transport, { renderTickets })).toBe(1);
    const source = smtp.received[0]?.source ?? '';
    expect(source).toContain('Content-Type: text/calendar; charset=utf-8; method=REQUEST');
    expect(source).toContain('filename=invite.ics');
    expect(source).toContain('Content-Type: application/pdf; name=tickets.pdf');
    expect(source).toContain(btoa(`tickets of ${ORDER_ID}`).replace(/=+$/, ''));
  });

  it('loses its calendar file once it is sent, and managers still see its name', async () => {
    await write([INVITATION, TICKETS]);
    const owner = { cookie: await app.signIn(STAFF.owner) };
    const read = async () =>
      (await app.graphql('{ mails { nodes { attachments { type name } } } }', {}, owner)).data;
    const shown = {
      mails: {
        nodes: [
          {
            attachments: [
              { type: 'CALENDAR', name: 'invite.ics' },
              { type: 'TICKETS', name: 'tickets.pdf' },
            ],
          },
        ],
      },
    };
    expect(await read()).toEqual(shown);
    await deliverEmails(ctx, transport, { renderTickets });
    expect((await ctx.db.mail.findFirst())?.attachments).toEqual([
      { type: 'calendar', method: 'REQUEST' },
      TICKETS,
    ]);
    expect(await read()).toEqual(shown);
  });

  it('loses its calendar file when the email is no longer sent', async () => {
    const row = toEmailRow({ to: 'a@b.c', subject: '', text: '', attachments: [INVITATION] }, ctx);
    await ctx.db.mail.createMany({
      data: (['waiting', 'suppressed', 'failed'] as const).map((status, n) => ({
        ...row,
        id: `${ORDER_ID.slice(0, -1)}${n}`,
        status,
        createdAt: NOW,
      })),
    });
    await purgeEmails(ctx);
    const rows = await ctx.db.mail.findMany({ orderBy: { id: 'asc' } });
    const removed = [{ type: 'calendar', method: 'REQUEST' }];
    expect(rows.map(({ attachments }) => attachments)).toEqual([[INVITATION], removed, removed]);
  });

  it('that cannot be rendered is retried and does not delay other emails', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    await write([TICKETS], 'first@example.org');
    await write([], 'other@example.org');
    const failing: RenderTickets = async () => {
      throw new Error('no glyphs for Ben Okafor');
    };
    expect(await deliverEmails({ ...ctx, log }, transport, { renderTickets: failing })).toBe(1);
    expect(smtp.received.map(({ to }) => to)).toEqual(['other@example.org']);
    expect(
      await ctx.db.mail.findFirst({ where: { recipient: 'first@example.org' } }),
    ).toMatchObject({
      status: 'waiting',
      attempts: 1,
      lastError: 'An attachment could not be created: no glyphs for Ben Okafor',
    });
    expect(lines.join('')).toContain('work failed; retrying later');
    expect(lines.join('')).not.toContain('Okafor');
    app.clock.now = new Date(NOW.getTime() + 3_600_000);
    expect(await deliverEmails(ctx, transport, { renderTickets })).toBe(1);
    expect(smtp.received.map(({ to }) => to)).toContain('first@example.org');
  });
});
