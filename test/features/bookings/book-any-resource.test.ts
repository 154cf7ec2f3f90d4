import type { Context } from '../../../src/context.ts';
import { bookAnyResource } from '../../../src/features/bookings/service/book-any-resource.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeMember } from '../../support/factories/people.ts';
import { makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

describe('bookAnyResource', () => {
  const bookAny = async (input: object, as: Credential) => {
    const { data, errors } = await app.graphql(
      `mutation ($input: BookAnyResourceInput!) { bookAnyResource(input: $input) { booking {
        status resource { name } price { amount } member { id } } } }`,
      { input },
      as,
    );
    return { booking: data?.bookAnyResource?.booking, error: errors[0] };
  };
  let nora: Credential;
  let noraId: string;
  beforeAll(async () => {
    const member = await makeMember(app);
    noraId = member.id;
    await app.ctx.db.user.create({
      data: { name: member.name, email: member.email, memberId: member.id },
    });
    nora = { cookie: await app.signIn(member.email) };
  });
  const HOUR = march(19, '10:00', '11:00');

  /** A location with four desks: an expensive one, one that needs approval, and two others, of which one is upstairs. */
  async function makeDesks() {
    const { location, addRoom } = await makeSpace(app);
    const desk = { type: 'desk', hourlyAmount: 300 } as const;
    await addRoom({ ...desk, name: 'Desk A', hourlyAmount: 900 });
    await addRoom({ ...desk, name: 'Desk B', requiresApproval: true });
    await addRoom({ ...desk, name: 'Desk C', area: 'Upstairs' });
    await addRoom({ ...desk, name: 'Desk D' });
    return { locationId: location.id, type: 'DESK', ...HOUR };
  }

  it('evaluates all desks once, however many others take one meanwhile, and tries each desk once', async () => {
    const { location, addRoom } = await makeSpace(app);
    const DESKS = 6;
    for (let n = 0; n < DESKS; n += 1) await addRoom({ type: 'desk', name: `Desk ${n}` });
    const searches: string[] = [];
    const ctx: Context = {
      ...app.ctx,
      pipelinedSql: (statement, values) => {
        if (statement.text.includes('r.requires_approval, r.capacity'))
          searches.push(statement.text);
        return app.ctx.pipelinedSql(statement, values);
      },
    };
    const times = { startsAt: new Date(HOUR.startsAt), endsAt: new Date(HOUR.endsAt) };
    const results = await Promise.allSettled(
      Array.from({ length: DESKS + 2 }, (_, n) =>
        bookAnyResource(ctx, {
          ...{ locationId: location.id, type: 'desk', ...times },
          guest: { name: `Guest ${String.fromCharCode(65 + n)}` },
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(DESKS);
    expect(searches).toHaveLength(DESKS + 2);
  });

  it('books the cheapest desk, then one without approval, by name', async () => {
    const input = await makeDesks();
    const booked: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { booking } = await bookAny(input, nora);
      expect(booking.member.id).toBe(noraId);
      booked.push(`${booking.resource.name} ${booking.status} ${booking.price.amount}`);
    }
    expect(booked).toEqual([
      'Desk C CONFIRMED 300',
      'Desk D CONFIRMED 300',
      'Desk B PENDING 300',
      'Desk A CONFIRMED 900',
    ]);
    const { error } = await bookAny(input, nora);
    expect(error?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'SLOT_TAKEN' });
    expect(error?.message).toBe('No desk is free at that time. Choose another time.');
  });

  it('books only what matches area, capacity and price', async () => {
    const input = await makeDesks();
    const upstairs = { ...input, area: 'Upstairs' };
    expect((await bookAny(upstairs, nora)).booking.resource.name).toBe('Desk C');
    expect((await bookAny(upstairs, nora)).error?.extensions.reason).toBe('SLOT_TAKEN');
    const cheap = { ...input, maxPrice: { amount: 299, currency: 'EUR' } };
    expect((await bookAny(cheap, nora)).error?.message).toContain('at this price');
    for (const other of [{ area: 'Cellar' }, { capacity: 40 }, { type: 'EQUIPMENT' }])
      expect((await bookAny({ ...input, ...other }, nora)).error?.extensions.code).toBe(
        'NOT_FOUND',
      );
  });

  it('says which rule no desk allows, and books nothing', async () => {
    const input = await makeDesks();
    const night = march(19, '02:00', '03:00');
    const { error } = await bookAny({ ...input, ...night }, nora);
    expect(error?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason: 'OUTSIDE_OPENING_HOURS',
    });
    const long = { ...input, startsAt: input.endsAt, endsAt: input.startsAt };
    expect((await bookAny(long, nora)).error?.extensions.reason).toBe('ENDS_BEFORE_START');
    expect(await app.ctx.db.booking.count({ where: { locationId: input.locationId } })).toBe(0);
  });

  it('books once for one idempotency key', async () => {
    const input = await makeDesks();
    const token = await app.token('bookings:read', 'bookings:write');
    const query =
      'mutation ($input: BookAnyResourceInput!) { bookAnyResource(input: $input) { booking { id } } }';
    const send = async () => {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': input.locationId,
        },
        body: JSON.stringify({ query, variables: { input: { ...input, guest: { name: 'Gil' } } } }),
      });
      return (await response.json()) as { data: object };
    };
    const first = await send();
    expect((await send()).data).toEqual(first.data);
    expect(await app.ctx.db.booking.count({ where: { locationId: input.locationId } })).toBe(1);
  });
});
