import { redact } from '../../../src/auth/tokens.ts';
import { runInTransaction } from '../../../src/context.ts';
import { RETRY_SCHEDULES } from '../../../src/core/retry-schedule.ts';
import {
  deliverWebhooks,
  disableFailingEndpoints,
  MAX_DELIVERY_ATTEMPTS,
  purgeMessages,
} from '../../../src/integrations/webhooks/delivery-worker.ts';
import { publishDomainEvent } from '../../../src/integrations/webhooks/publish-event.ts';
import { createSigningSecret } from '../../../src/integrations/webhooks/signing.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../../support/app.ts';
import { type Receiver, startReceiver, verified } from '../../support/receiver.ts';
import { NOW } from '../../support/seed.ts';

const DAY = 24 * 3_600;

let app: TestApp;
let receiver: Receiver;
let owner: Credential;
const logged: string[] = [];
const transport = createWebhookTransport({ allowPrivate: true, timeoutMs: 1_000 });

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  receiver = await startReceiver();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterEach(async () => {
  app.clock.now = NOW;
  receiver.reset();
  await app.ctx.db.webhookEndpoint.deleteMany();
  await app.ctx.db.webhookMessage.deleteMany();
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const FIELDS = `id url description events previousSecretUntil disabledAt disabledReason
  deliveries(first: 10) { edges { node { id messageId type body state attemptCount dueAt deliveredAt
    attempts { at status problem tookMs } } } }`;

const ask = async (query: string, variables: object = {}, as = owner) => {
  const answer = await app.graphql(query, variables, as);
  if (answer.errors[0]) throw new Error(`${answer.codes[0]}: ${answer.errors[0].message}`);
  return answer.data;
};
const create = async (input: object = {}) => {
  const { createWebhook } = await ask(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id } } }',
    { input: { url: receiver.url, events: ['member.*'], ...input } },
  );
  return { id: createWebhook.webhook.id as string, secret: createWebhook.secret as string };
};
const change = (field: string, id: string, args = '', more = '') =>
  ask(`mutation ($id: ID!) { it: ${field}(id: $id ${args}) { ${more || 'id'} } }`, { id });
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
const nodesOf = ({ edges }: { edges: { node: any }[] }) => edges.map(({ node }) => node);
const webhook = async (id: string) => {
  const { webhook } = await ask(`query ($id: ID!) { webhook(id: $id) { ${FIELDS} } }`, { id });
  return { ...webhook, deliveries: nodesOf(webhook.deliveries) };
};
let people = 0;
/** Something that is told. */
const happen = (ctx = app.ctx) => {
  people += 1;
  return publishDomainEvent(ctx, 'member.created', () => [
    {
      member: {
        id: `0198f2c4-7d1e-7a3b-9c55-${String(people).padStart(12, '0')}`,
        name: `Person ${people}`,
        email: `person-${people}@example.org`,
        phone: null,
        company: null,
        status: 'active',
        createdAt: NOW,
      },
    },
  ]);
};
const work = () => deliverWebhooks(app.app.systemContext, transport);
const later = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};

describe('a webhook', () => {
  it('is told once what happens, signed so that the library verifies it', async () => {
    const { id, secret } = await create();
    await happen();
    expect([await work(), await work()]).toEqual([1, 0]);
    const [one, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(one && verified(one, secret, NOW)).toEqual({
      type: 'member.created',
      timestamp: NOW.toISOString(),
      data: { member: expect.objectContaining({ name: `Person ${people}`, company: null }) },
    });
    const { deliveries } = await webhook(id);
    const only = await ask(
      'query ($id: ID!) { webhookDelivery(id: $id) { id messageId body state } }',
      { id: deliveries[0].id },
    );
    expect(deliveries[0]).toMatchObject(only.webhookDelivery);
    expect(deliveries).toMatchObject([
      {
        messageId: one?.headers['webhook-id'],
        body: one?.body,
        state: 'DELIVERED',
        dueAt: null,
        attempts: [{ status: 204, problem: null }],
      },
    ]);
  });

  it('is refused by the library with another secret, and where a letter was changed', async () => {
    const { secret } = await create();
    const { secret: other } = await create({ url: `${receiver.url}/other` });
    await happen();
    await work();
    const [one] = receiver.at('/hook');
    if (!one) throw new Error('nothing was told');
    expect(() => verified(one, other, NOW)).toThrow('No matching signature');
    const changed = { ...one, body: one.body.replace('Person', 'person') };
    expect(() => verified(changed, secret, NOW)).toThrow('No matching signature');
  });

  it('is told nothing of what was taken back', async () => {
    await create();
    const failing = runInTransaction(app.ctx, async (ctx) => {
      await happen(ctx);
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect([await work(), await app.ctx.db.webhookMessage.count()]).toEqual([0, 0]);
    await runInTransaction(app.ctx, happen);
    expect(await work()).toBe(1);
  });

  it('is told what it names, one by one, by noun, or everything', async () => {
    const urls = { '*': '/all', 'member.*': '/noun', 'member.created': '/one' };
    for (const [name, path] of Object.entries(urls))
      await create({ url: receiver.url.replace('/hook', path), events: [name] });
    for (const events of [['member.updated'], ['booking.*', 'display.offline']])
      await create({ events });
    await happen();
    await work();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/noun', '/one']);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
  });

  it('costs what happens nothing but a look where nobody listens', async () => {
    await create({ events: ['booking.*'] });
    const disabled = await create();
    await change('disableWebhook', disabled.id);
    let asked = false;
    await publishDomainEvent(app.ctx, 'member.created', () => {
      asked = true;
      return [];
    });
    expect([asked, await app.ctx.db.webhookMessage.count()]).toEqual([false, 0]);
  });
});

describe('a secret', () => {
  it('that was rotated signs besides the new one for the overlap, and then no more', async () => {
    const { id, secret: old } = await create();
    const { it: rotated } = await change(
      'rotateWebhookSecret',
      id,
      ', overlapHours: 24',
      'secret webhook { previousSecretUntil }',
    );
    expect(rotated.secret).not.toBe(old);
    const until = new Date(NOW.getTime() + DAY * 1_000);
    expect(rotated.webhook.previousSecretUntil).toBe(until.toISOString());
    later(DAY - 1);
    await happen();
    await work();
    for (const secret of [old, rotated.secret])
      expect(receiver.received.map((one) => verified(one, secret, app.clock.now).type)).toEqual([
        'member.created',
      ]);
    receiver.reset();
    later(DAY);
    await happen();
    await work();
    const [after] = receiver.received;
    if (!after) throw new Error('nothing was told');
    expect(verified(after, rotated.secret, app.clock.now).type).toBe('member.created');
    expect(() => verified(after, old, app.clock.now)).toThrow('No matching signature');
  });

  it('ends at once without an overlap', async () => {
    const { id, secret: old } = await create();
    const { it: rotated } = await change('rotateWebhookSecret', id, ', overlapHours: 0', 'secret');
    await happen();
    await work();
    const [one] = receiver.received;
    if (!one) throw new Error('nothing was told');
    expect(() => verified(one, old, NOW)).toThrow('No matching signature');
    expect(verified(one, rotated.secret, NOW).type).toBe('member.created');
    for (const hours of [-1, 73])
      await expect(
        change('rotateWebhookSecret', id, `, overlapHours: ${hours}`, 'secret'),
      ).rejects.toThrow('VALIDATION: overlapHours: must be from 0 to 72');
  });

  it('is shown once and stands in no log', async () => {
    const { id, secret } = await create();
    receiver.answers(500);
    await happen();
    await work();
    app.ctx.log.info('nothing');
    expect(JSON.stringify(await webhook(id))).not.toContain(secret);
    expect(logged.join('')).toContain('work failed; retrying later');
    expect(logged.join('')).not.toContain(secret.slice('whsec_'.length));
    for (let n = 0; n < 20; n += 1)
      expect(redact(`"${createSigningSecret()}" and more`)).toBe('"whsec_***" and more');
  });
});

describe('what does not arrive', () => {
  it('is tried again, less and less often, for about three days, and then given up', async () => {
    const { id } = await create();
    receiver.answers(500);
    await happen();
    const tried: number[] = [];
    let seconds = 0;
    for (const pause of [0, ...RETRY_SCHEDULES.webhooks.delaysMs.map((ms) => ms / 1_000)]) {
      later(seconds + pause - 1);
      if (pause > 0) await work();
      later(seconds + pause);
      await work();
      seconds += pause;
      if (receiver.received.length > tried.length) tried.push(seconds);
    }
    expect(tried).toEqual([0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105]);
    expect(receiver.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    later(seconds + 10 * DAY);
    expect(await work()).toBe(0);
    const { deliveries } = await webhook(id);
    expect(deliveries).toMatchObject([{ state: 'FAILED', dueAt: null, attemptCount: 10 }]);
    expect(deliveries[0].attempts).toHaveLength(10);
    expect(deliveries[0].attempts[0]).toMatchObject({
      status: 500,
      problem: 'The endpoint answered 500.',
    });
    expect(receiver.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('because nothing answers in time arrives later, with the time of its attempt', async () => {
    const { id, secret } = await create();
    receiver.state.answer = () => {};
    await happen();
    expect(await work()).toBe(0);
    receiver.reset();
    later(5);
    expect(await work()).toBe(1);
    const [one] = receiver.received;
    expect(one && verified(one, secret, app.clock.now).timestamp).toBe(NOW.toISOString());
    const { deliveries } = await webhook(id);
    expect(deliveries[0].attempts).toMatchObject([
      { status: 204, problem: null },
      { status: null, problem: 'No response within 1 seconds.' },
    ]);
  });

  it('because of a redirect says so, and nobody is told at the other end', async () => {
    const { id } = await create();
    receiver.answers(307, { location: receiver.url.replace('/hook', '/elsewhere') });
    await happen();
    expect(await work()).toBe(0);
    expect(receiver.at('/elsewhere')).toEqual([]);
    const [{ attempts }] = (await webhook(id)).deliveries;
    expect(attempts).toMatchObject([{ status: 307, problem: expect.stringContaining('redirect') }]);
  });

  it('because its address is private says how that is allowed', async () => {
    const { id } = await create();
    await happen();
    expect(
      await deliverWebhooks(app.app.systemContext, createWebhookTransport({ allowPrivate: false })),
    ).toBe(0);
    expect(receiver.received).toEqual([]);
    const [{ attempts }] = (await webhook(id)).deliveries;
    expect(attempts[0].problem).toContain('WEBHOOK_PRIVATE_ADDRESSES=allow');
  });

  it('because the receiver wants no more disables the webhook', async () => {
    const { id } = await create();
    receiver.answers(410);
    await happen();
    await work();
    expect(await webhook(id)).toMatchObject({
      disabledAt: NOW.toISOString(),
      disabledReason: expect.stringContaining('410'),
      deliveries: [{ state: 'FAILED' }],
    });
    receiver.reset();
    await happen();
    await work();
    expect(receiver.received).toEqual([]);
    await change('enableWebhook', id);
    await happen();
    expect(await work()).toBe(1);
    expect(await webhook(id)).toMatchObject({ disabledAt: null, disabledReason: null });
  });

  it('is no attempt where the service stopped meanwhile', async () => {
    const { id } = await create();
    const stopping = new AbortController();
    receiver.state.answer = () => stopping.abort();
    await happen();
    expect(await deliverWebhooks(app.app.systemContext, transport, stopping.signal)).toBe(0);
    const [delivery] = (await webhook(id)).deliveries;
    expect(delivery).toMatchObject({ state: 'WAITING', attemptCount: 0, attempts: [] });
    receiver.reset();
    expect(await work()).toBe(1);
  });

  it('for five days, and never once meanwhile, disables the webhook', async () => {
    const dead = await create();
    const flaky = await create({ url: receiver.url.replace('/hook', '/flaky') });
    const answer = (flakyStatus: number) => {
      receiver.state.answer = (res, path) => {
        res.writeHead(path === '/flaky' ? flakyStatus : 500).end();
      };
    };
    for (const [day, flakyStatus] of [
      [0, 500],
      [1, 200],
      [2, 500],
      [4.9, 500],
    ] as const) {
      later(day * DAY);
      answer(flakyStatus);
      await happen();
      await work();
      await disableFailingEndpoints(app.ctx);
      expect((await webhook(dead.id)).disabledAt).toBeNull();
    }
    later(5 * DAY + 60);
    await disableFailingEndpoints(app.ctx);
    expect((await webhook(dead.id)).disabledReason).toContain('for 5 days');
    expect((await webhook(flaky.id)).disabledAt).toBeNull();
    // Once enabled it has five days again.
    await change('enableWebhook', dead.id);
    await work();
    await disableFailingEndpoints(app.ctx);
    expect((await webhook(dead.id)).disabledAt).toBeNull();
  });
});

describe('a delivery', () => {
  it('that is replayed is sent again at once, with the same id', async () => {
    const { id } = await create();
    await happen();
    await work();
    const [{ id: deliveryId }] = (await webhook(id)).deliveries;
    later(60);
    const { it: replayed } = await change('replayDelivery', deliveryId, '', 'state attemptCount');
    expect(replayed).toEqual({ state: 'WAITING', attemptCount: 0 });
    expect(await work()).toBe(1);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const [delivery] = (await webhook(id)).deliveries;
    expect(delivery).toMatchObject({ state: 'DELIVERED', attempts: [{}, {}] });
    await change('disableWebhook', id);
    await expect(change('replayDelivery', deliveryId)).rejects.toThrow('CONFLICT: This webhook is');
    await expect(change('sendTestWebhook', id)).rejects.toThrow('CONFLICT: This webhook is');
  });

  it('that is replayed while it is under way is sent once more, whatever comes of the first', async () => {
    const { id } = await create();
    await happen();
    let release = () => {};
    let slow: Promise<number> | undefined;
    await new Promise<void>((begun) => {
      const post = () => {
        begun();
        return new Promise<{ status: number }>((resolve) => {
          release = () => resolve({ status: 200 });
        });
      };
      slow = deliverWebhooks(app.app.systemContext, { post });
    });
    const [{ id: deliveryId }] = (await webhook(id)).deliveries;
    later(1);
    await change('replayDelivery', deliveryId);
    later(0); // or the one that is at work would take it
    release();
    expect(await slow).toBe(1);
    later(1);
    expect(await work()).toBe(1);
  });

  it('can be looked for by its state', async () => {
    const { id } = await create();
    await happen();
    await work();
    receiver.answers(410);
    await happen();
    await work();
    await change('enableWebhook', id);
    await happen();
    const found: Record<string, number> = {};
    for (const state of ['DELIVERED', 'WAITING', 'FAILED']) {
      const { webhook } = await ask(
        `query ($id: ID!) { webhook(id: $id) { deliveries(state: ${state}) { edges { node { state } } } } }`,
        { id },
      );
      found[state] = webhook.deliveries.edges.length;
      for (const { node } of webhook.deliveries.edges) expect(node.state).toBe(state);
    }
    expect(found).toEqual({ DELIVERED: 1, WAITING: 1, FAILED: 1 });
  });

  it('of a test goes to that webhook only', async () => {
    await create({ events: ['*'], url: receiver.url.replace('/hook', '/other') });
    const { id, secret } = await create();
    await change('sendTestWebhook', id);
    expect(await work()).toBe(1);
    const [one] = receiver.received;
    expect(one?.path).toBe('/hook');
    expect(one && verified(one, secret, NOW).type).toBe('webhook.test');
  });

  it('goes after thirty days, with its message and its attempts', async () => {
    await create();
    await happen();
    await work();
    later(30 * DAY);
    await purgeMessages(app.ctx);
    expect(await app.ctx.db.webhookAttempt.count()).toBe(1);
    later(30 * DAY + 1);
    await purgeMessages(app.ctx);
    const { webhookMessage, webhookDelivery, webhookAttempt } = app.ctx.db;
    expect([
      await webhookMessage.count(),
      await webhookDelivery.count(),
      await webhookAttempt.count(),
    ]).toEqual([0, 0, 0]);
  });
});

describe('what a webhook is', () => {
  it('is changed by name, and what is not named stays', async () => {
    const { id } = await create({ description: 'Slack' });
    const { it: changed } = await change(
      'updateWebhook',
      id,
      ', input: { events: ["display.*", "display.*"], description: null }',
      'url description events',
    );
    expect(changed).toEqual({ url: receiver.url, description: null, events: ['display.*'] });
    await change('deleteWebhook', id);
    await expect(webhook(id)).rejects.toThrow('NOT_FOUND');
  });

  it.each([
    [{ url: 'ftp://example.org' }, 'url: must be an https:// or http:// URL'],
    [{ url: 'https://me:secret@example.org' }, 'url: must not contain a user or password'],
    [{ events: [] }, 'events: choose at least one'],
    [{ events: ['member.eaten', 'nobody.*'] }, 'events: unknown event member.eaten, nobody.*'],
    [{ events: ['webhook.test'] }, 'events: unknown event webhook.test'],
  ])('is refused: %j', async (input, message) => {
    await expect(create(input)).rejects.toThrow(`VALIDATION: ${message}`);
  });

  it('can name nothing that its maker may not read', async () => {
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
    const { id } = await create();
    await happen();
    const { codes } = await app.graphql(
      `mutation ($id: ID!) { updateWebhook(id: $id, input: { url: "https://example.org" }) { id } }`,
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

  it('can be told of what is in the catalogue, with the schema of each', async () => {
    const { webhookEvents } = await ask('{ webhookEvents { name description scope schema } }');
    expect(webhookEvents.map(({ name }: { name: string }) => name)).toContain('display.offline');
    for (const { schema } of webhookEvents) expect(JSON.parse(schema).type).toBe('object');
  });
});
