import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { system, type Viewer } from '../../../src/auth/viewer.ts';
import { bookingList } from '../../../src/features/bookings/service/list-bookings.ts';
import type { Credential } from '../../support/clients/api.ts';
import {
  BOOKING_FIELDS,
  type Filter,
  fetchAllByGraphql,
  fetchAllByRest,
  toRestFormat,
} from '../../support/clients/lists.ts';
import { PASSWORD } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let reader: Credential;
let ben: Credential;
let benId: string;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('bookings:read') };
  const member = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  benId = member.id;
  await app.ctx.db.user.create({
    data: {
      name: member.name,
      email: member.email,
      memberId: member.id,
      passwordHash: await hashPassword(PASSWORD),
    },
  });
  ben = { cookie: await app.signIn('ben@example.org') };
});
afterAll(() => app.stop());

const apis = [
  ['REST', fetchAllByRest],
  ['GraphQL', fetchAllByGraphql],
] as const;

async function mixing() {
  return app.ctx.db.booking.findFirstOrThrow({
    where: { title: 'Mixing', startsAt: new Date('2026-03-17T08:30:00Z') },
    include: { resource: true, location: true },
  });
}

describe.each(apis)('bookings through %s', (_, walk) => {
  const toIds = async (filter: Filter, as = reader) =>
    (await walk(app, { list: 'bookings', filter, limit: 100, as })).items.map(({ id }) => id);

  it('return all fields', async () => {
    const { id, resource, location, createdAt } = await mixing();
    const filter = { from: '2026-03-17T08:30:00.000Z', to: '2026-03-17T08:30:00.001Z' };
    const { items } = await walk(app, { list: 'bookings', filter, limit: 100, as: reader });
    expect(items.find((item) => item.id === id)).toEqual({
      id,
      status: 'confirmed',
      title: 'Mixing',
      notes: null,
      starts_at: '2026-03-17T08:30:00.000Z',
      ends_at: '2026-03-17T10:00:00.000Z',
      resource: { id: resource.id, name: 'Atelier' },
      location: { id: location.id, name: 'Foyer Kreuzberg', time_zone: 'Europe/Berlin' },
      member: { id: benId, name: 'Ben Okafor' },
      guest: null,
      price: { amount: 5700, currency: 'EUR' },
      payment: expect.objectContaining({
        status: 'paid',
        due: { amount: 5700, currency: 'EUR' },
        open: { amount: 0, currency: 'EUR' },
      }),
      series_id: null,
      checked_in_at: null,
      cancellation: null,
      created_at: createdAt.toISOString(),
    });
  });

  it('include the guest and their address, if any', async () => {
    const { items } = await walk(app, { list: 'bookings', filter: {}, limit: 100, as: reader });
    const guests = items.filter(({ member }) => member === null).map(({ guest }) => guest);
    expect(guests).toContainEqual({ name: 'Ruth Abernathy', email: 'ruth@example.com' });
    expect(guests).toContainEqual({ name: 'Haruto Mori', email: null });
  });

  it('match a half-open range that they overlap', async () => {
    const { id, resourceId } = await mixing();
    const found = async (from: string | undefined, to?: string) =>
      (await toIds({ resourceId, from, to })).includes(id);
    expect(await found('2026-03-17T09:59:59.999Z')).toBe(true);
    expect(await found('2026-03-17T10:00:00.000Z')).toBe(false);
    expect(await found(undefined, '2026-03-17T08:30:00.001Z')).toBe(true);
    expect(await found(undefined, '2026-03-17T08:30:00.000Z')).toBe(false);
    expect(await found('2026-03-17T09:00:00.000Z', '2026-03-17T09:00:00.001Z')).toBe(true);
  });

  it('accept times with a UTC offset', async () => {
    const { id, resourceId } = await mixing();
    const span = { from: '2026-03-17T09:30:00+01:00', to: '2026-03-17T09:31:00+01:00' };
    expect(await toIds({ resourceId, ...span })).toEqual([id]);
  });

  it('are empty for unknown ids', async () => {
    expect(await toIds({ resourceId: v7() })).toEqual([]);
    expect(await toIds({ locationId: v7() })).toEqual([]);
    expect(await toIds({ memberId: v7() })).toEqual([]);
  });

  it('are limited to their own for a member', async () => {
    const own = await app.ctx.db.booking.findMany({ where: { memberId: benId } });
    const ownIds = own.map(({ id }) => id).sort();
    expect(ownIds.length).toBeGreaterThan(10);
    expect((await toIds({}, ben)).sort()).toEqual(ownIds);
    expect((await toIds({ memberId: benId }, ben)).sort()).toEqual(ownIds);
    const other = await app.ctx.db.booking.findFirstOrThrow({
      where: { memberId: { not: benId } },
    });
    expect(await toIds({ memberId: other.memberId ?? '' }, ben)).toEqual([]);
    expect(await toIds({ resourceId: other.resourceId }, ben)).not.toContain(other.id);
  });

  it('continue after the cursor when others are added or removed before it', async () => {
    const page = async (cursor?: string) => {
      const position = cursor ? { cursor, after: cursor } : {};
      return walk === fetchAllByRest ? restPage(position.cursor) : graphqlPage(position.after);
    };
    const before = await page();
    const second = await page(before.next);
    const earliest = before.ids[0] ?? '';
    const { resourceId, locationId, startsAt } = await app.ctx.db.booking.findUniqueOrThrow({
      where: { id: earliest },
    });
    const added = await app.ctx.db.booking.create({
      data: {
        resourceId,
        locationId,
        guestName: 'Early Bird',
        startsAt: new Date(startsAt.getTime() - 7_200_000),
        endsAt: new Date(startsAt.getTime() - 3_600_000),
        occupiedUntil: new Date(startsAt.getTime() - 3_600_000),
      },
    });
    expect(await page(before.next)).toEqual(second);
    await app.ctx.db.booking.delete({ where: { id: added.id } });
  });
});

async function restPage(cursor?: string) {
  const search = cursor === undefined ? '' : `&cursor=${cursor}`;
  const { body } = await app.rest(`/bookings?limit=5${search}`, reader);
  const data = body.data as {
    bookings: { id: string }[];
    pagination: { next_cursor: string };
  };
  return { ids: data.bookings.map(({ id }) => id), next: data.pagination.next_cursor };
}

async function graphqlPage(after?: string) {
  const { data } = await app.graphql(
    'query ($after: String) { bookings(first: 5, after: $after) { edges { node { id } } pageInfo { endCursor } } }',
    { after },
    reader,
  );
  return {
    ids: data.bookings.edges.map(({ node }: { node: { id: string } }) => node.id),
    next: data.bookings.pageInfo.endCursor,
  };
}

describe('a page of bookings', () => {
  it('has 50 items by default and 1 to 100 on request', async () => {
    const lengths = await Promise.all(
      ['', '?limit=1', '?limit=100', '?limit=037'].map(async (query) => {
        const { body } = await app.rest(`/bookings${query}`, reader);
        const { bookings, pagination } = body.data as {
          bookings: object[];
          pagination: { limit: number };
        };
        return [bookings.length, pagination.limit];
      }),
    );
    expect(lengths).toEqual([
      [50, 50],
      [1, 1],
      [100, 100],
      [37, 37],
    ]);
    const { data } = await app.graphql('{ bookings { edges { cursor } } }', {}, reader);
    expect(data.bookings.edges).toHaveLength(50);
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '', 'ten', '99999'])(
    'cannot be %p long',
    async (limit) => {
      const rest = await app.rest(`/bookings?limit=${limit}`, reader);
      expect([rest.status, rest.body.data]).toEqual([400, 'limit: must be a number from 1 to 100']);
      if (!/^-?\d+$/.test(limit)) return;
      const text = `{ bookings(first: ${limit}) { edges { cursor } } }`;
      expect((await app.graphql(text, {}, reader)).codes).toEqual(['BAD_REQUEST']);
    },
  );

  it.each([
    ['resource_id=12', 'resource_id'],
    ['location_id=', 'location_id'],
    ['member_id=x%00', 'member_id'],
    ['status=done', 'status'],
    ['status=CONFIRMED', 'status'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['to=2026-03-18', 'to'],
    ['to=2026-03-18T10:00:00', 'to'],
    ['cursor=', 'cursor'],
    ['resource=atelier', 'resource'],
  ])('is rejected for ?%s, and the error names %s', async (query, name) => {
    const { status, body } = await app.rest(`/bookings?${query}`, reader);
    expect(status).toBe(400);
    expect(body.data).toContain(name);
  });

  it.each([
    ['resourceId: "12"', 'VALIDATION'],
    ['status: DONE', 'BAD_REQUEST'],
    ['from: "2026-02-30T00:00:00Z"', 'BAD_REQUEST'],
    ['to: "2026-03-18"', 'BAD_REQUEST'],
    ['resource: "atelier"', 'BAD_REQUEST'],
  ])('is rejected by GraphQL for { %s }', async (filter, code) => {
    const text = `{ bookings(filter: { ${filter} }) { edges { cursor } } }`;
    expect((await app.graphql(text, {}, reader)).codes).toEqual([code]);
  });

  it.each([
    ['of no list at all', 'nonsense'],
    ['of a list by name', cursor('Atelier', v7())],
    ['without an id', cursor('2026-03-17T08:30:00.000Z', '')],
    ['of a day that does not exist', cursor('2026-02-30T00:00:00.000Z', v7())],
  ])('is rejected for a cursor %s', async (_, cursor) => {
    const rest = await app.rest(`/bookings?cursor=${cursor}`, reader);
    const message = 'must be a cursor of this list in the same order. Omit it to start over.';
    expect([rest.status, rest.body.data]).toEqual([400, `cursor ${message}`]);
    const text = `{ bookings(after: "${cursor}") { edges { cursor } } }`;
    const { errors } = await app.graphql(text, {}, reader);
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', reason: 'BAD_CURSOR' });
    expect(errors[0]?.message).toBe(`after ${message}`);
  });
});

function cursor(key: string, id: string): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url');
}

describe('one booking', () => {
  const send = (id: string, as: Credential) =>
    app.graphql(`query ($id: ID!) { booking(id: $id) { ${BOOKING_FIELDS} } }`, { id }, as);

  it('equals its entry in the list', async () => {
    const { id } = await mixing();
    const { items } = await fetchAllByRest(app, {
      list: 'bookings',
      filter: {},
      limit: 100,
      as: reader,
    });
    const { data } = await send(id, reader);
    expect(toRestFormat(data.booking)).toEqual(items.find((item) => item.id === id));
    expect((await send(id, ben)).data.booking.id).toBe(id);
  });

  it("returns 404 for another member's booking", async () => {
    const { id } = await app.ctx.db.booking.findFirstOrThrow({
      where: { memberId: { not: benId } },
    });
    for (const unseen of [id, v7(), 'no id']) {
      const { errors } = await send(unseen, ben);
      expect(errors.map(({ message, extensions }) => [message, extensions])).toEqual([
        ['No such booking.', { code: 'NOT_FOUND', reason: 'NOT_FOUND' }],
      ]);
    }
  });

  it('returns details of its member and resource only with their scopes', async () => {
    const { id } = await mixing();
    const text = `{ booking(id: "${id}") { member { name email } resource { name amenities } } }`;
    const { errors } = await app.graphql(text, {}, reader);
    expect(errors.map(({ extensions }) => extensions.scope)).toEqual([
      'members:read',
      'spaces:read',
    ]);
    const all = { token: await app.token('bookings:read', 'members:read', 'spaces:read') };
    expect((await app.graphql(text, {}, all)).data.booking).toEqual({
      member: { name: 'Ben Okafor', email: 'ben@example.org' },
      resource: { name: 'Atelier', amenities: ['screen', 'whiteboard', 'daylight'] },
    });
  });
});

test('the bookings of a period are searched week by week only for those who see all of them', () => {
  const getWeeks = (viewer: Viewer) =>
    bookingList.getWeeks({ from: new Date(), locationId: v7() }, { viewer }, 'CREATED_AT');
  expect(getWeeks(system)).toMatchObject({ column: 'starts_at' });
  expect(getWeeks({ kind: 'member', id: v7(), name: 'Ben', sessionId: v7() })).toBeNull();
});
