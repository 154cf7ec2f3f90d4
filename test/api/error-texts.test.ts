import { v7 } from 'uuid';
import type { Credential } from '../support/clients/api.ts';
import { buyTickets, makeBuyer, makeEvent, postJson } from '../support/factories/events.ts';
import { bookingCalls, makeSpace, march } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// Errors say what is wrong and what to do next, in the words of the API that was called.

let app: TestApp;
let all: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  all = { token: await app.token('*') };
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const AVAILABILITY = `query ($id: ID!, $minutes: Int, $from: DateTime) {
  availability(resourceId: $id, minutes: $minutes, from: $from) { slots { startsAt } } }`;

it('a date that does not exist is named, by both APIs', async () => {
  const from = '2026-02-30T09:00:00Z';
  const problem = 'must be a date that exists: 2026-02-30 does not';
  const rest = await app.rest(`/bookings?from=${from}`, all);
  expect([rest.status, rest.body.data]).toEqual([400, `from: ${problem}`]);
  const filter = { from };
  const { errors } = await app.graphql(
    'query ($filter: BookingFilter) { bookings(filter: $filter) { edges { cursor } } }',
    { filter },
    all,
  );
  expect(errors).toMatchObject([
    {
      message: `Variable "$filter" is invalid: at "filter.from"; ${problem}.`,
      extensions: {
        reason: 'INVALID_QUERY',
        fields: [{ field: 'filter.from', message: problem }],
      },
    },
  ]);
  const noTime = await app.rest('/bookings?from=2026-02-30T25:00:00Z', all);
  expect(noTime.body.data).toBe('from: must be an RFC 3339 time such as 2026-01-31T09:00:00Z');
});

it('a missing credential: GraphQL says what to send, and REST keeps the text of its contract', async () => {
  const { errors } = await app.graphql('{ members { edges { cursor } } }');
  expect(errors[0]?.message).toMatch(/^Unauthenticated\. Sign in, or send a valid API token/);
  const wrong = await app.graphql('{ viewer { kind } }', {}, { token: 'nonsense' });
  expect(wrong.errors[0]?.message).toBe(errors[0]?.message);
  expect((await app.rest('/members')).body.data).toBe('Unauthenticated.');
});

it('a cursor of another list is called cursor by REST, in every list', async () => {
  for (const list of ['bookings', 'members', 'public/events', 'resources'])
    expect((await app.rest(`/${list}?cursor=nonsense`, all)).body.data).toMatch(
      /^cursor must be a cursor of this list/,
    );
});

it('a check-in without a credential names only the fields that the API has', async () => {
  const { location } = await makeSpace(app);
  const rest = await postJson(app, '/public/check-ins', { location_id: location.id });
  expect([rest.status, rest.body.data]).toEqual([422, 'Specify exactly one code or handle.']);
  const { errors } = await app.graphql(
    'mutation ($input: CheckInInput!) { checkIn(input: $input) { checkIn { result } } }',
    { input: { locationId: location.id } },
    all,
  );
  expect(errors[0]?.message).toContain('Staff can specify memberId or bookingId instead.');
});

it('a length that a resource never has is rejected with its limits', async () => {
  const { room, addRoom } = await makeSpace(app, { minMinutes: 60, maxMinutes: 240 });
  const problem = `bookings of Room last 60 to 240 minutes, in steps of ${room.gridMinutes}`;
  for (const minutes of [30, 300, 61]) {
    const { errors } = await app.graphql(AVAILABILITY, { id: room.id, minutes }, all);
    expect(errors).toMatchObject([
      {
        message: `minutes: ${problem}. Choose such a length.`,
        extensions: { reason: 'INVALID_INPUT', fields: [{ field: 'minutes', message: problem }] },
      },
    ]);
    const rest = await app.rest(`/resources/${room.id}/availability?minutes=${minutes}`, all);
    expect([rest.status, rest.body.data]).toEqual([400, errors[0]?.message]);
  }
  expect((await app.graphql(AVAILABILITY, { id: room.id, minutes: 240 }, all)).errors).toEqual([]);
  // Lists of several resources show those that fit.
  await addRoom();
  const several = await app.graphql(
    'query ($id: ID!) { availability(locationId: $id, minutes: 300) { slots { startsAt } } }',
    { id: room.locationId },
    all,
  );
  expect(several.data.availability).toEqual([{ slots: [] }, { slots: [] }]);
});

it('bookings by the day are described in days', async () => {
  const { room } = await makeSpace(app, {
    ...{ gridMinutes: 1_440, minMinutes: 1_440, maxMinutes: 2_880 },
  });
  const staff = bookingCalls(app, all);
  const book = async (startsAt: string, endsAt: string) =>
    (await staff.preview({ resourceId: room.id, guest: { name: 'Gus' }, startsAt, endsAt })).data
      .previewBooking.reasons as { reason: string; message: string }[];
  const short = await book('2026-03-19T09:00:00Z', '2026-03-19T10:00:00Z');
  expect(short.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'Bookings of Room last at least 1 day.',
      'Bookings of Room start at midnight and last whole days.',
    ]),
  );
  const long = await book('2026-03-18T23:00:00Z', '2026-03-22T23:00:00Z');
  expect(long.map(({ message }) => message)).toContain('Bookings of Room last at most 2 days.');
});

it('a series with conflicts names the ways out', async () => {
  const { room } = await makeSpace(app);
  const staff = bookingCalls(app, all);
  const booking = { resourceId: room.id, guest: { name: 'Gus' }, ...march(19, '10:00', '11:00') };
  await staff.create(booking);
  const { errors } = await staff.series({ ...booking, rule: 'FREQ=WEEKLY;COUNT=2' });
  expect(errors[0]?.message).toMatch(
    /^1 of 2 occurrences are unavailable\..* Choose other times, exclude these dates, or skip them with onConflict\.$/,
  );
});

it('an order for a ticket type without tickets does not say to order fewer', async () => {
  const event = await makeEvent(app, { types: [{ quantity: 2 }] });
  const order = (quantity: number) =>
    postJson(app, `/public/events/${event.id}/orders`, {
      buyer: makeBuyer(),
      items: [{ ticket_type_id: event.type, quantity }],
    });
  await buyTickets(app, event.id, one(event.type));
  expect((await order(2)).body.data).toContain('Order fewer, or join the waiting list.');
  await buyTickets(app, event.id, one(event.type));
  expect((await order(1)).body.data).toMatch(/\(.*: none left\)\. Join the waiting list\.$/);
});

it('a refund of nothing is rejected, unless it cancels tickets', async () => {
  const event = await makeEvent(app, { types: [{ priceAmount: 1_000 }] });
  const { id, tickets } = await buyTickets(app, event.id, one(event.type, 2));
  const refund = (input: object) =>
    app.graphql(
      'mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { order { status } } }',
      { input: { id, ...input } },
      all,
    );
  const message = 'must be at least 1, unless ticketIds names tickets to cancel without a refund';
  expect((await refund({ amount: 0 })).errors[0]?.extensions).toMatchObject({
    code: 'VALIDATION',
    reason: 'INVALID_INPUT',
    fields: [{ field: 'amount', message }],
  });
  expect((await refund({ amount: 0, ticketIds: [tickets[0]?.id] })).errors).toEqual([]);
  expect((await refund({ id: v7(), amount: 1 })).codes).toEqual(['NOT_FOUND']);
});

it.each([
  ['no JSON', '{"query": "{ viewer'],
  ['no query', '{}'],
  ['an empty body', ''],
])('a GraphQL request with %s is answered with 400', async (_, body) => {
  for (const accept of ['application/json', 'application/graphql-response+json', '*/*']) {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body,
    });
    const { errors } = await response.json();
    expect([accept, response.status, errors[0].extensions.code]).toEqual([
      accept,
      400,
      'BAD_REQUEST',
    ]);
  }
});
