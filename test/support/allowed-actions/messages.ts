import type { Prisma } from '../../../src/db/generated/client.ts';
import { createSigningSecret } from '../../../src/integrations/webhooks/signing.ts';
import type { TestApp } from '../harness/app.ts';
import { insertToken } from './access.ts';
import type { ActionsCase } from './compare.ts';

// What the service sends: webhooks and their deliveries, and mailings.

const PAST = new Date('2026-03-17T12:00:00Z');
const DISABLED = { disabledAt: PAST, disabledReason: 'Disabled by staff.' };

type WebhookColumns = Partial<Prisma.WebhookEndpointUncheckedCreateInput>;

/** A webhook of the system, with a message of this type that waits. */
async function insertWebhook({ ctx: { db } }: TestApp, columns: WebhookColumns, type?: string) {
  const message = { type: type ?? 'member.created', payload: {} };
  const delivery = { nextAttemptAt: PAST, message: { create: message } };
  const { id } = await db.webhookEndpoint.create({
    data: {
      ...{ url: 'https://hooks.example.org', events: ['member.*'], ownerKind: 'system' },
      ...{ secret: createSigningSecret(), ...columns },
      ...(type === undefined ? {} : { deliveries: { create: delivery } }),
    },
  });
  return id;
}

const toWebhook = (columns: WebhookColumns, type?: string) => (app: TestApp) =>
  insertWebhook(app, columns, type);

export const WEBHOOKS: ActionsCase = {
  type: 'Webhook',
  dependsOnOwner: true,
  states: {
    enabled: toWebhook({}),
    'enabled with a message that waits': toWebhook({}, 'member.created'),
    'enabled for events of owners': toWebhook({ events: ['staff.*'] }),
    disabled: toWebhook(DISABLED),
    'disabled for all events': toWebhook({ ...DISABLED, events: ['*'] }),
    'disabled with a message for owners': toWebhook(DISABLED, 'staff.invited'),
    'stopped without an owner': toWebhook({ ownerKind: 'user' }),
  },
  mutations: {
    update: 'updateWebhook(input: { id: $id, description: $new })',
    updateEvents: 'updateWebhook(input: { id: $id, events: ["event.created"] })',
    rotateSecret: 'rotateWebhookSecret(input: { id: $id, overlapHours: 0 })',
    enable: 'enableWebhook(input: { id: $id })',
    disable: 'disableWebhook(input: { id: $id })',
    delete: 'deleteWebhook(input: { id: $id })',
    sendTest: 'sendTestWebhook(input: { id: $id })',
  },
  withoutButton: { 'stopped without an owner disable': 'It sends nothing.' },
  unrecorded: ['sendTest'],
};

const toDelivery = (columns: WebhookColumns, type: string) => async (app: TestApp) => {
  const endpointId = await insertWebhook(app, columns, type);
  return (await app.ctx.db.webhookDelivery.findFirstOrThrow({ where: { endpointId } })).id;
};

export const DELIVERIES: ActionsCase = {
  type: 'WebhookDelivery',
  dependsOnOwner: true,
  states: {
    'of an enabled webhook': toDelivery({}, 'member.created'),
    'of a disabled webhook': toDelivery(DISABLED, 'member.created'),
    'of a webhook without an owner': toDelivery({ ownerKind: 'token' }, 'member.created'),
    'of an event for owners': toDelivery({}, 'staff.invited'),
    'of an owner who cannot read it': async (app) => {
      const ownerTokenId = await insertToken(app.ctx.db, { scopes: ['webhooks:write'] });
      return toDelivery({ ownerKind: 'token', ownerTokenId }, 'member.created')(app);
    },
  },
  mutations: { replay: 'replayDelivery(input: { id: $id })' },
  unrecorded: ['replay'],
};

const toMailing =
  (columns: Partial<Prisma.MailingUncheckedCreateInput>) =>
  async ({ ctx: { db } }: TestApp) => {
    const mailing = { subject: 'News', body: 'We open earlier.', recipientCount: 1 };
    const { id } = await db.mailing.create({
      data: { ...mailing, audience: 'members', ...columns },
    });
    return id;
  };

export const MAILINGS: ActionsCase = {
  type: 'Mailing',
  states: {
    'being sent': toMailing({ status: 'sending' }),
    sent: toMailing({ status: 'sent', endedAt: PAST }),
    cancelled: toMailing({ status: 'cancelled', endedAt: PAST }),
  },
  mutations: { cancel: 'cancelMailing(input: { id: $id })' },
};
