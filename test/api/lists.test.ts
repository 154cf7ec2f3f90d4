import fc from 'fast-check';
import { v7 } from 'uuid';
import {
  type Filter,
  fetchAllByGraphql,
  fetchAllByRest,
  type ListQuery,
} from '../support/clients/lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

let app: TestApp;
let token: string;
let owner: string;
let bookings: Awaited<ReturnType<typeof readBookings>>;
let events: Awaited<ReturnType<typeof readEvents>>;

beforeAll(async () => {
  app = await startApp();
  token = await app.token('bookings:read');
  owner = await app.signIn(STAFF.owner);
  bookings = await readBookings();
  events = await readEvents();
});
afterAll(() => app.stop());

const readBookings = () => app.ctx.db.booking.findMany();
const readEvents = () => app.ctx.db.event.findMany();

type Span = { id: string; startsAt: Date; endsAt: Date };

const overlaps = ({ from, to }: Filter, { startsAt, endsAt }: Span) =>
  (from === undefined || endsAt > new Date(from)) && (to === undefined || startsAt < new Date(to));

const sortedIds = (rows: Span[]) =>
  rows
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);

const is = (expected: string | undefined, value: string | null) =>
  expected === undefined || expected === value;

const someBookings = (filter: Filter) =>
  bookings.filter(
    (row) =>
      overlaps(filter, row) &&
      is(filter.resourceId, row.resourceId) &&
      is(filter.locationId, row.locationId) &&
      is(filter.memberId, row.memberId) &&
      is(filter.status, row.status),
  );

/** Searches ignore case and accents. */
const toPlain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const someEvents = (filter: Filter) =>
  events.filter(
    (row) =>
      overlaps(filter, row) &&
      is(filter.locationId, row.locationId) &&
      is(filter.status, row.status) &&
      (filter.tag === undefined || row.tags.includes(filter.tag.toLowerCase())) &&
      toPlain(filter.q ?? '')
        .split(' ')
        .every((word) => toPlain(`${row.title} ${row.summary ?? ''}`).includes(word)),
  );

/** The start and end of every row and a millisecond on either side, where off-by-one errors show. */
const instants = (rows: Span[]) =>
  fc
    .tuple(fc.constantFrom(...rows), fc.constantFrom('startsAt' as const, 'endsAt' as const))
    .chain(([row, edge]) =>
      fc.constantFrom(-1, 0, 1).map((ms) => new Date(row[edge].getTime() + ms).toISOString()),
    );

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Rare, so that combined filters still match something. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const oneOf = (values: (string | null)[]) =>
  fc.constantFrom(...new Set(values.filter((value) => value !== null)), v7());

/** At most eight pages, to keep each run short. */
const pageSize = (minimum: number, count: number) =>
  Math.min(100, Math.max(minimum, Math.ceil(count / 8)));

async function expectWalks(
  expected: Span[],
  query: ListQuery,
  apis = [fetchAllByRest, fetchAllByGraphql],
) {
  const limit = pageSize(query.limit, expected.length);
  const walks = await Promise.all(apis.map((walk) => walk(app, { ...query, limit })));
  for (const { items, pages } of walks) {
    expect(items.map(({ id }) => id)).toEqual(sortedIds(expected));
    expect(pages).toBe(Math.max(1, Math.ceil(expected.length / limit)));
  }
  expect(walks[0]?.items).toEqual(walks.at(-1)?.items);
}

const runs = { numRuns: propertyRuns(8) };

describe('paging through a list returns each match of the filter once, in order', () => {
  it('for bookings, equally in both APIs', async () => {
    const filters = fc.record({
      from: maybe(instants(bookings)),
      to: maybe(instants(bookings)),
      resourceId: seldom(oneOf(bookings.map(({ resourceId }) => resourceId))),
      locationId: seldom(oneOf(bookings.map(({ locationId }) => locationId))),
      memberId: seldom(oneOf(bookings.map(({ memberId }) => memberId))),
      status: seldom(fc.constantFrom('pending', 'confirmed', 'cancelled', 'no_show')),
    });
    await checkProperty(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 100 }), async (filter, limit) => {
        const query = { list: 'bookings' as const, filter, limit, as: { token } };
        await expectWalks(someBookings(filter), query);
      }),
      runs,
    );
  });

  it('for public events, equally in both APIs', async () => {
    const now = app.clock.now.toISOString();
    await checkProperty(
      fc.asyncProperty(eventFilters(), fc.integer({ min: 1, max: 5 }), async (filter, limit) => {
        const from = filter.from === undefined || filter.from < now ? now : filter.from;
        const expected = someEvents({ ...filter, from }).filter(
          ({ status, visibility }) => status === 'published' && visibility === 'public',
        );
        const query = { list: 'events' as const, limit };
        const { items } = await fetchAllByRest(app, { ...query, filter });
        expect(items.map(({ id }) => id)).toEqual(sortedIds(expected));
        await expectWalks(expected, { ...query, filter: { ...filter, from } });
      }),
      runs,
    );
  });

  it('for events as staff see them, including past, draft and cancelled ones', async () => {
    const filters = fc.tuple(
      eventFilters(),
      fc.record({ status: seldom(fc.constantFrom('draft', 'published', 'cancelled')) }),
    );
    await checkProperty(
      fc.asyncProperty(filters, async ([filter, { status }]) => {
        const from = filter.from ?? app.clock.now.toISOString();
        await expectWalks(
          someEvents({ ...filter, status, from }),
          { list: 'events', filter: { ...filter, status }, limit: 3, as: { cookie: owner } },
          [fetchAllByGraphql],
        );
      }),
      runs,
    );
  });
});

const eventFilters = () =>
  fc.record({
    from: maybe(instants(events)),
    to: maybe(instants(events)),
    locationId: seldom(oneOf(events.map(({ locationId }) => locationId))),
    tag: seldom(fc.constantFrom(...events.flatMap(({ tags }) => tags), 'TALK', 'nowhere')),
    q: seldom(fc.constantFrom('night', 'the after', 'BEGINNERS', 'fé', '%', '_', 'no such word')),
  });

describe('cursors of both APIs', () => {
  it('are interchangeable', async () => {
    const rest = await app.rest('/bookings?limit=7', { token });
    const { next_cursor } = (rest.body.data as { pagination: { next_cursor: string } }).pagination;
    const { data } = await app.graphql(
      '{ bookings(first: 7) { pageInfo { endCursor } } }',
      {},
      { token },
    );
    expect(data.bookings.pageInfo.endCursor).toBe(next_cursor);
  });
});
