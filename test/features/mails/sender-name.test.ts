import PostalMime from 'postal-mime';
import type { Context } from '../../../src/context.ts';
import { sendTestEmail } from '../../../src/features/mails/test-email/service.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { deliverEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { createSmtpTransport } from '../../../src/integrations/email/smtp.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { STAFF } from '../../support/harness/app.ts';
import { openTestDatabase, type TestDatabase } from '../../support/harness/database.ts';

const FROM = 'Foyer <no-reply@foyer.test>';
const ADDRESS = 'no-reply@foyer.test';

let test: TestDatabase;
let ctx: Context;
let smtp: TestSmtp;
beforeAll(async () => {
  test = await openTestDatabase('seeded');
  ctx = test.ctx;
  smtp = await startSmtp();
});
afterAll(async () => {
  await smtp.stop();
  await test.close();
});

/** Returns the senders of the emails since the last call, as an email program reads them. */
const readSenders = async () =>
  Promise.all(
    smtp.received
      .splice(0)
      .map(async ({ from, raw }) => ({ envelope: from, from: (await PostalMime.parse(raw)).from })),
  );

async function deliver(from = FROM) {
  await enqueueEmail(ctx, { to: 'ben@example.org', subject: 'Hello', text: 'Hello' });
  const transport = createSmtpTransport({ url: smtp.url, from });
  await deliverEmails(ctx, transport);
  transport.close();
  return readSenders();
}

describe('the sender of an email', () => {
  it.each([
    'Kranwerk',
    'Übungshaus "Süd", Köln',
    'Quarter \\ "Nord", Ltd.',
    'A <a@b.example>, c@d.example',
  ])('has the name of the space: %s', async (name) => {
    await updateSettings(ctx, { name });
    const sent = { envelope: ADDRESS, from: { name, address: ADDRESS } };
    expect(await deliver()).toEqual([sent]);
    expect(await deliver(ADDRESS)).toEqual([sent]);
  });

  it('is MAIL_FROM if the space has no name', async () => {
    await updateSettings(ctx, { name: null });
    expect(await deliver()).toMatchObject([{ from: { name: 'Foyer', address: ADDRESS } }]);
    expect(await deliver(ADDRESS)).toMatchObject([{ from: { name: '', address: ADDRESS } }]);
  });

  it('has the name in a test email too', async () => {
    await updateSettings(ctx, { name: 'Kranwerk' });
    const { id } = await ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.owner } });
    const viewer = { kind: 'staff', id, name: 'Ada', role: 'owner', sessionId: id } as const;
    await sendTestEmail({ ...ctx, viewer }, smtp.url);
    expect(await readSenders()).toMatchObject([{ from: { name: 'Kranwerk', address: ADDRESS } }]);
  });
});
