import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendGraphql, signIn } from '../support/clients/api.ts';
import { startSmtp } from '../support/fakes/smtp.ts';
import { prepareDataDir } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-jobs-'));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('sends an email after a restart if it is killed right after accepting it', async () => {
  const smtp = await startSmtp();
  const env = {
    DATA_DIR: join(directory, 'main'),
    BASE_URL: 'http://foyer.test',
    ADMIN_EMAIL: 'olga@example.org',
    ADMIN_PASSWORD: 'lantern brick meadow',
  };
  await prepareDataDir(env.DATA_DIR);
  const first = await startService(env);
  const cookie = await signIn(first.url, env.ADMIN_EMAIL, env.ADMIN_PASSWORD);
  const create =
    'mutation { createMember(input: { name: "Ben", email: "ben@example.org", sendWelcomeEmail: false }) { member { id } } }';
  await sendGraphql(first.url, create, {}, { cookie });
  const request = 'mutation { requestSignInLink(input: { email: "ben@example.org" }) { email } }';
  expect((await sendGraphql(first.url, request, {}, {})).data).toEqual({
    requestSignInLink: { email: 'ben@example.org' },
  });
  first.signal('SIGKILL');
  await first.ended;

  const next = await startService({ ...env, SMTP_URL: smtp.url });
  await waitUntil(() => smtp.received.length > 0);
  expect(smtp.received.map(({ to }) => to)).toEqual(['ben@example.org']);
  await sendGraphql(next.url, request, {}, {});
  await waitUntil(() => smtp.received.length > 1);
  const { code } = await next.stop();
  expect(code).toBe(0);
  expect(next.logged().filter(({ level }) => Number(level) >= 40)).toEqual([]);
  await smtp.stop();
});
