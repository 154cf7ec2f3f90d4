import { v7 } from 'uuid';
import { hashPassword } from '../../src/auth/passwords.ts';
import { expectErrorEnvelope } from '../support/clients/api.ts';
import { createRestWriter, getData } from '../support/clients/rest-writes.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let writer: Awaited<ReturnType<typeof createRestWriter>>;

beforeAll(async () => {
  app = await startApp();
  writer = await createRestWriter(app);
});
afterAll(() => app.stop());

describe('one booking', () => {
  it('equals its entry in the list', async () => {
    const { bookings } = getData(await app.rest('/bookings?limit=3', writer.all));
    expect(bookings).toHaveLength(3);
    for (const booking of bookings)
      expect(getData(await app.rest(`/bookings/${booking.id}`, writer.all))).toEqual({ booking });
  });

  it('is 404 with the same message for any unknown ID', async () => {
    for (const id of [v7(), 'nonsense', '%20', '1'])
      expectErrorEnvelope(await app.rest(`/bookings/${id}`, writer.all), 404, 'No such booking.');
  });
});

describe('a new booking', () => {
  it('of a member is read back unchanged', async () => {
    const response = await writer.post(
      '/bookings',
      writer.toBooking(0, { member_id: writer.ben.id, title: 'Print' }),
    );
    expect([response.status, getData(response)]).toEqual([201, expect.anything()]);
    const { booking } = getData(response);
    expect(booking).toMatchObject({
      status: 'confirmed',
      title: 'Print',
      starts_at: writer.at(0),
      ends_at: writer.at(0, 1),
      resource: { id: writer.atelier.id, name: 'Atelier' },
      member: { id: writer.ben.id, name: writer.ben.name },
      guest: null,
      series_id: null,
      checked_in_at: null,
      cancellation: null,
    });
    expect(getData(await app.rest(`/bookings/${booking.id}`, writer.all))).toEqual({ booking });
  });

  it('says whether it is paid, alone and in lists, as GraphQL does', async () => {
    const { booking } = getData(
      await writer.post('/bookings', writer.toBooking(13, { guest: { name: 'Pia' } })),
    );
    const { price } = booking;
    expect(price.amount).toBeGreaterThan(0);
    const free = { amount: 0, currency: price.currency };
    const unpaid = { status: 'unpaid', due: price, paid: free, open: price, surplus: free };
    expect(booking.payment).toEqual(unpaid);
    await app.graphql(
      'mutation ($id: ID!) { markBookingPaid(input: { id: $id, method: CASH }) { outcome } }',
      { id: booking.id },
      { token: await app.token('orders:write') },
    );
    const payment = { ...unpaid, status: 'paid', paid: price, open: free };
    expect(getData(await app.rest(`/bookings/${booking.id}`, writer.all))).toMatchObject({
      booking: { payment },
    });
    const to = encodeURIComponent(booking.ends_at);
    const path = `/bookings?from=${encodeURIComponent(booking.starts_at)}&to=${to}&resource_id=${booking.resource.id}`;
    expect(getData(await app.rest(path, writer.all)).bookings).toMatchObject([{ payment }]);
  });

  it('of a guest requires a name but no address', async () => {
    const guest = { name: 'Kim', email: null };
    const { booking } = getData(await writer.post('/bookings', writer.toBooking(1, { guest })));
    expect([booking.guest, booking.member]).toEqual([guest, null]);
    for (const wrong of [{}, { name: ' ' }, { name: 'Kim', email: 'nowhere' }, { name: 'K', x: 1 }])
      expectErrorEnvelope(
        await writer.post('/bookings', writer.toBooking(2, { guest: wrong })),
        422,
      );
  });

  it('has either a member or a guest, not both or neither', async () => {
    const both = { member_id: writer.ben.id, guest: { name: 'Kim' } };
    for (const holder of [{}, both, { member_id: null, guest: null }])
      expectErrorEnvelope(await writer.post('/bookings', writer.toBooking(2, holder)), 422);
  });

  it('is 422 for a booked slot and 404 for an unknown resource', async () => {
    const holder = { member_id: writer.ben.id };
    expect((await writer.post('/bookings', writer.toBooking(3, holder))).status).toBe(201);
    expectErrorEnvelope(await writer.post('/bookings', writer.toBooking(3, holder)), 422);
    expectErrorEnvelope(
      await writer.post('/bookings', writer.toBooking(4, { ...holder, resource_id: v7() })),
      404,
    );
    expectErrorEnvelope(
      await writer.post('/bookings', writer.toBooking(4, { member_id: v7() })),
      404,
    );
    for (const starts_at of ['tomorrow', '2026-05-13', 1, null])
      expectErrorEnvelope(
        await writer.post('/bookings', { ...writer.toBooking(4, holder), starts_at }),
        422,
      );
  });

  it('sent twice concurrently with one key is one booking', async () => {
    const holder = { member_id: writer.ben.id };
    const key = { headers: { 'idempotency-key': v7() } };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => writer.post('/bookings', writer.toBooking(5, holder), key)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map((response) => getData(response).booking.id)).size).toBe(1);
    // Without a key the second request conflicts with the first.
    const apart = await Promise.all(
      [6, 6].map((day) => writer.post('/bookings', writer.toBooking(day, holder))),
    );
    expect(apart.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});

describe('a signed-in member', () => {
  it('books for themselves and cancels only their own bookings', async () => {
    const { name, email } = writer.ben;
    const passwordHash = await hashPassword(PASSWORD);
    await app.ctx.db.user.create({ data: { name, email, memberId: writer.ben.id, passwordHash } });
    const as = { cookie: await app.signIn(email) };
    const { booking } = getData(await writer.post('/bookings', writer.toBooking(10, {}), { as }));
    expect(booking.member).toEqual({ id: writer.ben.id, name });
    const cancelled = await writer.post(`/bookings/${booking.id}/cancel`, {}, { as });
    expect(getData(cancelled).booking.status).toBe('cancelled');
    expectErrorEnvelope(
      await writer.post('/bookings', writer.toBooking(11, { member_id: v7() }), { as }),
      404,
    );
    const guests = getData(
      await writer.post('/bookings', writer.toBooking(11, { guest: { name: 'Kim' } })),
    ).booking;
    const foreign = `/bookings/${guests.id}`;
    expectErrorEnvelope(await app.rest(foreign, as), 404, 'No such booking.');
    expectErrorEnvelope(
      await writer.post(`${foreign}/cancel`, {}, { as }),
      404,
      'No such booking.',
    );
  });
});

describe('a cancelled booking', () => {
  it('has the time and the reason, and is cancelled once', async () => {
    const { booking } = getData(
      await writer.post('/bookings', writer.toBooking(7, { member_id: writer.ben.id })),
    );
    const path = `/bookings/${booking.id}/cancel`;
    const response = await writer.post(path, { reason: 'Flu' });
    expect(response.status).toBe(200);
    expect(getData(response).booking).toEqual({
      ...booking,
      status: 'cancelled',
      cancellation: {
        cancelled_at: app.clock.now.toISOString(),
        reason: 'Flu',
        fee: { amount: expect.any(Number), currency: 'EUR' },
      },
    });
    expectErrorEnvelope(await writer.post(path, {}), 422);
    expectErrorEnvelope(
      await writer.post('/bookings/nonsense/cancel', {}),
      404,
      'No such booking.',
    );
  });

  it('is idempotent with a key', async () => {
    const { booking } = getData(
      await writer.post('/bookings', writer.toBooking(8, { member_id: writer.ben.id })),
    );
    const path = `/bookings/${booking.id}/cancel`;
    const key = { headers: { 'idempotency-key': v7() } };
    const first = await writer.post(path, {}, key);
    expect(first.status).toBe(200);
    expect((await writer.post(path, {}, key)).body).toEqual(first.body);
    // The path is part of the request.
    expectErrorEnvelope(await writer.post(`/bookings/${v7()}/cancel`, {}, key), 422);
  });
});

describe('availability', () => {
  it('lists free slots with their prices', async () => {
    expect(
      (await writer.post('/bookings', writer.toBooking(9, { member_id: writer.ben.id }))).status,
    ).toBe(201);
    const path = `/resources/${writer.atelier.id}/availability?from=${writer.at(9, -1)}&to=${writer.at(9, 4)}&minutes=60`;
    const { slots } = getData(await app.rest(path, writer.all));
    expect(slots.length).toBeGreaterThan(0);
    for (const slot of slots) {
      expect(Object.keys(slot)).toEqual(['starts_at', 'ends_at', 'price']);
      expect(Date.parse(slot.ends_at) - Date.parse(slot.starts_at)).toBe(3_600_000);
      expect(slot.starts_at < writer.at(9, 1) && slot.ends_at > writer.at(9)).toBe(false);
      expect(slot.price).toEqual({ amount: 3800, currency: 'EUR' });
    }
  });

  it('is 400 for an invalid duration and 404 for an unknown resource', async () => {
    const of = (id: string, query: string) =>
      app.rest(`/resources/${id}/availability?${query}`, writer.all);
    const period = `from=${writer.at(0)}&to=${writer.at(0, 9)}`;
    for (const query of [`${period}&minutes=0`, `${period}&minutes=x`])
      expectErrorEnvelope(await of(writer.atelier.id, query), 400);
    for (const id of [v7(), 'nonsense'])
      expectErrorEnvelope(await of(id, period), 404, `No such resource: ${id}.`);
  });
});
