import { z } from 'zod';
import { runInTransaction } from '../../../src/context.ts';
import { updatePolicy } from '../../../src/features/personal-data/service/retention.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { recordCreated, recordUpdated } from '../../../src/journal/record-changes.ts';
import { PAYLOAD_SCHEMAS } from '../../../src/objects/payloads.ts';
import { createEventListener } from '../../support/factories/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let receiver: Receiver;
let listener: ReturnType<typeof createEventListener>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  receiver = await startReceiver();
  listener = createEventListener(app, receiver);
  await publishRecordedChanges(app.ctx);
});
afterEach(() => listener.reset());
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const renameTeam = (name: string) =>
  runInTransaction(app.ctx, async (ctx) => {
    const { id } = await ctx.db.team.create({ data: { name } });
    await recordCreated(ctx, 'team.created', [id]);
    await recordUpdated(ctx, 'team.updated', [id], () =>
      ctx.db.team.update({ where: { id }, data: { name: `${name} & Co` } }),
    );
    return id;
  });

describe('changes in the journal', () => {
  it('reach the webhooks that subscribe to their type, once and in order', async () => {
    await listener.subscribe('team.*');
    const id = await renameTeam('Printers');
    await Promise.all([publishRecordedChanges(app.ctx), publishRecordedChanges(app.ctx)]);
    await publishRecordedChanges(app.ctx);
    const delivered = await listener.deliverAll();
    const empty = {
      address: null,
      postcode: null,
      city: null,
      country: null,
      customer_number: null,
    };
    const team = { id, name: 'Printers & Co', ...empty, created_at: expect.any(String) };
    expect(delivered).toEqual([
      [
        'team.created',
        { team, ...toChange(id, { before: null, after: { name: 'Printers', ...empty } }) },
      ],
      [
        'team.updated',
        {
          team,
          ...toChange(id, { before: { name: 'Printers' }, after: { name: 'Printers & Co' } }),
        },
      ],
    ]);
    for (const [type, payload] of delivered) {
      const { shape } = PAYLOAD_SCHEMAS[type as ChangeType];
      expect(z.strictObject(shape).safeParse(payload).error).toBeUndefined();
    }
  });

  it('of settings have a key and contain the setting, so that an older one can be ignored', async () => {
    await listener.subscribe('settings.*', 'retention_policy.*');
    await updateSettings(app.app.systemContext, { name: 'Kranwerk' });
    await updateSettings(app.app.systemContext, { language: 'de' });
    await updatePolicy(app.app.systemContext, { key: 'api_tokens', days: 900 });
    const delivered = await listener.deliverAll();
    expect(delivered).toMatchObject([
      ['settings.updated', { change: { subject_key: 'settings:1', after: { name: 'Kranwerk' } } }],
      [
        'settings.updated',
        {
          settings: { name: 'Kranwerk', language: 'de' },
          change: { subject_id: null, subject_key: 'settings:1', after: { language: 'de' } },
        },
      ],
      ['retention_policy.updated', { change: { subject_key: 'retention_policy:api_tokens' } }],
    ]);
    for (const [type, payload] of delivered)
      expect(PAYLOAD_SCHEMAS[type as ChangeType].parse(payload)).toEqual(payload);
  });

  it('do not reach others', async () => {
    await listener.subscribe('plan.*', 'team.deleted');
    await renameTeam('Painters');
    await publishRecordedChanges(app.ctx);
    expect(await listener.deliverAll()).toEqual([]);
  });
});

const toChange = (id: string, fields: object) => ({
  change: {
    id: expect.any(String),
    position: expect.any(Number),
    at: app.clock.now.toISOString(),
    subject_type: 'team',
    subject_id: id,
    subject_key: id,
    deleted: false,
    redacted: false,
    location_id: null,
    ...fields,
  },
});
