import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { createEventEditor, TIMES } from '../../support/factories/event-editor.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

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

describe('publishing', () => {
  it('shows a draft to its audience', async () => {
    const { done } = await events.create();
    expect((await events.publish(done.id)).done).toEqual({
      ...done,
      status: 'PUBLISHED',
      publishedAt: NOW.toISOString(),
    });
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect((await events.publish(done.id)).done.publishedAt).toBe(NOW.toISOString());
    for (const name of [done.id, done.slug]) {
      expect((await events.readRest(name)).data.event).toMatchObject({
        id: done.id,
        status: 'published',
      });
      expect(await events.read(name)).toMatchObject({ id: done.id, status: 'PUBLISHED' });
    }
  });

  it('hides an event for members from the public', async () => {
    const id = await events.published({ visibility: 'MEMBERS' });
    expect((await events.readRest(id)).status).toBe(404);
    const member = await (await makeMember(app)).signedIn();
    expect(await events.read(id, member)).toMatchObject({ id });
    // Public paths ignore credentials.
    expect((await events.readRest(id, member)).status).toBe(404);
  });

  it('lets everybody find the event, whatever the accents and the order of words', async () => {
    const id = await events.published({ title: 'Soirée Łódź', summary: 'Żurek & Crème brûlée' });
    const list = 'query ($q: String) { events(filter: { q: $q }) { nodes { id } } }';
    for (const q of ['soiree lodz', 'LÓDZ brulee', 'zurek & crème']) {
      const path = `/public/events?q=${encodeURIComponent(q)}`;
      expect((await app.rest(path)).body.data).toMatchObject({ events: [{ id }] });
      expect((await app.graphql(list, { q })).data.events.nodes).toEqual([{ id }]);
    }
    for (const q of ['soiree %', 'soiree berlin'])
      expect((await app.graphql(list, { q })).data.events.nodes).toEqual([]);
  });

  it('is rejected from the end of the event on', async () => {
    const id = await events.draft();
    app.clock.now = new Date(TIMES.endsAt);
    expect((await events.publish(id)).error).toEqual({ code: 'CONFLICT', reason: 'EVENT_OVER' });
    app.clock.now = new Date(app.clock.now.getTime() - 1);
    expect((await events.publish(id)).done.status).toBe('PUBLISHED');
  });
});

describe('a cancelled event', () => {
  it('stays visible to ticket holders and disappears from lists', async () => {
    const title = events.newTitle();
    const id = await events.published({ title });
    const listed = async () =>
      (await app.rest(`/public/events?q=${encodeURIComponent(title)}`)).body.data;
    expect(await listed()).toMatchObject({ events: [{ id }] });
    const { done } = await events.cancel(id, 'The speaker is ill.');
    expect(done).toMatchObject({
      status: 'CANCELLED',
      cancelledAt: NOW.toISOString(),
      cancelReason: 'The speaker is ill.',
      publishedAt: NOW.toISOString(),
    });
    expect(await listed()).toMatchObject({ events: [] });
    expect((await events.readRest(done.slug)).data.event).toMatchObject({
      id,
      status: 'cancelled',
    });
    expect(await events.read(done.slug)).toMatchObject({ cancelReason: 'The speaker is ill.' });
  });

  it('is cancelled once', async () => {
    const id = await events.published();
    const { done } = await events.cancel(id, 'First');
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect((await events.cancel(id, 'Second')).done).toEqual(done);
  });

  it('stays hidden if it was never published', async () => {
    const id = await events.draft();
    expect((await events.cancel(id)).done).toMatchObject({
      status: 'CANCELLED',
      cancelReason: null,
    });
    expect(await events.readRest(id)).toEqual(await events.readRest(v7()));
    expect(await events.read(id)).toBeUndefined();
  });

  it('stays hidden from the public if it was for members', async () => {
    const id = await events.published({ visibility: 'MEMBERS' });
    await events.cancel(id);
    expect((await events.readRest(id)).status).toBe(404);
    expect(await events.read(id, await (await makeMember(app)).signedIn())).toMatchObject({ id });
  });

  it('stays visible if it was imported without publishedAt', async () => {
    const { id } = await app.ctx.db.event.create({
      data: {
        slug: 'imported',
        title: 'Imported',
        status: 'published',
        locationId: events.space.location.id,
        startsAt: new Date(TIMES.startsAt),
        endsAt: new Date(TIMES.endsAt),
      },
    });
    await events.cancel(id);
    expect((await events.readRest(id)).data.event).toMatchObject({ status: 'cancelled' });
  });

  it('cannot be changed, published or sold', async () => {
    const id = await events.published();
    const type = (await events.addType(id)).done;
    await events.cancel(id);
    const before = await events.read(id, reader);
    const missing = { code: 'CONFLICT', reason: 'EVENT_CANCELLED' };
    expect((await events.update(id, { title: 'Back' })).error).toEqual(missing);
    expect((await events.publish(id)).error).toEqual(missing);
    expect((await events.addType(id)).error).toEqual(missing);
    expect((await events.updateType(type.id, { name: 'Back' })).error).toEqual(missing);
    expect((await events.removeType(type.id)).error).toEqual(missing);
    expect(await events.read(id, reader)).toEqual(before);
    expect(before.ticketTypes).toMatchObject([{ salesOpen: false, saleState: 'CLOSED' }]);
  });
});
