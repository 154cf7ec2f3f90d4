import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { createEventEditor, TIMES } from '../../support/factories/event-editor.ts';
import { NOW } from '../../support/factories/seed.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let events: Awaited<ReturnType<typeof createEventEditor>>;
let reader: Credential;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('events:read') };
  events = await createEventEditor(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

describe('a new event', () => {
  it('is a draft that only staff sees, with all its fields', async () => {
    const input = {
      title: 'Über Type & Ink!',
      summary: 'In one line',
      description: 'In many.',
      visibility: 'MEMBERS',
      resourceId: events.space.room.id,
      tags: ['Design', 'talk', 'design'],
      capacity: 20,
      refundHours: 48,
    };
    const { done } = await events.create(input);
    const { resourceId, ...rest } = input;
    expect(done).toEqual({
      ...rest,
      ...TIMES,
      id: done.id,
      slug: 'ueber-type-and-ink',
      status: 'DRAFT',
      timeZone: 'Europe/Berlin',
      location: { id: events.space.location.id },
      resource: { id: resourceId },
      tags: ['design', 'talk'],
      reservedCount: 0,
      publishedAt: null,
      cancelledAt: null,
      cancelReason: null,
      ticketTypes: [],
    });
    expect(await events.read(done.id, reader)).toEqual(done);
    const unknown = await events.readRest('no-such-event');
    expect(unknown.status).toBe(404);
    for (const name of [done.id, done.slug]) {
      expect(await events.readRest(name)).toEqual(unknown);
      expect(await events.read(name)).toBeUndefined();
    }
  });

  it('is public, unlimited and without refunds by default', async () => {
    expect((await events.create()).done).toMatchObject({
      visibility: 'PUBLIC',
      capacity: null,
      refundHours: null,
      resource: null,
      tags: [],
      summary: null,
    });
  });

  it('gets a unique slug from its title', async () => {
    const slugs = [];
    for (let n = 0; n < 4; n += 1)
      slugs.push((await events.create({ title: 'Film night' })).done.slug);
    expect(slugs.slice(0, 2)).toEqual(['film-night', 'film-night-2026-04-20']);
    expect(slugs[2]).toMatch(/^film-night-[0-9a-f]{8}$/);
    expect(new Set(slugs).size).toBe(4);
    expect((await events.create({ title: '映画の夜' })).done.slug).toBe('event');
  });

  it('gets a unique slug also under concurrent creation', async () => {
    const created = await Promise.all(
      Array.from({ length: 8 }, () => events.create({ title: 'Rush' })),
    );
    expect(new Set(created.map(({ done }) => done.slug)).size).toBe(8);
  });

  it('takes a given slug that is free', async () => {
    expect((await events.create({ slug: 'my-evening' })).done.slug).toBe('my-evening');
    const reserved = { code: 'CONFLICT', reason: 'TAKEN' };
    expect((await events.create({ slug: 'my-evening' })).error).toMatchObject(reserved);
    const other = await events.draft();
    expect((await events.update(other, { slug: 'my-evening' })).error).toMatchObject(reserved);
    expect((await events.update(other, { slug: 'our-evening' })).done.slug).toBe('our-evening');
  });

  it.each([
    ['a blank title', { title: ' ' }, 'INVALID_INPUT'],
    ['an invalid slug', { slug: 'My Evening' }, 'INVALID_INPUT'],
    ['an ID as slug', { slug: v7() }, 'INVALID_INPUT'],
    ['a capacity of zero', { capacity: 0 }, 'INVALID_INPUT'],
    ['a negative refund period', { refundHours: -1 }, 'INVALID_INPUT'],
    ['an end at its start', { endsAt: TIMES.startsAt }, 'ENDS_BEFORE_START'],
    ['an end after more than a year', { endsAt: '2027-05-01T00:00:00Z' }, 'TOO_LONG'],
    [
      'a time too far in the future',
      { startsAt: '9999-01-01T00:00:00Z', endsAt: '9999-01-02T00:00:00Z' },
      'TOO_FAR_AHEAD',
    ],
  ])('is rejected with %s, as is an update to it', async (_, input, reason) => {
    const error = { code: 'VALIDATION', reason };
    const before = await app.ctx.db.event.count();
    expect((await events.create(input)).error).toMatchObject(error);
    expect(await app.ctx.db.event.count()).toBe(before);
    const { done } = await events.create();
    expect((await events.update(done.id, input)).error).toMatchObject(error);
    expect(await events.read(done.id, reader)).toEqual(done);
  });

  it('rejects an unknown location and a room at another location', async () => {
    const { room, location } = await makeSpace(app);
    const wrongLocation = { code: 'VALIDATION', reason: 'RESOURCE_ELSEWHERE' };
    expect((await events.create({ locationId: v7() })).error).toEqual({
      code: 'NOT_FOUND',
      reason: 'NOT_FOUND',
    });
    expect((await events.create({ resourceId: v7() })).error).toEqual({
      code: 'NOT_FOUND',
      reason: 'NOT_FOUND',
    });
    expect((await events.create({ resourceId: room.id })).error).toMatchObject(wrongLocation);
    const id = await events.draft({ resourceId: events.space.room.id });
    expect((await events.update(id, { resourceId: room.id })).error).toMatchObject(wrongLocation);
    expect((await events.update(id, { locationId: location.id })).error).toMatchObject(
      wrongLocation,
    );
    const moved = await events.update(id, { locationId: location.id, resourceId: room.id });
    expect(moved.done).toMatchObject({ location: { id: location.id }, resource: { id: room.id } });
  });
});

describe('a change to an event', () => {
  it('keeps omitted fields, and null clears optional fields', async () => {
    const { done } = await events.create({
      summary: 'A',
      description: 'B',
      capacity: 3,
      refundHours: 1,
    });
    const renamed = await events.update(done.id, {
      title: 'Renamed',
      tags: null,
      visibility: null,
    });
    expect(renamed.done).toEqual({ ...done, title: 'Renamed' });
    const nothing = { summary: null, description: null, capacity: null, refundHours: null };
    expect((await events.update(done.id, { ...nothing, startsAt: null })).done).toEqual({
      ...done,
      title: 'Renamed',
      ...nothing,
    });
  });

  it('can move a published event', async () => {
    const id = await events.published();
    const times = { startsAt: '2026-04-21T16:00:00.000Z', endsAt: '2026-04-21T17:00:00.000Z' };
    expect((await events.update(id, times)).done).toMatchObject({ ...times, status: 'PUBLISHED' });
  });

  it('rejects a capacity below the sold tickets', async () => {
    const id = await events.published({ capacity: 10 });
    await events.sell((await events.addType(id)).done.id, 4);
    const below = await events.update(id, { capacity: 3, title: 'Smaller' });
    expect(below.error).toMatchObject({
      code: 'CONFLICT',
      reason: 'CAPACITY_BELOW_SOLD',
      taken: 4,
    });
    expect(below.message).toContain('at least 4');
    expect((await events.read(id, reader)).title).not.toBe('Smaller');
    expect((await events.update(id, { capacity: 4 })).done).toMatchObject({
      capacity: 4,
      reservedCount: 4,
    });
    expect((await events.update(id, { capacity: null })).done.capacity).toBeNull();
  });

  it('returns NOT_FOUND for an unknown id', async () => {
    for (const id of [v7(), 'none']) {
      for (const { error } of [
        await events.update(id, {}),
        await events.publish(id),
        await events.cancel(id),
        await events.remove(id),
        await events.updateType(id, {}),
        await events.removeType(id),
      ])
        expect(error).toEqual({ code: 'NOT_FOUND', reason: 'NOT_FOUND' });
    }
  });

  it('needs events:write', async () => {
    const frontDesk = { cookie: await app.signIn(STAFF.front_desk) };
    for (const as of [reader, frontDesk]) {
      expect((await events.create({}, as)).error).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('deleting an event', () => {
  it('deletes a draft with its ticket types', async () => {
    const id = await events.draft();
    await events.addType(id);
    expect((await events.remove(id)).done).toBe(id);
    expect(await events.read(id, reader)).toBeUndefined();
    expect(await app.ctx.db.ticketType.count({ where: { eventId: id } })).toBe(0);
  });

  it('rejects published and cancelled events', async () => {
    const id = await events.published();
    expect((await events.remove(id)).error).toMatchObject({
      code: 'CONFLICT',
      reason: 'NOT_A_DRAFT',
    });
    await events.cancel(id);
    expect((await events.remove(id)).error).toMatchObject({
      code: 'CONFLICT',
      reason: 'NOT_A_DRAFT',
    });
    expect(await events.read(id, reader)).toMatchObject({ id });
  });

  it('rejects events with orders', async () => {
    const id = await events.draft();
    await events.order(id);
    expect((await events.remove(id)).error).toEqual({
      code: 'CONFLICT',
      reason: 'EVENT_HAS_ORDERS',
    });
    expect(await events.read(id, reader)).toMatchObject({ id });
  });
});

describe('one event over REST', () => {
  it('is the same as in the list, by id and by slug', async () => {
    const { items } = await listedOver();
    expect(items.length).toBeGreaterThan(5);
    for (const item of items) {
      for (const name of [item.id, item.slug]) {
        const { status, data } = await events.readRest(String(name));
        expect(status).toBe(200);
        expect(data.event).toEqual(item);
        expect(Object.keys(data.event)).toEqual(Object.keys(item));
      }
    }
  });

  it('returns NOT_FOUND for an unknown slug', async () => {
    const unknown = await events.readRest('none');
    expect(unknown).toEqual({ status: 404, data: 'No such event.' });
    for (const name of [v7(), 'x'.repeat(300), '%F0%9F%92%A9']) {
      expect(await events.readRest(name)).toEqual(unknown);
    }
    expect((await app.rest('/public/events/none?x=1')).status).toBe(400);
  });
});

async function listedOver(id?: string) {
  const { body } = await app.rest('/public/events?limit=100');
  const { events } = body.data as { events: Record<string, unknown>[] };
  return { items: id ? events.filter((event) => event.id === id) : events };
}
