import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let cookie: string;
beforeAll(async () => {
  app = await startApp();
  cookie = await app.signIn(STAFF.owner);
});
afterAll(() => app.stop());

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, ...headers },
    body,
  });
const toBody = (query: string, variables: object = {}) => JSON.stringify({ query, variables });

const MEMBERS = toBody('{ members(first: 1) { nodes { name email } } }');

const REQUESTS: [what: string, status: number, send: () => Promise<Response>][] = [
  ['a query', 200, () => post(MEMBERS)],
  ['a planned query', 200, () => post(MEMBERS)],
  [
    'a query by GET',
    200,
    () => fetch(`${app.url}/graphql?query={viewer{kind}}`, { headers: { cookie } }),
  ],
  [
    'a mutation',
    200,
    () => post(toBody('mutation { cancelBooking(input: { id: "x" }) { booking { id } } }')),
  ],
  ['a query without access', 200, () => post(MEMBERS, { cookie: '' })],
  ['an invalid credential', 401, () => post(MEMBERS, { authorization: 'Bearer nonsense' })],
  ['an invalid query', 200, () => post(toBody('{ nothing }'))],
  [
    'an invalid variable',
    200,
    () => post(toBody('query ($n: Int) { events(first: $n) { nodes { id } } }', { n: 'x' })),
  ],
  ['a query above a limit', 400, () => post(toBody('{ members(first: 101) { nodes { id } } }'))],
  ['an unreadable body', 400, () => post('{')],
  ['a body that is too large', 400, () => post('x'.repeat(300_000))],
  ['an unsupported method', 405, () => fetch(`${app.url}/graphql`, { method: 'DELETE' })],
  ['a request for options', 405, () => fetch(`${app.url}/graphql`, { method: 'OPTIONS' })],
];

describe('no cache stores, and no browser guesses the type of, the response to', () => {
  it.each(REQUESTS)('%s', async (_, status, send) => {
    const { status: actual, headers } = await send();
    expect([actual, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      status,
      'no-store',
      'nosniff',
    ]);
  });
});

describe('streams tell proxies not to buffer or compress', () => {
  const SUBSCRIPTION = toBody('subscription { changes { id } }');

  it.each([
    ['a subscription', 'text/event-stream', SUBSCRIPTION],
    ['a subscription without access', 'text/event-stream', SUBSCRIPTION, ''],
    ['a query that is answered by an event', 'text/event-stream', MEMBERS],
    ['a query that is answered in parts', 'multipart/mixed', MEMBERS],
  ])('%s', async (_, accept, body, session = cookie) => {
    const ending = new AbortController();
    const { headers } = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, cookie: session },
      body,
      signal: ending.signal,
    });
    ending.abort();
    expect(headers.get('content-type')).toMatch(accept);
    expect({
      buffering: headers.get('x-accel-buffering'),
      cache: headers.get('cache-control'),
      coding: headers.get('content-encoding'),
      sniffing: headers.get('x-content-type-options'),
    }).toEqual({
      buffering: 'no',
      cache: 'no-store, no-transform',
      coding: null,
      sniffing: 'nosniff',
    });
  });
});
