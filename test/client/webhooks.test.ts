import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
} from '../../packages/client/src/webhooks.ts';
import { createSigningSecret } from '../../src/integrations/webhooks/signing.ts';
import { createWebhookActions } from '../support/factories/webhooks.ts';
import {
  type ReceivedWebhook,
  type Receiver,
  startReceiver,
} from '../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

let app: TestApp;
let receiver: Receiver;
let webhooks: ReturnType<typeof createWebhookActions>;
let message: ReceivedWebhook;
let secret: string;
let name: string;

beforeAll(async () => {
  app = await startApp();
  receiver = await startReceiver();
  webhooks = createWebhookActions(app, receiver, { cookie: await app.signIn(STAFF.owner) });
  const webhook = await webhooks.create();
  secret = webhook.secret;
  name = await webhooks.publish();
  await webhooks.deliver();
  await webhooks.change('rotateWebhookSecret', webhook.id, 'overlapHours: 24');
  await webhooks.change('sendTestWebhook', webhook.id);
  await webhooks.deliver();
  message = received(0);
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

function received(index: number): ReceivedWebhook {
  const one = receiver.received[index];
  if (!one) throw new Error('no message was delivered');
  return one;
}

const verify = (
  { body, headers }: { body: string | Uint8Array; headers: ReceivedWebhook['headers'] },
  secrets: string | string[] = secret,
  now = app.clock.now,
) => verifyWebhook(body, headers, secrets, { now });

const getCode = (promise: Promise<unknown>): Promise<WebhookErrorCode> =>
  promise.then(
    () => Promise.reject(new Error('the message was accepted')),
    (error) => {
      if (error instanceof WebhookError) return error.code;
      throw error;
    },
  );

describe('a message of the service', () => {
  it('is returned with the type that says what it has', async () => {
    const verified = await verify(message);
    if (verified.type !== 'member.created') throw new Error(`unexpected ${verified.type}`);
    expect(verified.data.member?.name).toBe(name); // compiles only for the type of members
    expect(verified.data.change.before).toBeNull();
  });

  it('can be bytes, with the headers of fetch', async () => {
    const headers = new Headers(message.headers as Record<string, string>);
    const bytes = new TextEncoder().encode(message.body);
    const now = app.clock.now;
    expect(await verifyWebhook(bytes, headers, secret, { now })).toEqual(JSON.parse(message.body));
  });

  it('fits the old or the new secret while a secret is replaced', async () => {
    const test = received(1);
    expect(await verify(test)).toMatchObject({ type: 'webhook.test' });
    expect(await verify(test, [createSigningSecret(), secret])).toMatchObject({
      type: 'webhook.test',
    });
    expect(await getCode(verify(test, [createSigningSecret()]))).toBe('SIGNATURE');
  });

  it('is accepted as the reference library signs it, among signatures of other versions', async () => {
    const library = new Webhook(secret);
    const at = app.clock.now;
    await checkProperty(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.uuid(), async (text, id) => {
        const body = JSON.stringify({ text });
        const signature = library.sign(id, at, body);
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': `v1a,x v1,% v1,${btoa('x')} ${signature}`,
        };
        expect(await verify({ body, headers })).toEqual({ text });
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});

describe('any other request', () => {
  it('is rejected if a byte of its body, id or time differs', async () => {
    const parts = ['body', 'webhook-id', 'webhook-timestamp'] as const;
    const change = fc.record({
      part: fc.constantFrom(...parts),
      at: fc.nat(10_000),
      by: fc.integer({ min: 1, max: 255 }),
    });
    await checkProperty(
      fc.asyncProperty(change, async ({ part, at, by }) => {
        const bytes = Buffer.from(part === 'body' ? message.body : String(message.headers[part]));
        const index = at % bytes.length;
        bytes[index] = ((bytes[index] ?? 0) + by) % 256;
        const changed =
          part === 'body'
            ? { ...message, body: new Uint8Array(bytes) }
            : { ...message, headers: { ...message.headers, [part]: bytes.toString('latin1') } };
        const code = await getCode(verify(changed));
        if (part !== 'webhook-timestamp') expect(code).toBe('SIGNATURE');
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it.each([
    [-300, null],
    [300, null],
    [-301, 'TIMESTAMP'],
    [301, 'TIMESTAMP'],
  ])('is rejected if it is older or newer than the tolerance: %i seconds', async (age, code) => {
    const sentAt = Number(message.headers['webhook-timestamp']) * 1_000;
    const result = verify(message, secret, new Date(sentAt + age * 1_000));
    if (code === null) expect(await result).toMatchObject({ type: 'member.created' });
    else expect(await getCode(result)).toBe(code);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is rejected without %s, which the error names',
    async (header) => {
      const headers = { ...message.headers, [header]: undefined };
      await expect(verify({ ...message, headers })).rejects.toThrow(`no header ${header}`);
    },
  );

  it('is rejected with a time that is no number', async () => {
    const headers = { ...message.headers, 'webhook-timestamp': 'now' };
    expect(await getCode(verify({ ...message, headers }))).toBe('TIMESTAMP');
  });
});

it('explains a malformed secret, and a body that is parsed already', async () => {
  await expect(verify(message, 'whsec_%')).rejects.toThrow('The secret is malformed');
  await expect(verify(message, '')).rejects.toThrow('The secret is malformed');
  const parsed = { ...message, body: JSON.parse(message.body) };
  await expect(verify(parsed)).rejects.toThrow('not the parsed JSON');
});
