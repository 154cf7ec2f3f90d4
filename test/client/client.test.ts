import { jest } from '@jest/globals';
import { parse, print } from 'graphql';
import {
  booking,
  bookings,
  cancelBooking,
  createBooking,
  createMember,
  members,
} from '../../packages/client/src/generated/operations.ts';
import {
  type Client,
  createClient,
  FoyerError,
  isFoyerError,
} from '../../packages/client/src/index.ts';
import { printDocument } from '../../packages/client/src/print-document.ts';
import { listClientOperations } from '../../prisma/scripts/client-operations.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let foyer: Client;
const send = jest.fn(fetch);

beforeAll(async () => {
  app = await startApp();
  foyer = createClient({ url: `${app.url}/`, token: await app.token('*'), fetch: send });
});
beforeEach(() => {
  send.mockClear();
});
afterAll(() => app.stop());

const catchError = (promise: Promise<unknown>): Promise<FoyerError> =>
  promise.then(
    () => Promise.reject(new Error('the request succeeded')),
    (error) => error,
  );

const UNKNOWN_ID = '019d0000-0000-7000-8000-000000000000';

describe('REST', () => {
  it('reads objects and lists', async () => {
    const { bookings, pagination } = await foyer.rest.listBookings({
      status: ['confirmed', 'cancelled'],
      limit: 2,
    });
    expect(pagination).toEqual({ limit: 2, next_cursor: expect.any(String) });
    const [first] = bookings;
    if (!first) throw new Error('no booking');
    expect(await foyer.rest.getBooking({ id: first.id })).toEqual({ booking: first });
    expect((await foyer.rest.listPublicEvents()).events).not.toHaveLength(0);
  });

  it('iterates over all items of a list, page by page', async () => {
    const titles = new Set<string>();
    for await (const { id } of foyer.rest.listBookings.each({ limit: 3 })) titles.add(id);
    const count = await app.ctx.db.booking.count();
    expect(titles.size).toBe(count);
    expect(send).toHaveBeenCalledTimes(Math.ceil(count / 3));
  });

  it('fetches no further page after the loop has ended', async () => {
    let seen = 0;
    for await (const { id } of foyer.rest.listBookings.each({ limit: 3 })) {
      expect(id).toEqual(expect.any(String));
      seen += 1;
      if (seen === 4) break;
    }
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('creates and cancels a booking, with parameters of path and body in one object', async () => {
    const { id } = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
    const day = new Date(app.clock.now.getTime() + 7 * 86_400_000).toISOString();
    const { slots } = await foyer.rest.getResourceAvailability({
      id,
      from: day,
      to: new Date(Date.parse(day) + 86_400_000).toISOString(),
      minutes: 60,
    });
    const [slot] = slots;
    if (!slot) throw new Error('no free slot');
    const { booking } = await foyer.rest.createBooking({
      resource_id: id,
      starts_at: slot.starts_at,
      ends_at: slot.ends_at,
      guest: { name: 'Greta Holm', email: 'greta@example.org' },
    });
    expect(booking.guest?.name).toBe('Greta Holm');
    const cancelled = await foyer.rest.cancelBooking({ id: booking.id, reason: 'Ill' });
    expect(cancelled.booking).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'Ill' },
    });
  });

  it('downloads files', async () => {
    const file = await foyer.rest.listPublicEventsIcs();
    expect(file.type).toMatch(/^text\/calendar/);
    expect(await file.text()).toContain('BEGIN:VCALENDAR');
  });

  it('rejects a path without its parameter, and escapes parameters', async () => {
    await expect(foyer.rest.getBooking({ id: '' })).rejects.toThrow('id is missing');
    expect(send).not.toHaveBeenCalled();
    await catchError(foyer.rest.getPublicEvent({ id_or_slug: '../members?x=1' }));
    expect(String(send.mock.calls[0]?.[0])).toBe(`${app.url}/public/events/..%2Fmembers%3Fx%3D1`);
  });
});

describe('GraphQL', () => {
  it('sends the id of a document that has one, and its text if the service does not know it', async () => {
    const document = { toString: () => '{ viewer { kind } }', __meta__: { id: 'viewer-kind' } };
    expect(await foyer.query(document)).toEqual({ viewer: { kind: 'TOKEN' } });
    const bodies = send.mock.calls.map(([, init]) => JSON.parse(String(init?.body)));
    expect(bodies).toEqual([{ documentId: 'viewer-kind' }, { query: '{ viewer { kind } }' }]);
  });

  it('throws what the service says before it reads the query', async () => {
    const busy = new Response('{ "success": false, "data": "Too busy." }', { status: 503 });
    const overloaded = createClient({ url: app.url, retries: 0, fetch: async () => busy });
    const error = await catchError(overloaded.query('{ viewer { kind } }'));
    expect(error).toMatchObject({ code: 'INTERNAL', message: 'Too busy.', status: 503 });
  });

  it('runs the generated queries and mutations', async () => {
    const { createMember: created } = await foyer.mutate(createMember, {
      input: { name: 'Greta Holm', email: 'greta.holm@example.org' },
    });
    const { members: found } = await foyer.query(members, { filter: { q: 'greta.holm@' } });
    expect(found.nodes.map(({ id, email }) => ({ id, email }))).toEqual([
      { id: created.member.id, email: 'greta.holm@example.org' },
    ]);
  });

  it('iterates over the nodes of a list, page by page, also below another object', async () => {
    const ids = new Set<string>();
    for await (const { id } of foyer.nodes(bookings, { first: 3 })) ids.add(id);
    const count = await app.ctx.db.booking.count();
    expect(ids.size).toBe(count);
    expect(send).toHaveBeenCalledTimes(Math.ceil(count / 3));

    send.mockClear();
    for await (const _ of foyer.nodes(bookings, { first: 3 })) break;
    expect(send).toHaveBeenCalledTimes(1);

    const { resourceId } = await app.ctx.db.booking.findFirstOrThrow();
    const below = `query ($id: ID!, $after: String) { resource(id: $id) {
      bookings(first: 2, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } } }`;
    const found = new Set<string>();
    for await (const node of foyer.nodes(below, { id: resourceId }))
      found.add((node as { id: string }).id);
    expect(found.size).toBe(await app.ctx.db.booking.count({ where: { resourceId } }));
  });

  it('says what a document lacks if its nodes cannot be iterated', async () => {
    const iterate = async (text: string) => {
      for await (const _ of foyer.nodes(text));
    };
    await expect(iterate('{ viewer { kind } }')).rejects.toThrow('has no list with pages');
    await expect(
      iterate('{ bookings(first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } }'),
    ).rejects.toThrow('Pass the variable $after');
  });

  it('accepts texts, parsed documents and documents of code generators', async () => {
    const text = '{ viewer { kind } }';
    const viewer = { viewer: { kind: 'TOKEN' } };
    expect(await foyer.query(text)).toEqual(viewer);
    expect(await foyer.query(parse(text, { noLocation: true }))).toEqual(viewer);
    expect(await foyer.query({ toString: () => text })).toEqual(viewer);
  });

  it('prints parsed documents with the same meaning', () => {
    const texts = [
      ...listClientOperations().map(({ text }) => text),
      'query A($a: [ID!]! = ["\\u0000\\"\\n"], $b: F = { x: -1.5e3, y: [E null true], z: {} } @d) @d(a: [$a]) { __typename }',
      'subscription { a: b(c: """ block "text" """) { ...F @skip(if: true) ... on T @d { x } ... { y } } } fragment F on T @d { z }',
      'mutation { a } query B { b }',
    ];
    for (const text of texts) {
      const document = parse(text, { noLocation: true });
      expect(print(parse(printDocument(document)))).toBe(print(withoutBlocks(document)));
    }
  });
});

/** Block strings are another notation of the same value. */
const withoutBlocks = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (key, member) => (key === 'block' ? false : member)));

describe('errors', () => {
  it('have the same class, code, reason and fields in both APIs', async () => {
    const taken = { name: 'Ben', email: 'ben@example.org' };
    const errors = [
      await catchError(foyer.rest.createMember(taken)),
      await catchError(foyer.mutate(createMember, { input: taken })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(FoyerError);
      expect(error).toMatchObject({
        reason: 'TAKEN',
        code: 'CONFLICT',
        message: expect.stringMatching(/\w/),
        requestId: expect.stringMatching(/\w/),
        retryAfter: null,
      });
      expect(error.fields.map(({ field }) => field)).toEqual(['email']);
      expect(isFoyerError(error)).toBe(true);
      expect(isFoyerError(error, 'TAKEN')).toBe(true);
      expect(isFoyerError(error, 'SLOT_TAKEN')).toBe(false);
    }
    expect(errors.map(({ status }) => status)).toEqual([422, 200]);
    expect(isFoyerError(new Error('TAKEN'))).toBe(false);
  });

  it('have the details of the reason', async () => {
    const limited = createClient({ url: app.url, token: await app.token('events:read') });
    const inRest = await catchError(limited.rest.listBookings());
    const inGraphql = await catchError(limited.query(bookings));
    for (const { code, reason, details } of [inRest, inGraphql])
      expect([code, reason, details.scopes]).toEqual([
        'FORBIDDEN',
        'MISSING_SCOPE',
        ['bookings:read'],
      ]);
    expect(inGraphql.details.path).toEqual(['bookings']);
    expect(await catchError(foyer.query(booking, { id: UNKNOWN_ID }))).toMatchObject({
      code: 'NOT_FOUND',
      details: { path: ['booking'] },
    });
    const unknown = { id: UNKNOWN_ID };
    expect(await catchError(foyer.mutate(cancelBooking, { input: unknown }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await catchError(foyer.rest.getBooking(unknown))).toMatchObject({ status: 404 });
  });

  it('name the fields that the caller sent', async () => {
    expect(await catchError(foyer.rest.listBookings({ limit: 1000 }))).toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field: 'limit' }],
    });
    const input = { resourceId: 'x', startsAt: 'yesterday', endsAt: 'x' };
    expect(await catchError(foyer.mutate(createBooking, { input }))).toMatchObject({
      code: 'BAD_REQUEST',
      fields: expect.arrayContaining([{ field: 'input.endsAt', message: expect.any(String) }]),
    });
  });

  it('say that a response is not from Foyer', async () => {
    const page = new Response('<h1>Sign in to the Wi-Fi</h1>', {
      headers: { 'content-type': 'text/html' },
    });
    const captive = createClient({ url: app.url, fetch: async () => page.clone() });
    for (const request of [captive.query('{ viewer { kind } }'), captive.rest.listPublicEvents()])
      expect(await catchError(request)).toMatchObject({
        code: 'UNEXPECTED_RESPONSE',
        status: 200,
        reason: null,
        cause: '<h1>Sign in to the Wi-Fi</h1>',
      });
  });
});

it('knows errors by their reason or code', () => {
  const error = new FoyerError({ code: 'VALIDATION', message: 'no', reason: 'TAKEN' });
  expect(isFoyerError(error)).toBe(true);
  expect([isFoyerError(error, 'TAKEN'), isFoyerError(error, 'VALIDATION')]).toEqual([true, true]);
  expect([isFoyerError(error, 'CONFLICT'), isFoyerError(error, 'NOT_FOUND')]).toEqual([
    false,
    false,
  ]);
  expect(isFoyerError(new Error('no'), 'VALIDATION')).toBe(false);
});
