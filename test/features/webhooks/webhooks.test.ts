import { redact } from '../../../src/auth/tokens.ts';
import { runInTransaction } from '../../../src/context.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { createSigningSecret } from '../../../src/integrations/webhooks/signing.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createWebhookActions, recordMember } from '../../support/factories/webhooks.ts';
import {
  type Receiver,
  startReceiver,
  verifyWebhook,
} from '../../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const DAY = 24 * 3_600;

let app: TestApp;
let receiver: Receiver;
let webhooks: ReturnType<typeof createWebhookActions>;
const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  receiver = await startReceiver();
  webhooks = createWebhookActions(app, receiver, { cookie: await app.signIn(STAFF.owner) });
});
afterEach(() => webhooks.reset());
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const advanceClock = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};

describe('a webhook', () => {
  it('receives each event once with a valid signature', async () => {
    const { id, secret } = await webhooks.create();
    const name = await webhooks.publish();
    expect([await webhooks.deliver(), await webhooks.deliver()]).toEqual([1, 0]);
    const [one, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(one && verifyWebhook(one, secret, NOW)).toEqual({
      type: 'member.created',
      timestamp: NOW.toISOString(),
      data: {
        member: expect.objectContaining({ name, company: null }),
        change: expect.objectContaining({ before: null, after: expect.objectContaining({ name }) }),
      },
    });
    const { deliveries } = await webhooks.find(id);
    const only = await webhooks.run(
      'query ($id: ID!) { webhookDelivery(id: $id) { id messageId body state } }',
      { id: deliveries[0].id },
    );
    expect(deliveries[0]).toMatchObject(only.webhookDelivery);
    expect(deliveries).toMatchObject([
      {
        messageId: one?.headers['webhook-id'],
        body: one?.body,
        state: 'DELIVERED',
        nextAttemptAt: null,
        attempts: [{ status: 204, error: null }],
      },
    ]);
  });

  it('has signatures that fail for another secret or a changed body', async () => {
    const { secret } = await webhooks.create();
    const { secret: other } = await webhooks.create({ url: `${receiver.url}/other` });
    await webhooks.publish();
    await webhooks.deliver();
    const [one] = receiver.at('/hook');
    if (!one) throw new Error('nothing was delivered');
    expect(() => verifyWebhook(one, other, NOW)).toThrow('No matching signature');
    const changed = { ...one, body: one.body.replace('Person', 'person') };
    expect(() => verifyWebhook(changed, secret, NOW)).toThrow('No matching signature');
  });

  it('receives no events of rolled-back transactions', async () => {
    await webhooks.create();
    const failing = runInTransaction(app.ctx, async (ctx) => {
      await recordMember(ctx);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await publishRecordedChanges(app.ctx);
    expect(await app.ctx.db.webhookMessage.count()).toBe(0);
    await webhooks.publish();
    expect(await webhooks.deliver()).toBe(1);
  });

  it('receives subscribed events by name, by noun or all', async () => {
    for (const events of [['member.updated'], ['booking.*', 'display.offline']])
      await webhooks.create({ events });
    // The last one receives every event, also that a webhook was created.
    const urls = { 'member.*': '/noun', 'member.created': '/one', '*': '/all' };
    for (const [name, path] of Object.entries(urls))
      await webhooks.create({ url: receiver.url.replace('/hook', path), events: [name] });
    await webhooks.publish();
    await webhooks.deliver();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/noun', '/one']);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
  });

  it('without a subscription, or that is disabled, receives nothing', async () => {
    await webhooks.create({ events: ['booking.*'] });
    const disabled = await webhooks.create();
    await webhooks.change('disableWebhook', disabled.id);
    await webhooks.publish();
    expect(await app.ctx.db.webhookMessage.count()).toBe(0);
  });
});

describe('a secret', () => {
  it('that is rotated signs besides the new one until the end of the overlap', async () => {
    const { id, secret: old } = await webhooks.create();
    const { it: rotated } = await webhooks.change(
      'rotateWebhookSecret',
      id,
      ', overlapHours: 24',
      'secret webhook { previousSecretUntil }',
    );
    expect(rotated.secret).not.toBe(old);
    const until = new Date(NOW.getTime() + DAY * 1_000);
    expect(rotated.webhook.previousSecretUntil).toBe(until.toISOString());
    advanceClock(DAY - 1);
    await webhooks.publish();
    await webhooks.deliver();
    for (const secret of [old, rotated.secret])
      expect(
        receiver.received.map((one) => verifyWebhook(one, secret, app.clock.now).type),
      ).toEqual(['member.created']);
    receiver.reset();
    advanceClock(DAY);
    await webhooks.publish();
    await webhooks.deliver();
    const [after] = receiver.received;
    if (!after) throw new Error('nothing was delivered');
    expect(verifyWebhook(after, rotated.secret, app.clock.now).type).toBe('member.created');
    expect(() => verifyWebhook(after, old, app.clock.now)).toThrow('No matching signature');
  });

  it('ends immediately without an overlap', async () => {
    const { id, secret: old } = await webhooks.create();
    const { it: rotated } = await webhooks.change(
      'rotateWebhookSecret',
      id,
      ', overlapHours: 0',
      'secret',
    );
    await webhooks.publish();
    await webhooks.deliver();
    const [one] = receiver.received;
    if (!one) throw new Error('nothing was delivered');
    expect(() => verifyWebhook(one, old, NOW)).toThrow('No matching signature');
    expect(verifyWebhook(one, rotated.secret, NOW).type).toBe('member.created');
    for (const hours of [-1, 73])
      await expect(
        webhooks.change('rotateWebhookSecret', id, `, overlapHours: ${hours}`, 'secret'),
      ).rejects.toThrow('VALIDATION: overlapHours must be from 0 to 72');
  });

  it('is shown once and never logged', async () => {
    const { id, secret } = await webhooks.create();
    receiver.respondWith(500);
    await webhooks.publish();
    await webhooks.deliver();
    app.ctx.log.info('nothing');
    expect(JSON.stringify(await webhooks.find(id))).not.toContain(secret);
    expect(logged.join('')).toContain('work failed; retrying later');
    expect(logged.join('')).not.toContain(secret.slice('whsec_'.length));
    for (let n = 0; n < 20; n += 1)
      expect(redact(`"${createSigningSecret()}" and more`)).toBe('"whsec_***" and more');
  });
});

describe('the settings of a webhook', () => {
  it('are updated, and omitted fields stay', async () => {
    const { id } = await webhooks.create({ description: 'Slack' });
    const { it: changed } = await webhooks.change(
      'updateWebhook',
      id,
      ', events: ["display.*", "display.*"], description: null',
      'webhook { url description events }',
    );
    expect(changed.webhook).toEqual({
      url: receiver.url,
      description: null,
      events: ['display.*'],
    });
    await webhooks.change('deleteWebhook', id);
    await expect(webhooks.find(id)).rejects.toThrow('NOT_FOUND');
  });

  it.each([
    [{ url: 'ftp://example.org' }, 'url: must be an https:// or http:// URL'],
    [{ url: 'https://me:secret@example.org' }, 'url: must not contain a user or password'],
    [{ events: [] }, 'events: Choose at least one'],
    [{ events: ['member.eaten', 'nobody.*'] }, 'events: Unknown event member.eaten, nobody.*'],
    [{ events: ['webhook.test'] }, 'events: Unknown event webhook.test'],
  ])('are rejected: %j', async (input, message) => {
    await expect(webhooks.create(input)).rejects.toThrow(`VALIDATION: ${message}`);
  });

  it('cannot include events that its creator cannot read', async () => {
    const token = await app.token('webhooks:write', 'webhooks:read', 'displays:read');
    const make = async (...events: string[]) => {
      const { codes, errors } = await app.graphql(
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
        { input: { url: receiver.url, events } },
        { token },
      );
      return [codes[0], errors[0]?.extensions.scopes];
    };
    expect(await make('display.*')).toEqual([undefined, undefined]);
    expect(await make('member.created')).toEqual(['FORBIDDEN', ['members:read']]);
    expect(await make('*')).toEqual(['FORBIDDEN', ['*']]);
    const { id } = await webhooks.create();
    await webhooks.publish();
    const { codes } = await app.graphql(
      `mutation ($id: ID!) { updateWebhook(input: { id: $id, url: "https://example.org" }) { webhook { id } } }`,
      { id },
      { token },
    );
    expect(codes).toEqual(['FORBIDDEN']);
    const { data } = await app.graphql(
      `query ($id: ID!) { webhook(id: $id) { deliveries { edges { node { type body } } } } }`,
      { id },
      { token },
    );
    expect(data.webhook.deliveries.edges).toEqual([
      { node: { type: 'member.created', body: null } },
    ]);
  });

  it('can include the events of the catalog, which have schemas', async () => {
    const { webhookEvents } = await webhooks.run(
      '{ webhookEvents { name description scope schema } }',
    );
    expect(webhookEvents.map(({ name }: { name: string }) => name)).toContain('display.offline');
    for (const { schema } of webhookEvents) expect(JSON.parse(schema).type).toBe('object');
  });
});
