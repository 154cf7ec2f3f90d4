import pg from 'pg';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { PAYLOAD_SCHEMAS } from '../../../src/objects/payloads.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeMember } from '../../support/factories/people.ts';
import { bookingCalls, makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: Credential;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = { token: await app.token('*') };
});
beforeEach(async () => {
  await app.ctx.db.webhookMessage.deleteMany();
  await app.ctx.db.webhookEndpoint.deleteMany();
});
afterAll(() => app.stop());

const subscribe = (...events: string[]) =>
  app.ctx.db.webhookEndpoint.create({
    data: { url: 'https://receiver.test/', events, secret: 'unused', ownerKind: 'system' },
  });

/** Books ten o'clock in a new room, and returns the statements about bookings and webhooks that this took. */
async function book(holder: { memberId?: string; guest?: { name: string; email?: string } }) {
  const { room } = await makeSpace(app);
  const [startsAt, endsAt] = ['2026-03-19T09:00:00Z', '2026-03-19T10:00:00Z'];
  return recordStatements(async () => {
    const input = { resourceId: room.id, startsAt, endsAt, title: 'Choir', ...holder };
    const { data, errors } = await bookingCalls(app, staff).create(input);
    expect(errors).toEqual([]);
    return data.createBooking.booking;
  });
}

async function recordStatements<T>(work: () => Promise<T>) {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text?: string }];
    const text = typeof config === 'string' ? config : (config.text ?? '');
    if (/bookings|memberships|webhook|^\s*(BEGIN|COMMIT)/i.test(text)) statements.push(text);
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    return { result: await work(), statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}

describe('creating a booking', () => {
  it('takes one statement to read and one to write for a guest', async () => {
    const { statements } = await book({ guest: { name: 'Gisa Guest' } });
    expect(statements).toHaveLength(2);
  });

  it('takes one more statement to read the entitlements of a member', async () => {
    const { id } = await makeMember(app);
    const { statements } = await book({ memberId: id });
    expect(statements).toHaveLength(3);
  });

  it('takes the same statements with and without a subscribed webhook', async () => {
    const without = await book({ guest: { name: 'Gisa Guest' } });
    await subscribe('booking.created');
    const subscribed = await book({ guest: { name: 'Gisa Guest' } });
    expect(subscribed.statements).toEqual(without.statements);
  });

  it('publishes exactly the fields that the event catalog documents', async () => {
    await publishRecordedChanges(app.ctx);
    await subscribe('*');
    const { id } = await makeMember(app);
    await book({ guest: { name: 'Gisa Guest' } });
    await book({ memberId: id });
    await publishRecordedChanges(app.ctx);
    const messages = await app.ctx.db.webhookMessage.findMany({
      where: { type: 'booking.created' },
    });
    expect(messages).toHaveLength(2);
    for (const { payload } of messages)
      expect(PAYLOAD_SCHEMAS['booking.created'].parse(payload)).toEqual(payload);
  });
});
