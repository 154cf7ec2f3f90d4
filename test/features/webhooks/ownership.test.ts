import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import type { Credential } from '../../support/clients/api.ts';
import { NOW, PASSWORD } from '../../support/factories/seed.ts';
import { recordMember, transport } from '../../support/factories/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let receiver: Receiver;
let owner: Credential;
let manager: Credential;

beforeAll(async () => {
  app = await startApp();
  receiver = await startReceiver();
  owner = { cookie: await app.signIn(STAFF.owner) };
  manager = { cookie: await app.signIn(STAFF.manager) };
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

const send = async (query: string, as: Credential, variables: object = {}) => {
  const { data, errors, codes } = await app.graphql(query, variables, as);
  if (errors[0])
    throw new Error(`${codes[0]} ${errors[0].extensions.reason}: ${errors[0].message}`);
  return data;
};

const createWebhook = async (as: Credential, events = ['member.*']) => {
  const { createWebhook } = await send(
    `mutation ($input: CreateWebhookInput!) {
      createWebhook(input: $input) { webhook { id owner { kind name } } } }`,
    as,
    { input: { url: receiver.url, events } },
  );
  return createWebhook.webhook as { id: string; owner: { kind: string; name: string } };
};

const createToken = async (as: Credential, ...scopes: string[]) => {
  const { createApiToken } = await send(
    `mutation ($scopes: [String!]!) {
      createApiToken(input: { name: "Accounting", scopes: $scopes }) { secret apiToken { id } } }`,
    as,
    { scopes },
  );
  return { id: createApiToken.apiToken.id as string, token: createApiToken.secret as string };
};

const change = (field: string, id: string, as: Credential, args = '') =>
  send(`mutation ($id: ID!) { it: ${field}(input: { id: $id${args} }) { __typename } }`, as, {
    id,
  });

const read = async (id: string) =>
  (
    await send(
      `query ($id: ID!) { webhook(id: $id) { url events disabledAt disabledReason owner { kind name }
        deliveries(first: 50) { edges { node { id type body state } } } } }`,
      owner,
      { id },
    )
  ).webhook;

const recordEvent = async () => {
  await recordMember(app.ctx);
  await publishRecordedChanges(app.ctx);
};

const deliverAll = () => deliverWebhooks(app.app.systemContext, transport);

const MEMBERS = ['webhooks:read', 'webhooks:write', 'members:read'];
const DISPLAYS = ['webhooks:read', 'webhooks:write', 'displays:read'];

describe('the owner of a webhook', () => {
  it('is the person or the token that created it', async () => {
    expect(await createWebhook(manager)).toMatchObject({ owner: { kind: 'USER' } });
    expect(await createWebhook(await createToken(owner, ...MEMBERS))).toMatchObject({
      owner: { kind: 'TOKEN', name: 'Accounting' },
    });
  });

  it.each([
    [
      'token is revoked',
      ({ id }: { id: string }) => change('revokeApiToken', id, owner),
      'Its API token Accounting was revoked. Enable the webhook to become its owner.',
    ],
    [
      'token expires',
      async ({ id }: { id: string }) => {
        const expiresAt = new Date(NOW.getTime() + MINUTE_MS);
        await app.ctx.db.apiToken.update({ where: { id }, data: { expiresAt } });
        app.clock.now = expiresAt;
      },
      'Its API token Accounting has expired. Enable the webhook to become its owner.',
    ],
    [
      'token is deleted',
      ({ id }: { id: string }) => app.ctx.db.apiToken.delete({ where: { id } }),
      'The API token that owned it was deleted. Enable the webhook to become its owner.',
    ],
  ])('stops it when the %s, until another owner takes over', async (_, end, reason) => {
    const token = await createToken(owner, ...MEMBERS);
    const { id } = await createWebhook(token);
    await recordEvent();
    await end(token);
    expect(await deliverAll()).toBe(0);
    await recordEvent();
    const stopped = await read(id);
    expect(stopped).toMatchObject({ disabledAt: expect.any(String), disabledReason: reason });
    // Only earlier events wait.
    expect(stopped.deliveries.edges).toHaveLength(1);
    await change('enableWebhook', id, manager);
    expect(await read(id)).toMatchObject({ disabledAt: null, owner: { kind: 'USER' } });
    await recordEvent();
    expect([await deliverAll(), receiver.received.length]).toEqual([2, 2]);
  });

  it.each([
    [
      'becomes front desk',
      (id: string) => app.ctx.db.user.update({ where: { id }, data: { role: 'front_desk' } }),
      'Mia can no longer manage webhooks. Enable the webhook to become its owner.',
    ],
    [
      'is deleted',
      (id: string) => app.ctx.db.user.delete({ where: { id } }),
      'Its owner was deleted. Enable the webhook to become its owner.',
    ],
  ])('stops it when the person %s', async (_, end, reason) => {
    const email = `${v7()}@example.org`;
    const passwordHash = await hashPassword(PASSWORD);
    const mia = await app.ctx.db.user.create({
      data: { name: 'Mia', email, role: 'manager', passwordHash },
    });
    const { id } = await createWebhook({ cookie: await app.signIn(email) });
    await recordEvent();
    await end(mia.id);
    await recordEvent();
    expect([await deliverAll(), receiver.received]).toEqual([0, []]);
    const { disabledReason, deliveries } = await read(id);
    expect([disabledReason, deliveries.edges.length]).toEqual([reason, 1]);
  });

  it.each([
    ['their webhooks stop, and those of their tokens continue', false, 1],
    ['their webhooks and those of their tokens stop if the tokens are revoked', true, 0],
  ])('is disabled: %s', async (_, revokeTokens, delivered) => {
    const email = `${v7()}@example.org`;
    const mia = await app.ctx.db.user.create({ data: { name: 'Mia', email, role: 'manager' } });
    const session = { cookie: await app.signIn(email) };
    const token = await createToken(session, ...MEMBERS);
    const [own, ofToken] = [await createWebhook(session), await createWebhook(token)];
    await send(
      'mutation ($input: DisableStaffInput!) { disableStaff(input: $input) { staffUser { status } } }',
      owner,
      { input: { id: mia.id, revokeTokens } },
    );
    await recordEvent();
    expect([await deliverAll(), receiver.received.length]).toEqual([delivered, delivered]);
    expect((await read(own.id)).disabledReason).toBe(
      'Mia can no longer manage webhooks. Enable the webhook to become its owner.',
    );
    expect((await read(ofToken.id)).disabledReason).toBe(
      revokeTokens
        ? 'Its API token Accounting was revoked. Enable the webhook to become its owner.'
        : null,
    );

    // Once the person can sign in again, their own webhooks continue. Revoked tokens stay revoked.
    await send(
      'mutation ($input: EnableStaffInput!) { enableStaff(input: $input) { staffUser { status } } }',
      owner,
      { input: { id: mia.id } },
    );
    await recordEvent();
    expect(await deliverAll()).toBe(delivered + 1);
  });

  it('becomes the successor when a token is rotated', async () => {
    const old = await createToken(owner, ...MEMBERS);
    const { id } = await createWebhook(old);
    const { rotateApiToken } = await send(
      `mutation ($id: ID!) { rotateApiToken(input: { id: $id, overlapMinutes: 1 }) { apiToken { id } } }`,
      owner,
      { id: old.id },
    );
    // During the overlap the old token can still create webhooks, which the successor owns as well.
    const newer = await createWebhook(old);
    app.clock.now = new Date(NOW.getTime() + 2 * MINUTE_MS);
    await recordEvent();
    expect(await deliverAll()).toBe(2);
    for (const webhook of [id, newer.id]) {
      const { ownerTokenId } = await app.ctx.db.webhookEndpoint.findUniqueOrThrow({
        where: { id: webhook },
      });
      expect(ownerTokenId).toBe(rotateApiToken.apiToken.id);
    }
  });

  it('changes to the caller that changes the URL or the events, and a stopped webhook stays stopped', async () => {
    const token = await createToken(owner, ...MEMBERS);
    const { id } = await createWebhook(token);
    await change('updateWebhook', id, manager, ', description: "Sheet"');
    expect((await read(id)).owner.kind).toBe('TOKEN');
    await change('revokeApiToken', token.id, owner);
    await change('updateWebhook', id, manager, `, url: "${receiver.url}/new"`);
    await change('updateWebhook', id, manager, `, url: "${receiver.url}/new?room=2"`);
    await change('updateWebhook', id, manager, `, url: "${receiver.url}/new?room=2"`);
    const recorded = await app.ctx.db.change.findMany({
      where: { subjectId: id, type: 'webhook.updated' },
      orderBy: { sequence: 'asc' },
    });
    // The third one changed only the query, which the journal does not store. The fourth one changed nothing.
    expect(recorded.map(({ after }) => Object.keys(after as object).sort())).toEqual([
      ['description'],
      ['disabled_at', 'disabled_reason', 'owner_token_id', 'owner_user_id', 'url'],
      [],
    ]);
    expect(await read(id)).toMatchObject({
      owner: { kind: 'USER' },
      disabledReason: expect.stringContaining('was revoked'),
    });
  });
});

describe('a token without the scopes for the events of a webhook', () => {
  const VERBS: [name: string, run: (id: string, as: Credential) => Promise<unknown>][] = [
    [
      'change its address',
      (id, as) => change('updateWebhook', id, as, ', url: "https://evil.example"'),
    ],
    [
      'change its URL along with its events',
      (id, as) =>
        change('updateWebhook', id, as, ', url: "https://evil.example", events: ["display.*"]'),
    ],
    ['change its events', (id, as) => change('updateWebhook', id, as, ', events: ["display.*"]')],
    ['rotate its secret', (id, as) => change('rotateWebhookSecret', id, as, ', overlapHours: 0')],
    ['enable it', (id, as) => change('enableWebhook', id, as)],
  ];

  it.each(VERBS)('cannot %s', async (_, run) => {
    const { id } = await createWebhook(manager);
    const before = await app.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    const token = await createToken(owner, ...DISPLAYS);
    await expect(run(id, token)).rejects.toThrow('FORBIDDEN MISSING_SCOPE');
    expect(await app.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toEqual(before);
    await run(id, manager);
  });

  it.each(VERBS.filter(([name]) => name !== 'change its events'))(
    'cannot %s while such messages are pending',
    async (_, run) => {
      const { id } = await createWebhook(manager);
      await recordEvent();
      await change('updateWebhook', id, manager, ', events: ["display.*"]');
      const token = await createToken(owner, ...DISPLAYS);
      await expect(run(id, token)).rejects.toThrow('FORBIDDEN MISSING_SCOPE');
      await deliverAll();
      await run(id, token);
    },
  );

  it('cannot replay or read them, but can send a test, disable and delete it', async () => {
    const { id } = await createWebhook(manager);
    await recordEvent();
    await deliverAll();
    await change('updateWebhook', id, manager, ', events: ["display.*"]');
    const token = await createToken(owner, ...DISPLAYS);
    const { deliveries } = await read(id);
    const [{ node: delivery }] = deliveries.edges;
    expect(delivery.body).toContain('Person ');
    await expect(change('replayDelivery', delivery.id, token)).rejects.toThrow(
      'FORBIDDEN MISSING_SCOPE',
    );
    const { webhookDelivery } = await send(
      `query ($id: ID!) { webhookDelivery(id: $id) { type body } }`,
      token,
      { id: delivery.id },
    );
    expect(webhookDelivery).toEqual({ type: 'member.created', body: null });
    for (const verb of ['sendTestWebhook', 'disableWebhook', 'deleteWebhook'])
      await change(verb, id, token);
  });
});
