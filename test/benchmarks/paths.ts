import type { Known } from './data.ts';

export interface Ask {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Path {
  name: string;
  /** What share of raw is aimed at. */
  aim: number;
  /** What is asked in turn. */
  asks: Ask[];
  /** Each ask then names the version that it has, and is answered 304. */
  revalidates?: boolean;
  /** Fewer at once where an answer takes long. */
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

const AVAILABILITY = `query ($from: DateTime!, $to: DateTime!, $minutes: Int, $locationId: ID) {
  availability(from: $from, to: $to, minutes: $minutes, locationId: $locationId) {
    resource { id name } slots { startsAt endsAt price { amount currency } } } }`;

export function pathsFor({ apiTokens, deviceTokens, locationId }: Known): Path[] {
  const bearers = apiTokens.map((token) => ({ authorization: `Bearer ${token}` }));
  const get = (path: string): Ask => ({ method: 'GET', path, headers: {} });
  const read = (path: string): Ask[] =>
    bearers.map((headers) => ({ method: 'GET', path, headers }));
  const post = (query: string, headers: Record<string, string>, variables?: object): Ask => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const polled = deviceTokens.slice(0, 1_000);
  const states = polled.map((token) => get(`/displays/state/${token}`));

  return [
    { name: 'GET /displays/state/{token}', aim: 0.5, asks: states },
    { name: 'GET /displays/state/{token}, 304', aim: 0.5, asks: states, revalidates: true },
    {
      name: 'GET /displays/heartbeat/{token}',
      aim: 0.5,
      asks: polled.map((token) => get(`/displays/heartbeat/${token}`)),
    },
    { name: 'GET /bookings?limit=20', aim: 0.6, asks: read('/bookings?limit=20') },
    { name: 'GET /bookings', aim: 0.6, asks: read('/bookings') },
    { name: 'GET /bookings?from&to (a week)', aim: 0.6, asks: read(`/bookings?${week()}`) },
    { name: 'GET /public/events?limit=20', aim: 0.6, asks: [get('/public/events?limit=20')] },
    { name: 'GET /public/events', aim: 0.6, asks: [get('/public/events')] },
    {
      name: 'GraphQL bookings(first: 20)',
      aim: 0.4,
      asks: bearers.map((headers) => post(BOOKINGS, headers)),
    },
    { name: 'GraphQL events(first: 20)', aim: 0.4, asks: [post(EVENTS, {})] },
    {
      name: 'GraphQL availability (50 rooms, a week)',
      aim: 0.4,
      connections: 4,
      asks: bearers.map((headers) =>
        post(AVAILABILITY, headers, { ...comingWeek(), minutes: 60, locationId }),
      ),
    },
  ];
}

/** The one that has just begun, as a calendar asks for it. */
function week(): string {
  const from = new Date();
  from.setUTCHours(0, 0, 0, 0);
  const to = new Date(from.getTime() + 7 * 24 * 60 * 60 * 1000);
  return new URLSearchParams({ from: from.toISOString(), to: to.toISOString() }).toString();
}

/** From tomorrow on, so that no slot passes meanwhile. */
function comingWeek() {
  const from = new Date();
  from.setUTCHours(24, 0, 0, 0);
  const to = new Date(from.getTime() + 7 * 24 * 60 * 60 * 1000);
  return { from: from.toISOString(), to: to.toISOString() };
}
