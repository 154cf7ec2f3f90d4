import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendGraphql, signIn } from '../../support/clients/api.ts';
import { startReceiver, verifyWebhook } from '../../support/fakes/webhook-receiver.ts';
import { prepareDataDir } from '../../support/harness/database.ts';
import { killAll, startService } from '../../support/harness/processes.ts';

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

describe('a whole service', () => {
  const env = (name: string) => ({
    DATA_DIR: join(directory, name),
    ADMIN_EMAIL: 'olga@example.org',
    ADMIN_PASSWORD: 'lantern brick meadow',
  });

  /** Starts a service with a webhook to this URL and causes an event. */
  async function start(name: string, url: string, more: Record<string, string> = {}) {
    await prepareDataDir(env(name).DATA_DIR);
    const service = await startService({ ...env(name), ...more });
    const { ADMIN_EMAIL, ADMIN_PASSWORD } = env(name);
    const cookie = await signIn(service.url, ADMIN_EMAIL, ADMIN_PASSWORD);
    const { data, errors } = await sendGraphql(service.url, CREATE, { url }, { cookie });
    await sendGraphql(service.url, ADD, {}, { cookie });
    const log = async () => {
      const { data } = await sendGraphql(service.url, LOG, {}, { cookie });
      return data.webhooks.edges[0].node.deliveries.edges[0]?.node;
    };
    return { service, secret: data?.createWebhook.secret as string, errors, log };
  }

  it('delivers events to a private address if its configuration allows it', async () => {
    const receiver = await startReceiver();
    const { service, secret, log } = await start('allow', receiver.url, {
      WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    });
    await until(async () => (await log())?.state === 'DELIVERED');
    const [one, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(one && verifyWebhook(one, secret, new Date()).type).toBe('member.created');
    expect((await service.stop()).code).toBe(0);
    await receiver.stop();
  });

  it('accepts no webhook for a private address otherwise', async () => {
    const { service, errors } = await start('reject', 'http://127.0.0.1:9/');
    expect(errors.map(({ extensions }) => extensions.reason)).toEqual(['PRIVATE_ADDRESS']);
    await service.stop();
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
