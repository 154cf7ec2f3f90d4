import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { createEventEditor, TIMES } from '../../support/factories/event-editor.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let events: Awaited<ReturnType<typeof createEventEditor>>;
let writer: Credential;
let reader: Credential;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('events:write') };
  reader = { token: await app.token('events:read') };
  events = await createEventEditor(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

describe('a ticket type', () => {
  it('returns all its fields', async () => {
    const id = await events.published({ capacity: 50 });
    const input = {
      name: 'Early bird',
      description: 'For the quick',
      price: { amount: 900, currency: 'CHF' },
      quantity: 5,
      salesStartAt: '2026-03-01T00:00:00.000Z',
      salesEndAt: '2026-04-01T00:00:00.000Z',
      maxPerOrder: 2,
      audience: 'MEMBERS',
      position: 7,
    };
    const { done } = await events.addType(id, input);
    expect(done).toEqual({
      ...input,
      id: done.id,
      left: 5,
      reservedCount: 0,
      sold: 0,
      salesOpen: true,
      saleState: 'OPEN',
      active: true,
    });
    expect((await events.read(id, reader)).ticketTypes).toEqual([done]);
  });

  it('is public, limited by the event and last by default', async () => {
    const id = await events.published({ capacity: 50 });
    await events.addType(id, { position: 3 });
    expect((await events.addType(id, { name: 'Second' })).done).toMatchObject({
      position: 4,
      quantity: null,
      left: 50,
      maxPerOrder: 10,
      audience: 'PUBLIC',
      salesStartAt: null,
      salesEndAt: null,
    });
    const names = (await events.read(id)).ticketTypes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Standard', 'Second']);
  });

  it('keeps omitted fields, and null clears optional fields', async () => {
    const id = await events.published();
    const window = {
      salesStartAt: '2026-03-01T00:00:00.000Z',
      salesEndAt: '2026-04-01T00:00:00.000Z',
    };
    const { done } = await events.addType(id, { description: 'A', quantity: 5, ...window });
    const price = { amount: 1500, currency: 'EUR' };
    expect((await events.updateType(done.id, { price, name: null, active: null })).done).toEqual({
      ...done,
      price,
    });
    const nothing = { description: null, quantity: null, salesStartAt: null, salesEndAt: null };
    expect((await events.updateType(done.id, nothing)).done).toEqual({
      ...done,
      price,
      ...nothing,
      left: null,
    });
  });

  it.each([
    ['a blank name', { name: '' }, 'INVALID_INPUT'],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }, 'INVALID_INPUT'],
    ['a quantity of zero', { quantity: 0 }, 'INVALID_INPUT'],
    ['a maximum of zero per order', { maxPerOrder: 0 }, 'INVALID_INPUT'],
    ['too high a maximum per order', { maxPerOrder: 101 }, 'INVALID_INPUT'],
    ['a negative position', { position: -1 }, 'INVALID_INPUT'],
    [
      'a sale that ends at its start',
      { salesStartAt: TIMES.startsAt, salesEndAt: TIMES.startsAt },
      'SALES_WINDOW_EMPTY',
    ],
    [
      'another currency than the others',
      { price: { amount: 1, currency: 'USD' } },
      'CURRENCY_MIXED',
    ],
  ])('is rejected with %s, as is an update to it', async (_, input, reason) => {
    const id = await events.published();
    await events.addType(id, { name: 'First' });
    const { done } = await events.addType(id, { name: 'Second' });
    const before = await events.read(id, reader);
    for (const { error } of [
      await events.addType(id, input),
      await events.updateType(done.id, input),
    ])
      expect(error).toMatchObject({ code: 'VALIDATION', reason });
    expect(await events.read(id, reader)).toEqual(before);
  });

  it('can change its currency while it is the only type', async () => {
    const id = await events.published();
    const first = (await events.addType(id)).done;
    const price = { amount: 5, currency: 'CHF' };
    expect((await events.updateType(first.id, { price })).done.price).toEqual(price);
    expect((await events.addType(id)).error).toMatchObject({ reason: 'CURRENCY_MIXED' });
  });

  it('has one currency also under concurrent creation', async () => {
    const id = await events.published();
    const responses = await Promise.all(
      ['EUR', 'CHF', 'EUR', 'CHF'].map((currency) =>
        events.addType(id, { price: { amount: 1, currency } }),
      ),
    );
    const currencies = responses.flatMap(({ done }) => done?.price.currency ?? []);
    expect(new Set(currencies).size).toBe(1);
    expect(currencies).toHaveLength(2);
  });

  it('rejects a quantity below the sold tickets', async () => {
    const id = await events.published();
    const { done } = await events.addType(id, { quantity: 10 });
    await events.sell(done.id, 4);
    const below = await events.updateType(done.id, { quantity: 3, name: 'Fewer' });
    expect(below.error).toMatchObject({
      code: 'CONFLICT',
      reason: 'QUANTITY_BELOW_SOLD',
      taken: 4,
    });
    expect((await events.read(id)).ticketTypes[0].name).toBe('Standard');
    expect((await events.updateType(done.id, { quantity: 4 })).done).toMatchObject({
      quantity: 4,
      reservedCount: 4,
      left: 0,
      saleState: 'SOLD_OUT',
    });
  });

  it('is not sold and only visible to staff if it is inactive', async () => {
    const id = await events.published();
    const { done } = await events.addType(id, { quantity: 10 });
    expect((await events.updateType(done.id, { active: false })).done).toMatchObject({
      left: 0,
      salesOpen: false,
      saleState: 'CLOSED',
      active: false,
    });
    expect((await events.read(id)).ticketTypes).toEqual([]);
    expect((await events.readRest(id)).data.event.ticket_types).toEqual([]);
    const { items } = await listedOver(id);
    expect(items).toMatchObject([{ ticket_types: [] }]);
    expect((await events.read(id, reader)).ticketTypes).toMatchObject([{ id: done.id }]);
    expect((await events.updateType(done.id, { active: true })).done).toMatchObject({ left: 10 });
    expect((await events.read(id)).ticketTypes).toMatchObject([{ id: done.id, saleState: 'OPEN' }]);
  });

  it('can be deleted without tickets', async () => {
    const id = await events.published();
    const { done } = await events.addType(id);
    expect((await events.removeType(done.id)).done).toBe(done.id);
    expect((await events.read(id, reader)).ticketTypes).toEqual([]);
  });

  it('cannot be deleted with a ticket, even a cancelled one', async () => {
    const id = await events.published();
    const { done } = await events.addType(id);
    const { id: orderId } = await events.order(id);
    await app.database.pool.query(
      `INSERT INTO tickets (id, code, order_id, event_id, ticket_type_id, position, status, attendee_name, amount, unit_price)
       VALUES ($1, 'T-1', $2, $3, $4, 0, 'cancelled', 'Gisa', 0, 0)`,
      [v7(), orderId, id, done.id],
    );
    expect((await events.removeType(done.id)).error).toEqual({
      code: 'CONFLICT',
      reason: 'TICKET_TYPE_IN_USE',
    });
    expect((await events.read(id)).ticketTypes).toMatchObject([{ id: done.id }]);
  });

  it('returns the state of its sale', async () => {
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
    const id = await events.draft({ capacity: 3 });
    const window = { salesStartAt: at(10).toISOString(), salesEndAt: at(20).toISOString() };
    const { done } = await events.addType(id, window);
    await events.addType(id, { name: 'Always', position: 9 });
    const getStates = async (minutes: number) => {
      app.clock.now = at(minutes);
      const { ticketTypes } = await events.read(id, reader);
      return ticketTypes.map(({ saleState }: { saleState: string }) => saleState);
    };
    expect(await getStates(10)).toEqual(['NOT_YET', 'NOT_YET']);
    app.clock.now = NOW;
    await events.publish(id);
    expect(await getStates(9)).toEqual(['NOT_YET', 'OPEN']);
    expect(await getStates(10)).toEqual(['OPEN', 'OPEN']);
    await events.sell(done.id, 3);
    expect(await getStates(19)).toEqual(['SOLD_OUT', 'SOLD_OUT']);
    expect(await getStates(20)).toEqual(['CLOSED', 'SOLD_OUT']);
  });
});

describe('the number of sold tickets', () => {
  it('is visible only with events:read', async () => {
    const id = await events.published({ capacity: 9 });
    const { done } = await events.addType(id, { quantity: 5 });
    await events.sell(done.id, 2);
    const secret = {
      reservedCount: null,
      ticketTypes: [{ left: 3, quantity: null, reservedCount: null, sold: null, active: null }],
    };
    const result = {
      reservedCount: 2,
      ticketTypes: [{ left: 3, quantity: 5, reservedCount: 2, sold: 2, active: true }],
    };
    const member = await (await makeMember(app)).signedIn();
    for (const as of [{}, member, writer]) expect(await events.read(id, as)).toMatchObject(secret);
    const frontDesk = { cookie: await app.signIn(STAFF.front_desk) };
    for (const as of [reader, frontDesk]) expect(await events.read(id, as)).toMatchObject(result);
    expect((await events.update(id, {}, writer)).done).toMatchObject(secret);
    expect((await events.updateType(done.id, {}, writer)).done).toMatchObject(
      secret.ticketTypes[0] ?? {},
    );
  });
});

async function listedOver(id?: string) {
  const { body } = await app.rest('/public/events?limit=100');
  const { events } = body.data as { events: Record<string, unknown>[] };
  return { items: id ? events.filter((event) => event.id === id) : events };
}
