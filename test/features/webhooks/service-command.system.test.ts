import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendGraphql, signIn } from '../../support/clients/api.ts';
import { startReceiver, verifyWebhook } from '../../support/fakes/webhook-receiver.ts';
import { prepareDataDir } from '../../support/harness/database.ts';
import { killAll, startService } from '../../support/harness/processes.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-webhooks-'));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

const CREATE = `mutation ($url: String!) {
  createWebhook(input: { url: $url, events: ["member.*"] }) { secret webhook { id } } }`;
const ADD =
  'mutation { createMember(input: { name: "Ben", email: "ben@example.org" }) { member { id } } }';
const LOG = `{ webhooks(first: 1) { edges { node { url
  deliveries(first: 1) { edges { node { state attempts { status error } } } } } } } }`;

it('a whole service delivers events to a private address if its configuration allows it', async () => {
  const receiver = await startReceiver();
  const env = {
    DATA_DIR: join(directory, 'main'),
    ADMIN_EMAIL: 'olga@example.org',
    ADMIN_PASSWORD: 'lantern brick meadow',
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
  };
  await prepareDataDir(env.DATA_DIR);
  const service = await startService(env);
  const cookie = await signIn(service.url, env.ADMIN_EMAIL, env.ADMIN_PASSWORD);
  const { data } = await sendGraphql(service.url, CREATE, { url: receiver.url }, { cookie });
  await sendGraphql(service.url, ADD, {}, { cookie });
  await waitUntil(async () => {
    const { data } = await sendGraphql(service.url, LOG, {}, { cookie });
    return data.webhooks.edges[0].node.deliveries.edges[0]?.node.state === 'DELIVERED';
  });
  const [one, ...others] = receiver.received;
  expect(others).toEqual([]);
  const { secret } = data.createWebhook;
  expect(one && verifyWebhook(one, secret, new Date()).type).toBe('member.created');
  expect((await service.stop()).code).toBe(0);
  await receiver.stop();
});
