import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphql, signIn } from '../../support/app.ts';
import { killAll, serve } from '../../support/processes.ts';
import { startReceiver, verified } from '../../support/receiver.ts';
import { prepareDataDir } from '../../support/templates.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-webhooks-'));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

const CREATE = `mutation ($url: String!) {
  createWebhook(input: { url: $url, events: ["member.*"] }) { secret webhook { id } } }`;
const ADD = 'mutation { createMember(input: { name: "Ben", email: "ben@example.org" }) { id } }';
const LOG = `{ webhooks(first: 1) { edges { node { url
  deliveries(first: 1) { edges { node { state attempts { status problem } } } } } } } }`;

describe('a whole service', () => {
  const env = (name: string) => ({
    DATA_DIR: join(directory, name),
    ADMIN_EMAIL: 'olga@example.org',
    ADMIN_PASSWORD: 'lantern brick meadow',
  });

  /** Starts one that has a webhook to this address, and has something happen. */
  async function begin(name: string, url: string, more: Record<string, string> = {}) {
    await prepareDataDir(env(name).DATA_DIR);
    const service = await serve({ ...env(name), ...more });
    const { ADMIN_EMAIL, ADMIN_PASSWORD } = env(name);
    const cookie = await signIn(service.url, ADMIN_EMAIL, ADMIN_PASSWORD);
    const { data } = await graphql(service.url, CREATE, { url }, { cookie });
    await graphql(service.url, ADD, {}, { cookie });
    const log = async () => {
      const { data } = await graphql(service.url, LOG, {}, { cookie });
      return data.webhooks.edges[0].node.deliveries.edges[0]?.node;
    };
    return { service, secret: data.createWebhook.secret as string, log };
  }

  it('tells what happens soon after, where its configuration allows a receiver next door', async () => {
    const receiver = await startReceiver();
    const { service, secret, log } = await begin('allow', receiver.url, {
      WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    });
    await until(async () => (await log())?.state === 'DELIVERED');
    const [one, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(one && verified(one, secret, new Date()).type).toBe('member.created');
    expect((await service.stop()).code).toBe(0);
    await receiver.stop();
  });

  it('tells nobody next door otherwise', async () => {
    const receiver = await startReceiver();
    const { service, log } = await begin('refuse', receiver.url);
    await until(async () => (await log())?.attempts.length > 0);
    const { state, attempts } = await log();
    expect(state).toBe('WAITING');
    expect(attempts[0].problem).toContain('private address');
    expect(receiver.received).toEqual([]);
    await service.stop();
    await receiver.stop();
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
