import { v7 } from 'uuid';
import { type Credential, STAFF, startApp, type TestApp } from '../../support/app.ts';
import { NOW } from '../../support/seed.ts';
import { makeMember, makeSpace } from '../../support/space.ts';

let app: TestApp;
let writer: Credential;
let reader: Credential;
let both: Credential;
let space: Awaited<ReturnType<typeof makeSpace>>;
let titles = 0;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('events:write') };
  reader = { token: await app.token('events:read') };
  both = { token: await app.token('events:read', 'events:write') };
  space = await makeSpace(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const TICKET_TYPE = `id name description position price { amount currency } left quantity sold perOrder audience
  salesStartAt salesEndAt salesOpen saleState active`;
const EVENT = `id slug title summary description status visibility startsAt endsAt timeZone location { id }
  resource { id } tags capacity taken refundHours publishedAt cancelledAt cancelReason
  ticketTypes { ${TICKET_TYPE} }`;
const TIMES = { startsAt: '2026-04-20T16:00:00.000Z', endsAt: '2026-04-20T18:00:00.000Z' };

const newTitle = () => {
  titles += 1;
  return `Evening no. ${titles}`;
};

async function call(name: string, args: string, variables: object, fields: string, as: Credential) {
  const passed = args.replace(/\$(\w+): [\w!]+/g, '$1: $$$1');
  const text = `mutation (${args}) { done: ${name}(${passed}) { ${fields} } }`;
  const { data, errors } = await app.graphql(text, variables, as);
  return { done: data?.done, refusal: errors[0]?.extensions, message: errors[0]?.message };
}

const create = (input: object = {}, as = both) =>
  call(
    'createEvent',
    '$input: CreateEventInput!',
    { input: { title: newTitle(), locationId: space.location.id, ...TIMES, ...input } },
    EVENT,
    as,
  );
const update = (id: string, input: object, as = both) =>
  call('updateEvent', '$id: ID!, $input: UpdateEventInput!', { id, input }, EVENT, as);
const publish = (id: string) => call('publishEvent', '$id: ID!', { id }, EVENT, both);
const cancel = (id: string, reason?: string) =>
  call('cancelEvent', '$id: ID!, $reason: String', { id, reason }, EVENT, both);
const remove = (id: string) => call('deleteEvent', '$id: ID!', { id }, EVENT, both);

const PRICE = { amount: 1200, currency: 'EUR' };
const addType = (eventId: string, input: object = {}, as = both) =>
  call(
    'createTicketType',
    '$input: CreateTicketTypeInput!',
    { input: { eventId, name: 'Standard', price: PRICE, ...input } },
    TICKET_TYPE,
    as,
  );
const updateType = (id: string, input: object, as = both) =>
  call(
    'updateTicketType',
    '$id: ID!, $input: UpdateTicketTypeInput!',
    { id, input },
    TICKET_TYPE,
    as,
  );
const removeType = (id: string) => call('deleteTicketType', '$id: ID!', { id }, TICKET_TYPE, both);

const read = async (slugOrId: string, as: Credential = {}) =>
  (await app.graphql(`query ($s: String!) { event(slug: $s) { ${EVENT} } }`, { s: slugOrId }, as))
    .data?.event;
const readRest = async (slugOrId: string, as: Credential = {}) => {
  const { status, body } = await app.rest(`/public/events/${slugOrId}`, as);
  return { status, data: body.data as { event: Record<string, unknown> } };
};

const draft = async (input: object = {}): Promise<string> => (await create(input)).done.id;
async function published(input: object = {}): Promise<string> {
  const id = await draft(input);
  await publish(id);
  return id;
}

/** Pretends that this many tickets were sold. */
async function sell(typeId: string, count: number) {
  const { eventId } = await app.ctx.db.ticketType.update({
    where: { id: typeId },
    data: { reservedCount: count },
  });
  await app.ctx.db.event.update({ where: { id: eventId }, data: { reservedCount: count } });
}

const order = (eventId: string) =>
  app.ctx.db.order.create({
    data: {
      code: v7(),
      status: 'cancelled',
      eventId,
      buyerName: 'Gisa Guest',
      buyerEmail: 'gisa@example.org',
      currency: 'EUR',
      totalAmount: 0,
    },
  });

describe('a new event', () => {
  it('is a draft that only staff sees, with all its fields', async () => {
    const input = {
      title: 'Über Type & Ink!',
      summary: 'In one line',
      description: 'In many.',
      visibility: 'MEMBERS',
      resourceId: space.room.id,
      tags: ['Design', 'talk', 'design'],
      capacity: 20,
      refundHours: 48,
    };
    const { done } = await create(input);
    const { resourceId, ...rest } = input;
    expect(done).toEqual({
      ...rest,
      ...TIMES,
      id: done.id,
      slug: 'uber-type-ink',
      status: 'DRAFT',
      timeZone: 'Europe/Berlin',
      location: { id: space.location.id },
      resource: { id: resourceId },
      tags: ['design', 'talk'],
      taken: 0,
      publishedAt: null,
      cancelledAt: null,
      cancelReason: null,
      ticketTypes: [],
    });
    expect(await read(done.id, reader)).toEqual(done);
    const unknown = await readRest('no-such-event');
    expect(unknown.status).toBe(404);
    for (const name of [done.id, done.slug]) {
      expect(await readRest(name)).toEqual(unknown);
      expect(await read(name)).toBeUndefined();
    }
  });

  it('is public, unlimited and without refunds by default', async () => {
    expect((await create()).done).toMatchObject({
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
    for (let n = 0; n < 4; n += 1) slugs.push((await create({ title: 'Film night' })).done.slug);
    expect(slugs.slice(0, 2)).toEqual(['film-night', 'film-night-2026-04-20']);
    expect(slugs[2]).toMatch(/^film-night-[0-9a-f]{8}$/);
    expect(new Set(slugs).size).toBe(4);
    expect((await create({ title: '映画の夜' })).done.slug).toBe('event');
  });

  it('gets a unique slug also under concurrent creation', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => create({ title: 'Rush' })));
    expect(new Set(created.map(({ done }) => done.slug)).size).toBe(8);
  });

  it('takes a given slug that is free', async () => {
    expect((await create({ slug: 'my-evening' })).done.slug).toBe('my-evening');
    const taken = { code: 'CONFLICT', reason: 'TAKEN' };
    expect((await create({ slug: 'my-evening' })).refusal).toEqual(taken);
    const other = await draft();
    expect((await update(other, { slug: 'my-evening' })).refusal).toEqual(taken);
    expect((await update(other, { slug: 'our-evening' })).done.slug).toBe('our-evening');
  });

  it.each([
    ['a blank title', { title: ' ' }, 'INVALID_INPUT'],
    ['a crooked address', { slug: 'My Evening' }, 'INVALID_INPUT'],
    ['an id for an address', { slug: v7() }, 'INVALID_INPUT'],
    ['room for nobody', { capacity: 0 }, 'INVALID_INPUT'],
    ['hours below none', { refundHours: -1 }, 'INVALID_INPUT'],
    ['an end that is no later than its beginning', { endsAt: TIMES.startsAt }, 'ENDS_BEFORE_START'],
    ['an end after more than a year', { endsAt: '2027-05-01T00:00:00Z' }, 'TOO_LONG'],
    [
      'a time that nobody plans for',
      { startsAt: '9999-01-01T00:00:00Z', endsAt: '9999-01-02T00:00:00Z' },
      'TOO_FAR_AHEAD',
    ],
  ])('is refused with %s, and so is the change to it', async (_, input, reason) => {
    const refusal = { code: 'VALIDATION', reason };
    const before = await app.ctx.db.event.count();
    expect((await create(input)).refusal).toMatchObject(refusal);
    expect(await app.ctx.db.event.count()).toBe(before);
    const { done } = await create();
    expect((await update(done.id, input)).refusal).toMatchObject(refusal);
    expect(await read(done.id, reader)).toEqual(done);
  });

  it('rejects an unknown location and a room at another location', async () => {
    const { room, location } = await makeSpace(app);
    const elsewhere = { code: 'VALIDATION', reason: 'RESOURCE_ELSEWHERE' };
    expect((await create({ locationId: v7() })).refusal).toEqual({
      code: 'NOT_FOUND',
      reason: 'NOT_FOUND',
    });
    expect((await create({ resourceId: v7() })).refusal).toEqual({
      code: 'NOT_FOUND',
      reason: 'NOT_FOUND',
    });
    expect((await create({ resourceId: room.id })).refusal).toEqual(elsewhere);
    const id = await draft({ resourceId: space.room.id });
    expect((await update(id, { resourceId: room.id })).refusal).toEqual(elsewhere);
    expect((await update(id, { locationId: location.id })).refusal).toEqual(elsewhere);
    const moved = await update(id, { locationId: location.id, resourceId: room.id });
    expect(moved.done).toMatchObject({ location: { id: location.id }, resource: { id: room.id } });
  });
});

describe('a change to an event', () => {
  it('keeps omitted fields, and null clears optional fields', async () => {
    const { done } = await create({ summary: 'A', description: 'B', capacity: 3, refundHours: 1 });
    const renamed = await update(done.id, { title: 'Renamed', tags: null, visibility: null });
    expect(renamed.done).toEqual({ ...done, title: 'Renamed' });
    const nothing = { summary: null, description: null, capacity: null, refundHours: null };
    expect((await update(done.id, { ...nothing, startsAt: null })).done).toEqual({
      ...done,
      title: 'Renamed',
      ...nothing,
    });
  });

  it('can move a published event', async () => {
    const id = await published();
    const times = { startsAt: '2026-04-21T16:00:00.000Z', endsAt: '2026-04-21T17:00:00.000Z' };
    expect((await update(id, times)).done).toMatchObject({ ...times, status: 'PUBLISHED' });
  });

  it('rejects a capacity below the sold tickets', async () => {
    const id = await published({ capacity: 10 });
    await sell((await addType(id)).done.id, 4);
    const below = await update(id, { capacity: 3, title: 'Smaller' });
    expect(below.refusal).toEqual({ code: 'CONFLICT', reason: 'CAPACITY_BELOW_SOLD', taken: 4 });
    expect(below.message).toContain('at least 4');
    expect((await read(id, reader)).title).not.toBe('Smaller');
    expect((await update(id, { capacity: 4 })).done).toMatchObject({ capacity: 4, taken: 4 });
    expect((await update(id, { capacity: null })).done.capacity).toBeNull();
  });

  it('returns NOT_FOUND for an unknown id', async () => {
    for (const id of [v7(), 'none']) {
      for (const { refusal } of [
        await update(id, {}),
        await publish(id),
        await cancel(id),
        await remove(id),
        await updateType(id, {}),
        await removeType(id),
      ])
        expect(refusal).toEqual({ code: 'NOT_FOUND', reason: 'NOT_FOUND' });
    }
  });

  it('needs events:write', async () => {
    const frontDesk = { cookie: await app.signIn(STAFF.front_desk) };
    for (const as of [reader, frontDesk]) {
      expect((await create({}, as)).refusal).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('publishing', () => {
  it('shows a draft to its audience', async () => {
    const { done } = await create();
    expect((await publish(done.id)).done).toEqual({
      ...done,
      status: 'PUBLISHED',
      publishedAt: NOW.toISOString(),
    });
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect((await publish(done.id)).done.publishedAt).toBe(NOW.toISOString());
    for (const name of [done.id, done.slug]) {
      expect((await readRest(name)).data.event).toMatchObject({ id: done.id, status: 'published' });
      expect(await read(name)).toMatchObject({ id: done.id, status: 'PUBLISHED' });
    }
  });

  it('hides an event for members from the public', async () => {
    const id = await published({ visibility: 'MEMBERS' });
    expect((await readRest(id)).status).toBe(404);
    const member = await (await makeMember(app)).signedIn();
    expect(await read(id, member)).toMatchObject({ id });
    // Public paths ignore credentials.
    expect((await readRest(id, member)).status).toBe(404);
  });

  it('is rejected from the end of the event on', async () => {
    const id = await draft();
    app.clock.now = new Date(TIMES.endsAt);
    expect((await publish(id)).refusal).toEqual({ code: 'CONFLICT', reason: 'EVENT_OVER' });
    app.clock.now = new Date(app.clock.now.getTime() - 1);
    expect((await publish(id)).done.status).toBe('PUBLISHED');
  });
});

describe('a cancelled event', () => {
  it('stays visible to ticket holders and disappears from lists', async () => {
    const title = newTitle();
    const id = await published({ title });
    const listed = async () =>
      (await app.rest(`/public/events?q=${encodeURIComponent(title)}`)).body.data;
    expect(await listed()).toMatchObject({ events: [{ id }] });
    const { done } = await cancel(id, 'The speaker is ill.');
    expect(done).toMatchObject({
      status: 'CANCELLED',
      cancelledAt: NOW.toISOString(),
      cancelReason: 'The speaker is ill.',
      publishedAt: NOW.toISOString(),
    });
    expect(await listed()).toMatchObject({ events: [] });
    expect((await readRest(done.slug)).data.event).toMatchObject({ id, status: 'cancelled' });
    expect(await read(done.slug)).toMatchObject({ cancelReason: 'The speaker is ill.' });
  });

  it('is cancelled once', async () => {
    const id = await published();
    const { done } = await cancel(id, 'First');
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect((await cancel(id, 'Second')).done).toEqual(done);
  });

  it('stays hidden if it was never published', async () => {
    const id = await draft();
    expect((await cancel(id)).done).toMatchObject({ status: 'CANCELLED', cancelReason: null });
    expect(await readRest(id)).toEqual(await readRest(v7()));
    expect(await read(id)).toBeUndefined();
  });

  it('stays hidden from the public if it was for members', async () => {
    const id = await published({ visibility: 'MEMBERS' });
    await cancel(id);
    expect((await readRest(id)).status).toBe(404);
    expect(await read(id, await (await makeMember(app)).signedIn())).toMatchObject({ id });
  });

  it('stays visible if it was imported without publishedAt', async () => {
    const { id } = await app.ctx.db.event.create({
      data: {
        slug: 'imported',
        title: 'Imported',
        status: 'published',
        locationId: space.location.id,
        startsAt: new Date(TIMES.startsAt),
        endsAt: new Date(TIMES.endsAt),
      },
    });
    await cancel(id);
    expect((await readRest(id)).data.event).toMatchObject({ status: 'cancelled' });
  });

  it('cannot be changed, published or sold', async () => {
    const id = await published();
    const type = (await addType(id)).done;
    await cancel(id);
    const before = await read(id, reader);
    const missing = { code: 'CONFLICT', reason: 'EVENT_CANCELLED' };
    expect((await update(id, { title: 'Back' })).refusal).toEqual(missing);
    expect((await publish(id)).refusal).toEqual(missing);
    expect((await addType(id)).refusal).toEqual(missing);
    expect((await updateType(type.id, { name: 'Back' })).refusal).toEqual(missing);
    expect((await removeType(type.id)).refusal).toEqual(missing);
    expect(await read(id, reader)).toEqual(before);
    expect(before.ticketTypes).toMatchObject([{ salesOpen: false, saleState: 'CLOSED' }]);
  });
});

describe('deleting an event', () => {
  it('deletes a draft with its ticket types', async () => {
    const id = await draft();
    await addType(id);
    expect((await remove(id)).done.id).toBe(id);
    expect(await read(id, reader)).toBeUndefined();
    expect(await app.ctx.db.ticketType.count({ where: { eventId: id } })).toBe(0);
  });

  it('rejects published and cancelled events', async () => {
    const id = await published();
    expect((await remove(id)).refusal).toMatchObject({ code: 'CONFLICT', reason: 'NOT_A_DRAFT' });
    await cancel(id);
    expect((await remove(id)).refusal).toMatchObject({ code: 'CONFLICT', reason: 'NOT_A_DRAFT' });
    expect(await read(id, reader)).toMatchObject({ id });
  });

  it('rejects events with orders', async () => {
    const id = await draft();
    await order(id);
    expect((await remove(id)).refusal).toEqual({ code: 'CONFLICT', reason: 'EVENT_HAS_ORDERS' });
    expect(await read(id, reader)).toMatchObject({ id });
  });
});

describe('a ticket type', () => {
  it('returns all its fields', async () => {
    const id = await published({ capacity: 50 });
    const input = {
      name: 'Early bird',
      description: 'For the quick',
      price: { amount: 900, currency: 'CHF' },
      quantity: 5,
      salesStartAt: '2026-03-01T00:00:00.000Z',
      salesEndAt: '2026-04-01T00:00:00.000Z',
      perOrder: 2,
      audience: 'MEMBERS',
      position: 7,
    };
    const { done } = await addType(id, input);
    expect(done).toEqual({
      ...input,
      id: done.id,
      left: 5,
      sold: 0,
      salesOpen: true,
      saleState: 'OPEN',
      active: true,
    });
    expect((await read(id, reader)).ticketTypes).toEqual([done]);
  });

  it('is public, limited by the event and last by default', async () => {
    const id = await published({ capacity: 50 });
    await addType(id, { position: 3 });
    expect((await addType(id, { name: 'Second' })).done).toMatchObject({
      position: 4,
      quantity: null,
      left: 50,
      perOrder: 10,
      audience: 'PUBLIC',
      salesStartAt: null,
      salesEndAt: null,
    });
    const names = (await read(id)).ticketTypes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Standard', 'Second']);
  });

  it('keeps omitted fields, and null clears optional fields', async () => {
    const id = await published();
    const window = {
      salesStartAt: '2026-03-01T00:00:00.000Z',
      salesEndAt: '2026-04-01T00:00:00.000Z',
    };
    const { done } = await addType(id, { description: 'A', quantity: 5, ...window });
    const price = { amount: 1500, currency: 'EUR' };
    expect((await updateType(done.id, { price, name: null, active: null })).done).toEqual({
      ...done,
      price,
    });
    const nothing = { description: null, quantity: null, salesStartAt: null, salesEndAt: null };
    expect((await updateType(done.id, nothing)).done).toEqual({
      ...done,
      price,
      ...nothing,
      left: null,
    });
  });

  it.each([
    ['a blank name', { name: '' }, 'INVALID_INPUT'],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }, 'INVALID_INPUT'],
    ['none at all', { quantity: 0 }, 'INVALID_INPUT'],
    ['nothing for an order', { perOrder: 0 }, 'INVALID_INPUT'],
    ['too much for an order', { perOrder: 101 }, 'INVALID_INPUT'],
    ['a position before the first', { position: -1 }, 'INVALID_INPUT'],
    [
      'a sale that ends when it begins',
      { salesStartAt: TIMES.startsAt, salesEndAt: TIMES.startsAt },
      'SALES_WINDOW_EMPTY',
    ],
    [
      'another currency than the others',
      { price: { amount: 1, currency: 'USD' } },
      'CURRENCY_MIXED',
    ],
  ])('is refused with %s, and so is the change to it', async (_, input, reason) => {
    const id = await published();
    await addType(id, { name: 'First' });
    const { done } = await addType(id, { name: 'Second' });
    const before = await read(id, reader);
    for (const { refusal } of [await addType(id, input), await updateType(done.id, input)])
      expect(refusal).toMatchObject({ code: 'VALIDATION', reason });
    expect(await read(id, reader)).toEqual(before);
  });

  it('can change its currency while it is the only type', async () => {
    const id = await published();
    const first = (await addType(id)).done;
    const price = { amount: 5, currency: 'CHF' };
    expect((await updateType(first.id, { price })).done.price).toEqual(price);
    expect((await addType(id)).refusal).toMatchObject({ reason: 'CURRENCY_MIXED' });
  });

  it('has one currency also under concurrent creation', async () => {
    const id = await published();
    const responses = await Promise.all(
      ['EUR', 'CHF', 'EUR', 'CHF'].map((currency) =>
        addType(id, { price: { amount: 1, currency } }),
      ),
    );
    const currencies = responses.flatMap(({ done }) => done?.price.currency ?? []);
    expect(new Set(currencies).size).toBe(1);
    expect(currencies).toHaveLength(2);
  });

  it('rejects a quantity below the sold tickets', async () => {
    const id = await published();
    const { done } = await addType(id, { quantity: 10 });
    await sell(done.id, 4);
    const below = await updateType(done.id, { quantity: 3, name: 'Fewer' });
    expect(below.refusal).toEqual({ code: 'CONFLICT', reason: 'QUANTITY_BELOW_SOLD', taken: 4 });
    expect((await read(id)).ticketTypes[0].name).toBe('Standard');
    expect((await updateType(done.id, { quantity: 4 })).done).toMatchObject({
      quantity: 4,
      sold: 4,
      left: 0,
      saleState: 'SOLD_OUT',
    });
  });

  it('is not sold and only visible to staff if it is inactive', async () => {
    const id = await published();
    const { done } = await addType(id, { quantity: 10 });
    expect((await updateType(done.id, { active: false })).done).toMatchObject({
      left: 0,
      salesOpen: false,
      saleState: 'CLOSED',
      active: false,
    });
    expect((await read(id)).ticketTypes).toEqual([]);
    expect((await readRest(id)).data.event.ticket_types).toEqual([]);
    const { items } = await listedOver(id);
    expect(items).toMatchObject([{ ticket_types: [] }]);
    expect((await read(id, reader)).ticketTypes).toMatchObject([{ id: done.id }]);
    expect((await updateType(done.id, { active: true })).done).toMatchObject({ left: 10 });
    expect((await read(id)).ticketTypes).toMatchObject([{ id: done.id, saleState: 'OPEN' }]);
  });

  it('can be deleted without tickets', async () => {
    const id = await published();
    const { done } = await addType(id);
    expect((await removeType(done.id)).done).toEqual(done);
    expect((await read(id, reader)).ticketTypes).toEqual([]);
  });

  it('cannot be deleted with a ticket, even a cancelled one', async () => {
    const id = await published();
    const { done } = await addType(id);
    const { id: orderId } = await order(id);
    await app.database.pool.query(
      `INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, amount, unit_price)
       VALUES ($1, 'T-1', $2, $3, $4, 0, 'cancelled', 'Gisa', 0, 0)`,
      [v7(), orderId, id, done.id],
    );
    expect((await removeType(done.id)).refusal).toEqual({
      code: 'CONFLICT',
      reason: 'TICKET_TYPE_IN_USE',
    });
    expect((await read(id)).ticketTypes).toMatchObject([{ id: done.id }]);
  });

  it('returns the state of its sale', async () => {
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
    const id = await draft({ capacity: 3 });
    const window = { salesStartAt: at(10).toISOString(), salesEndAt: at(20).toISOString() };
    const { done } = await addType(id, window);
    await addType(id, { name: 'Always', position: 9 });
    const statesAt = async (minutes: number) => {
      app.clock.now = at(minutes);
      const { ticketTypes } = await read(id, reader);
      return ticketTypes.map(({ saleState }: { saleState: string }) => saleState);
    };
    expect(await statesAt(10)).toEqual(['NOT_YET', 'NOT_YET']);
    app.clock.now = NOW;
    await publish(id);
    expect(await statesAt(9)).toEqual(['NOT_YET', 'OPEN']);
    expect(await statesAt(10)).toEqual(['OPEN', 'OPEN']);
    await sell(done.id, 3);
    expect(await statesAt(19)).toEqual(['SOLD_OUT', 'SOLD_OUT']);
    expect(await statesAt(20)).toEqual(['CLOSED', 'SOLD_OUT']);
  });
});

describe('the number of sold tickets', () => {
  it('is visible only with events:read', async () => {
    const id = await published({ capacity: 9 });
    const { done } = await addType(id, { quantity: 5 });
    await sell(done.id, 2);
    const secret = {
      taken: null,
      ticketTypes: [{ left: 3, quantity: null, sold: null, active: null }],
    };
    const result = { taken: 2, ticketTypes: [{ left: 3, quantity: 5, sold: 2, active: true }] };
    const member = await (await makeMember(app)).signedIn();
    for (const as of [{}, member, writer]) expect(await read(id, as)).toMatchObject(secret);
    const frontDesk = { cookie: await app.signIn(STAFF.front_desk) };
    for (const as of [reader, frontDesk]) expect(await read(id, as)).toMatchObject(result);
    expect((await update(id, {}, writer)).done).toMatchObject(secret);
    expect((await updateType(done.id, {}, writer)).done).toMatchObject(secret.ticketTypes[0] ?? {});
  });
});

describe('one event over REST', () => {
  it('is the same as in the list, by id and by slug', async () => {
    const { items } = await listedOver();
    expect(items.length).toBeGreaterThan(5);
    for (const item of items) {
      for (const name of [item.id, item.slug]) {
        const { status, data } = await readRest(String(name));
        expect(status).toBe(200);
        expect(data.event).toEqual(item);
        expect(Object.keys(data.event)).toEqual(Object.keys(item));
      }
    }
  });

  it('returns NOT_FOUND for an unknown slug', async () => {
    const unknown = await readRest('none');
    expect(unknown).toEqual({ status: 404, data: 'No such event.' });
    for (const name of [v7(), 'x'.repeat(300), '%F0%9F%92%A9']) {
      expect(await readRest(name)).toEqual(unknown);
    }
    expect((await app.rest('/public/events/none?x=1')).status).toBe(400);
  });
});

async function listedOver(id?: string) {
  const { body } = await app.rest('/public/events?limit=100');
  const { events } = body.data as { events: Record<string, unknown>[] };
  return { items: id ? events.filter((event) => event.id === id) : events };
}
