import { sendTestEmail } from '../../../src/features/mails/test-email/service.ts';
import { getSetupChecklist } from '../../../src/features/setup/service.ts';
import { startSmtp } from '../../support/fakes/smtp.ts';
import { STAFF } from '../../support/harness/app.ts';
import { openTestDatabase, type TestDatabase } from '../../support/harness/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase('seeded');
});
afterAll(() => test.close());

async function send(url: string) {
  const { ctx } = test;
  const { id } = await ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.owner } });
  const viewer = { kind: 'staff', id, name: 'Ada', role: 'owner', sessionId: id } as const;
  return sendTestEmail({ ...ctx, viewer }, url);
}

const isStepDone = async () => (await getSetupChecklist(test.ctx)).done.includes('test_email');

describe('a test email', () => {
  it('reports in plain words why the mail server did not accept it', async () => {
    const smtp = await startSmtp({ reject: () => 550 });
    const rejected = await send(smtp.url);
    expect(rejected).toMatchObject({ recipient: STAFF.owner, outcome: 'email_rejected' });
    expect(rejected.error).toContain(`no mail for ${STAFF.owner}`);
    const signIn = await send(smtp.url.replace('smtp://', 'smtp://user:secret@'));
    expect(signIn.outcome).toBe('sign_in_rejected');
    expect(signIn.error).not.toContain('secret');
    await smtp.stop();
    const unreachable = await send(smtp.url);
    expect(unreachable.outcome).toBe('unreachable');
    expect(unreachable.error).toContain('ECONNREFUSED');
    expect(await isStepDone()).toBe(false);
  });

  it('reaches the caller at once and completes the step of the checklist', async () => {
    const smtp = await startSmtp();
    expect(await send(smtp.url)).toEqual({ recipient: STAFF.owner, outcome: 'sent', error: null });
    expect(smtp.received.map(({ to }) => to)).toEqual([STAFF.owner]);
    expect(smtp.received[0]?.source).toContain('Test email from Foyer');
    expect(await isStepDone()).toBe(true);
    await smtp.stop();
  });
});
