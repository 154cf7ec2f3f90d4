import { v7 } from 'uuid';
import type { StaffRole } from '../../../src/auth/viewer.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import type { Credential } from '../../support/clients/api.ts';
import { createStaffUser } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { recordMember, transport } from '../../support/factories/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let receiver: Receiver;
let owner: Credential;

beforeAll(async () => {
  app = await startApp();
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

const send = async (query: string, variables: object = {}, as = owner) => {
  const { data, errors, codes } = await app.graphql(query, variables, as);
  if (errors[0])
    throw new Error(`${codes[0]} ${errors[0].extensions.reason}: ${errors[0].message}`);
  return data;
};

/** A webhook of an owner of the space, who can lose the role. */
async function makeWebhook(events: string[]) {
  const { email, session } = await createStaffUser(app, 'owner');
  const { id: ownerId } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
  const { createWebhook } = await send(
    `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }`,
    { input: { url: receiver.url, events } },
    { cookie: await session() },
  );
  const { id } = createWebhook.webhook;
  return {
    id: id as string,
    setRole: (role: StaffRole) =>
      app.ctx.db.user.update({ where: { id: ownerId }, data: { role } }),
    read: async () =>
      (
        await send(
          `query ($id: ID!) { webhook(id: $id) { disabledAt withheldEvents
            deliveries(first: 50) { nodes { id type state attempts { status error } } } } }`,
          { id },
        )
      ).webhook,
  };
}

/** Publishes one change that only owners can read, and one that managers can read too. */
async function publishBoth() {
  await send(
    'mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret } }',
    { input: { name: `Till ${v7()}`, scopes: ['members:read'] } },
  );
  await recordMember(app.ctx);
  await publishRecordedChanges(app.ctx);
}

const deliver = async () => {
  receiver.received.length = 0;
  await deliverWebhooks(app.app.systemContext, transport);
  return receiver.received.map(({ body }) => JSON.parse(body).type).sort();
};

const EVENTS = ['staff.*', 'api_token.created', 'member.*'];
const WITHHELD = 'Not sent: the owner of the webhook can no longer read api_token.created (*).';

describe('after its owner becomes a manager, a webhook', () => {
  it.each([[EVENTS], [['*']]])(
    'with the events %p gets only what a manager can read',
    async (events) => {
      const { setRole, read } = await makeWebhook(events);
      await publishBoth();
      expect(await deliver()).toEqual(['api_token.created', 'member.created']);
      await setRole('manager');
      await publishBoth();
      expect(await deliver()).toEqual(['member.created']);
      // Nothing that the owner cannot read was queued.
      expect((await read()).deliveries.nodes).toHaveLength(3);
      await setRole('owner');
      await publishBoth();
      expect(await deliver()).toEqual(['api_token.created', 'member.created']);
    },
  );

  it('does not get messages that were queued before, and says why in the log', async () => {
    const { setRole, read } = await makeWebhook(EVENTS);
    await publishBoth();
    await setRole('manager');
    expect(await deliver()).toEqual(['member.created']);
    const { deliveries, disabledAt } = await read();
    expect(disabledAt).toBeNull();
    expect(deliveries.nodes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'api_token.created',
          state: 'FAILED',
          attempts: [{ status: null, error: WITHHELD }],
        }),
        expect.objectContaining({ type: 'member.created', state: 'DELIVERED' }),
      ]),
    );
  });

  it('does not get messages whose first attempt failed before', async () => {
    const { setRole } = await makeWebhook(EVENTS);
    await publishBoth();
    receiver.respondWith(500);
    expect(await deliver()).toEqual(['api_token.created', 'member.created']);
    await setRole('manager');
    receiver.respondWith(204);
    app.clock.now = new Date(NOW.getTime() + 2 * MINUTE_MS);
    expect(await deliver()).toEqual(['member.created']);
  });

  it('does not get them again by a replay, until another owner takes over', async () => {
    const { id, setRole, read } = await makeWebhook(EVENTS);
    await publishBoth();
    await deliver();
    await setRole('manager');
    const { deliveries } = await read();
    const delivery = deliveries.nodes.find(
      ({ type }: { type: string }) => type === 'api_token.created',
    );
    const replay = () =>
      send('mutation ($id: ID!) { replayDelivery(input: { id: $id }) { __typename } }', {
        id: delivery.id,
      });
    await expect(replay()).rejects.toThrow('CONFLICT EVENT_WITHHELD');
    expect(await deliver()).toEqual([]);
    for (const verb of ['disableWebhook', 'enableWebhook'])
      await send(`mutation ($id: ID!) { ${verb}(input: { id: $id }) { __typename } }`, { id });
    await replay();
    expect(await deliver()).toEqual(['api_token.created']);
  });

  it('lists the events that it does not get', async () => {
    const { setRole, read } = await makeWebhook([...EVENTS, 'staff.invited']);
    expect((await read()).withheldEvents).toEqual([]);
    await setRole('manager');
    expect((await read()).withheldEvents.sort()).toEqual(['api_token.created', 'staff.*']);
  });
});
