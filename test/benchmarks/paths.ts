import type { BenchData, KnownRows } from './data.ts';

export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Path {
  name: string;
  /** The minimum share of the raw throughput. */
  target: number;
  /** The requests, sent in turn. */
  requests: BenchRequest[];
  /** Each request sends the current ETag and gets 304. */
  revalidates?: boolean;
  /** Fewer connections for slow responses. */
  connections?: number;
}

const BOOKINGS = `query { bookings(first: 20) {
  edges { node { id status title startsAt endsAt resource { id name } location { id name timeZone }
    member { id name } price { amount currency } } cursor }
  pageInfo { hasNextPage endCursor } } }`;

const EVENTS = `query { events(first: 20) {
  edges { node { id slug title summary startsAt endsAt timeZone location { id name }
    ticketTypes { id name price { amount currency } left salesOpen } } cursor }
  pageInfo { hasNextPage endCursor } } }`;

const ONE_BOOKING = `query ($id: ID!) { booking(id: $id) { id title
  resource { id name capacity location { id name timeZone } } member { id name email } } }`;

const MEMBER_BOOKINGS = `query ($id: ID!) { member(id: $id) { id name bookings(first: 20) {
  edges { node { id status startsAt endsAt resource { name } } cursor } pageInfo { hasNextPage endCursor } } } }`;

const AVAILABILITY = `query ($from: DateTime!, $to: DateTime!, $minutes: Int, $locationId: ID) {
  availability(from: $from, to: $to, minutes: $minutes, locationId: $locationId) {
    resource { id name } slots { startsAt endsAt price { amount currency } } } }`;

export function createPaths(
  { apiTokens, deviceTokens, locationId }: BenchData,
  { bookingIds, memberIds }: KnownRows,
): Path[] {
  const bearers = apiTokens.map((token) => ({ authorization: `Bearer ${token}` }));
  const get = (path: string): BenchRequest => ({ method: 'GET', path, headers: {} });
  const read = (path: string): BenchRequest[] =>
    bearers.map((headers) => ({ method: 'GET', path, headers }));
  /** Each id with the token that asks for it. */
  const ofTokens = (ids: string[]) =>
    ids.flatMap((id, n): [Record<string, string>, string][] => {
      const headers = bearers[n % bearers.length];
      return headers ? [[headers, id]] : [];
    });
  const post = (
    query: string,
    headers: Record<string, string>,
    variables?: object,
  ): BenchRequest => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const polledTokens = deviceTokens.slice(0, 1_000);
  const states = polledTokens.map((token) => get(`/displays/state/${token}`));

  return [
    { name: 'GET /displays/state/{token}', target: 0.5, requests: states },
    { name: 'GET /displays/state/{token}, 304', target: 0.5, requests: states, revalidates: true },
    {
      name: 'GET /displays/heartbeat/{token}',
      target: 0.5,
      requests: polledTokens.map((token) => get(`/displays/heartbeat/${token}`)),
    },
    ...[1, 8, 32].map((connections) => ({
      name: `GET /displays/heartbeat/{token}, bare update, ${connections} connections`,
      target: 0.7,
      connections,
      requests: polledTokens.map((token) => ({
        ...get(`/displays/heartbeat/${token}`),
        headers: { 'x-raw': 'update' },
      })),
    })),
    { name: 'GET /bookings?limit=20', target: 0.6, requests: read('/bookings?limit=20') },
    { name: 'GET /bookings', target: 0.6, requests: read('/bookings') },
    { name: 'GET /bookings?from&to (a week)', target: 0.6, requests: read(`/bookings?${week()}`) },
    {
      name: 'GET /public/events?limit=20',
      target: 0.6,
      requests: [get('/public/events?limit=20')],
    },
    { name: 'GET /public/events', target: 0.6, requests: [get('/public/events')] },
    {
      name: 'GraphQL bookings(first: 20)',
      target: 0.35,
      connections: 32,
      requests: bearers.map((headers) => post(BOOKINGS, headers)),
    },
    {
      name: 'GraphQL events(first: 20)',
      target: 0.5,
      connections: 32,
      requests: [post(EVENTS, {})],
    },
    {
      name: 'GraphQL booking(id) with resource, location and member',
      target: 0.3,
      connections: 32,
      requests: ofTokens(bookingIds).map(([headers, id]) => post(ONE_BOOKING, headers, { id })),
    },
    {
      name: 'GraphQL member(id) with bookings(first: 20)',
      target: 0.35,
      connections: 32,
      requests: ofTokens(memberIds).map(([headers, id]) => post(MEMBER_BOOKINGS, headers, { id })),
    },
    {
      name: 'GraphQL availability (50 rooms, a week)',
      target: 0.4,
      connections: 4,
      requests: bearers.map((headers) =>
        post(AVAILABILITY, headers, { ...comingWeek(), minutes: 60, locationId }),
      ),
    },
  ];
}

/** The query of a calendar for the week from today. */
function week(): string {
  const from = new Date();
  from.setUTCHours(0, 0, 0, 0);
  const to = new Date(from.getTime() + 7 * 24 * 60 * 60 * 1000);
  return new URLSearchParams({ from: from.toISOString(), to: to.toISOString() }).toString();
}

/** A week from tomorrow, so that no slot passes during the run. */
function comingWeek() {
  const from = new Date();
  from.setUTCHours(24, 0, 0, 0);
  const to = new Date(from.getTime() + 7 * 24 * 60 * 60 * 1000);
  return { from: from.toISOString(), to: to.toISOString() };
}
