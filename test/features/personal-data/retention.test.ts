import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { undoImport } from '../../../src/features/imports/service/undo-import.ts';
import { POLICIES, type PolicyKey } from '../../../src/features/personal-data/policies.ts';
import { importBookings } from '../../../src/imports/import-bookings.ts';
import { DELETED_PERSON } from '../../../src/integrations/email/outbox.ts';
import { jobs } from '../../../src/jobs/job-definitions.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeEvent } from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { readTotals } from '../../support/factories/personal-data.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let owner: Credential;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const purge = () =>
  jobs
    .find(({ name }) => name === 'retention.purge')
    ?.run(app.ctx, { mail: undefined, webhooks: undefined, signal: new AbortController().signal });

/** Inserts a row with a period that starts at this instant, and checks if it is unchanged. */
type Sample = (startedAt: Date) => Promise<() => Promise<boolean>>;

let nextPosition = 1_000_000; // after those of the demo space
const bytes = () => Uint8Array.from(randomBytes(32));

const samples: Record<PolicyKey, Sample> = {
  sessions: async (expiresAt) => {
    const user = await app.ctx.db.user.findFirstOrThrow();
    const { id } = await app.ctx.db.session.create({
      data: { tokenHash: bytes(), userId: user.id, expiresAt },
    });
    return async () => (await app.ctx.db.session.count({ where: { id } })) === 1;
  },
  api_tokens: async (revokedAt) => {
    const { id } = await app.ctx.db.apiToken.create({
      data: { name: 'till', prefix: 'foyer_x', hash: bytes(), revokedAt },
    });
    return async () => (await app.ctx.db.apiToken.count({ where: { id } })) === 1;
  },
  calendar_feeds: async (revokedAt) => {
    const { id: memberId } = await makeMember(app);
    const { id } = await app.ctx.db.calendarFeed.create({
      data: { hash: bytes(), prefix: 'x', memberId, revokedAt },
    });
    return async () => (await app.ctx.db.calendarFeed.count({ where: { id } })) === 1;
  },
  changes: async (at) => {
    const { id } = await app.ctx.db.change.create({
      data: { type: 'team.created', actorKind: 'system', at, position: nextPosition++ },
    });
    return async () => (await app.ctx.db.change.count({ where: { id } })) === 1;
  },
  displays: async (revokedAt) => {
    const { location } = await makeSpace(app);
    const { id } = await app.ctx.db.display.create({
      data: {
        ...{ name: 'Hall', kind: 'welcome', locationId: location.id },
        ...{ tokenHash: bytes(), tokenPrefix: 'x', revokedAt },
      },
    });
    return async () => (await app.ctx.db.display.count({ where: { id } })) === 1;
  },
  provider_events: async (processedAt) => {
    const id = v7();
    await app.ctx.db.providerEvent.create({
      data: { provider: 'stripe', id, type: 'x', payload: {}, processedAt },
    });
    return async () => (await app.ctx.db.providerEvent.count({ where: { id } })) === 1;
  },
  order_links: async (endsAt) => {
    const order = await makeOrder(endsAt);
    const hash = bytes();
    await app.ctx.db.orderAccessToken.create({
      data: { hash, orderId: order.id, createdAt: order.createdAt },
    });
    return async () =>
      (await app.ctx.db.orderAccessToken.count({ where: { orderId: order.id } })) === 1;
  },
  waitlist_entries: async (updatedAt) => {
    const { type } = await makeEvent(app);
    const { id } = await app.ctx.db.waitlistEntry.create({
      data: {
        ...{ ticketTypeId: type, hash: bytes(), name: 'Wil', email: `${v7()}@example.org` },
        ...{ status: 'expired', updatedAt },
      },
    });
    return async () => (await app.ctx.db.waitlistEntry.count({ where: { id } })) === 1;
  },
  check_ins: async (checkedOutAt) => {
    const { location } = await makeSpace(app);
    const { id: memberId } = await makeMember(app);
    const { id } = await app.ctx.db.checkIn.create({
      data: {
        ...{ locationId: location.id, result: 'admitted', subject: 'member', label: 'Mia' },
        ...{ memberId, actor: 'system', autoCheckOutAt: checkedOutAt, checkedOutAt },
        occurredAt: new Date(checkedOutAt.getTime() - 3_600_000),
        createdAt: checkedOutAt,
      },
    });
    return async () => {
      const visit = await app.ctx.db.checkIn.findUniqueOrThrow({ where: { id } });
      return visit.label !== DELETED_PERSON;
    };
  },
  bookings: async (endsAt) => {
    const { room } = await makeSpace(app);
    const startsAt = new Date(endsAt.getTime() - 3_600_000);
    const { id } = await app.ctx.db.booking.create({
      data: {
        ...{ resourceId: room.id, locationId: room.locationId, startsAt, endsAt },
        ...{ occupiedUntil: endsAt, guestName: 'Gus', guestEmail: 'gus@example.org' },
        ...{ title: 'Talk with Gus', notes: 'Water, please' },
      },
    });
    const { id: importId } = await app.ctx.db.import.create({ data: { kind: 'bookings' } });
    const change = { importId, subjectType: 'booking', subjectId: id };
    const texts = { before: { title: 'Gus' }, after: { title: 'Talk with Gus' } };
    await app.ctx.db.importChange.createMany({ data: [change, { ...change, ...texts }] });
    return async () => {
      const changes = await app.ctx.db.importChange.findMany({
        where: { importId },
        orderBy: { id: 'asc' },
      });
      const { guestName, guestEmail, title, notes } = await app.ctx.db.booking.findUniqueOrThrow({
        where: { id },
      });
      const values = [guestEmail, title, notes];
      expect([0, 3]).toContain(values.filter((text) => text !== null).length);
      const isNamed = guestName === 'Gus' && title !== null;
      expect(changes.map(({ before }) => before)).toEqual(isNamed ? [null, texts.before] : [null]);
      return isNamed;
    };
  },
  orders: async (endsAt) => {
    const { id } = await makeOrder(endsAt);
    return async () => {
      const { buyerName, buyerEmail, tickets } = await app.ctx.db.order.findUniqueOrThrow({
        where: { id },
        include: { tickets: true },
      });
      const isNamed = buyerName === 'Bo';
      expect(buyerEmail?.endsWith('@deleted.invalid')).toBe(!isNamed);
      expect(tickets[0]?.attendeeEmail === null).toBe(!isNamed);
      return isNamed;
    };
  },
  imports: async (createdAt) => {
    const { id } = await app.ctx.db.import.create({ data: { kind: 'members', createdAt } });
    return async () => (await app.ctx.db.import.count({ where: { id } })) === 1;
  },
  mailings: async (endedAt) => {
    const { id } = await app.ctx.db.mailing.create({
      data: {
        ...{ subject: 'Closed on Friday', body: 'We are closed.', audience: 'members' },
        ...{ status: 'sent', recipientCount: 1, sentCount: 1, failedCount: 0, endedAt },
      },
    });
    return async () => (await app.ctx.db.mailing.count({ where: { id } })) === 1;
  },
  erasures: async (createdAt) => {
    const { id } = await app.ctx.db.erasure.create({ data: { counts: {}, createdAt } });
    return async () => (await app.ctx.db.erasure.count({ where: { id } })) === 1;
  },
};

/** A paid order for an event that ended at this instant. */
async function makeOrder(endsAt: Date) {
  const startsAt = new Date(endsAt.getTime() - 3_600_000);
  const { id: eventId, type } = await makeEvent(app, { startsAt, endsAt });
  const createdAt = new Date(endsAt.getTime() - 30 * DAY_MS);
  return app.ctx.db.order.create({
    data: {
      ...{ code: v7(), status: 'paid', eventId, buyerName: 'Bo', buyerEmail: 'bo@example.org' },
      ...{ currency: 'EUR', totalAmount: 0, paidAt: createdAt, createdAt },
      tickets: {
        create: {
          ...{ code: v7(), eventId, ticketTypeId: type, position: 0, status: 'valid' },
          ...{ attendeeName: 'Bo', attendeeEmail: 'bo@example.org', unitPrice: 0, amount: 0 },
        },
      },
    },
  });
}

const UPDATE = `mutation ($input: UpdateRetentionPolicyInput!) { updateRetentionPolicy(input: $input) { retentionPolicy { key days } } }`;
const update = (key: string, days: number | null, as = owner) =>
  app.graphql(UPDATE, { input: { key, days } }, as);

describe('retention', () => {
  it.each(Object.keys(samples) as PolicyKey[])(
    'of %s purges older rows and keeps newer ones',
    async (key) => {
      const days = 400;
      const { errors } = await update(key, days);
      expect(errors).toEqual([]);
      const ago = (ms: number) => new Date(app.clock.now.getTime() - days * DAY_MS + ms);
      const isOldKept = await samples[key](ago(-60_000));
      const isYoungKept = await samples[key](ago(60_000));
      await purge();
      expect([await isOldKept(), await isYoungKept()]).toEqual([false, true]);
      await purge();
      expect([await isOldKept(), await isYoungKept()]).toEqual([false, true]);
      expect((await update(key, POLICIES[key].defaultDays)).errors).toEqual([]);
    },
  );

  it('runs in batches until done', async () => {
    await app.ctx.db.$executeRaw`
      INSERT INTO provider_events (provider, id, type, payload, processed_at)
      SELECT 'stripe', 'evt_old_' || n, 'x', '{}', ${new Date(0)} FROM generate_series(1, 2500) n`;
    await purge();
    expect(await app.ctx.db.providerEvent.count({ where: { id: { startsWith: 'evt_old' } } })).toBe(
      0,
    );
  });

  it('leaves nothing to undo of a booking that lost its texts', async () => {
    const { room } = await makeSpace(app);
    const ago = (days: number) => new Date(app.clock.now.getTime() - days * DAY_MS);
    const importTitle = async (title: string) => {
      const start = ago(59)
        .toISOString()
        .replace(/\.\d+|[-:]/g, '');
      const entry = ['UID:1', `SUMMARY:${title}`, `DTSTART:${start}`, 'DURATION:PT1H'];
      const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...entry, 'END:VEVENT', 'END:VCALENDAR'];
      const { importId = '' } = await importBookings(
        { ...app.ctx, now: () => ago(60) },
        { file: Buffer.from(lines.join('\n')), resource: { id: room.id } },
      );
      return importId;
    };
    const first = await importTitle('Gus');
    const second = await importTitle('Talk with Gus');
    await update('bookings', 30);
    await purge();
    const { report } = await undoImport(app.ctx, { id: second });
    expect(report).toEqual({ removed: 0, restored: 0, notes: [], problems: [] });
    const [booking] = await app.ctx.db.booking.findMany({ where: { resourceId: room.id } });
    expect(booking).toMatchObject({ status: 'confirmed', title: null });
    await expect(undoImport(app.ctx, { id: first })).rejects.toMatchObject({
      details: { reason: 'IMPORT_IN_USE' },
    });
    await update('bookings', POLICIES.bookings.defaultDays);
  });

  it('can be changed by owners within limits', async () => {
    const manager = { cookie: await app.signIn(STAFF.manager) };
    const getReason = async (response: ReturnType<typeof update>) =>
      (await response).errors[0]?.extensions.reason;
    expect(await getReason(update('orders', 400, manager))).toBe('OWNER_NEEDED');
    expect(await getReason(update('orders', 10))).toBe('RETENTION_OUT_OF_BOUNDS');
    expect(await getReason(update('sessions', null))).toBe('RETENTION_OUT_OF_BOUNDS');
    expect((await update('tea', 10)).codes).toEqual(['NOT_FOUND']);
    expect((await update('orders', null)).data.updateRetentionPolicy.retentionPolicy).toEqual({
      key: 'orders',
      days: null,
    });
    const { data } = await app.graphql(
      '{ retentionPolicies { key days defaultDays } }',
      {},
      manager,
    );
    expect(data.retentionPolicies).toContainEqual({
      key: 'provider_events',
      days: 400,
      defaultDays: 400,
    });
    await expect(
      app.ctx.db.retentionSetting.create({ data: { policy: 'x', days: 0 } }),
    ).rejects.toThrow();
  });

  it('does not change totals', async () => {
    await update('orders', 365);
    await update('bookings', 30);
    await update('check_ins', 30);
    const { buyers: _, ...before } = await booksWithoutEvents();
    app.clock.now = new Date(app.clock.now.getTime() + 3_000 * DAY_MS);
    await purge();
    const { buyers: __, ...after } = await booksWithoutEvents();
    expect(after).toEqual(before);
    expect(
      await app.ctx.db.order.count({
        where: { NOT: { buyerName: DELETED_PERSON }, status: 'paid' },
      }),
    ).toBe(0);
  });
});

/** Totals of orders, tickets, money and visits, without purged counters and events. */
async function booksWithoutEvents() {
  const { events: _, orders, ...books } = await readTotals(app.database);
  const sums = (orders as { buyers: number }[]).map(({ buyers: _, ...sum }) => sum);
  return { ...books, orders: sums, buyers: null };
}
