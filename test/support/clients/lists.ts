import type { TestApp } from '../harness/app.ts';
import type { Credential } from './api.ts';

/** The fields of a booking that REST returns as well. */
export const BOOKING_FIELDS = `id status title notes startsAt endsAt createdAt
  resource { id name } location { id name timeZone } member { id name } guest { name email }
  price { amount currency } seriesId checkedInAt
  payment { status due { amount currency } paid { amount currency } open { amount currency } surplus { amount currency } }
  cancellation { cancelledAt reason fee { amount currency } }`;

/** The fields of an event that REST returns as well. */
export const EVENT_FIELDS = `id slug title summary description status visibility startsAt endsAt timeZone
  location { id name address } resource { id name } tags capacity createdAt
  ticketTypes { id name price { amount currency } left salesOpen }`;

interface Item {
  id: string;
  [field: string]: unknown;
}

/** A filter with GraphQL's names. Undefined values are omitted. */
export type Filter = Record<string, string | undefined>;

export interface AllPages {
  items: Item[];
  pages: number;
}

export interface ListQuery {
  list: 'bookings' | 'events';
  filter: Filter;
  /** The page size. */
  limit: number;
  as?: Credential;
}

/** Reads all pages through REST. */
export async function fetchAllByRest(app: TestApp, query: ListQuery): Promise<AllPages> {
  const path = { bookings: '/bookings', events: '/public/events' }[query.list];
  const search = new URLSearchParams({ limit: String(query.limit) });
  for (const [name, value] of Object.entries(query.filter)) {
    if (value !== undefined) search.set(toSnake(name), value);
  }
  const items: Item[] = [];
  for (let pages = 1; ; pages += 1) {
    const { status, body } = await app.rest(`${path}?${search}`, query.as);
    if (status !== 200) throw new Error(`${status}: ${body.data}`);
    const data = body.data as {
      pagination: { limit: number; next_cursor: string | null };
    } & Record<string, Item[]>;
    items.push(...(data[query.list] ?? []));
    const { next_cursor: next } = data.pagination;
    if (next === null) return { items, pages };
    search.set('cursor', next);
  }
}

/** Reads all pages through GraphQL, in REST's format. */
export async function fetchAllByGraphql(app: TestApp, query: ListQuery): Promise<AllPages> {
  const type = { bookings: 'BookingFilter', events: 'EventFilter' }[query.list];
  const fields = { bookings: BOOKING_FIELDS, events: EVENT_FIELDS }[query.list];
  const text = `query ($filter: ${type}, $first: Int, $after: String) {
    ${query.list}(filter: $filter, first: $first, after: $after) {
      edges { cursor node { ${fields} } } pageInfo { endCursor hasNextPage } } }`;
  const { status, ...filter } = query.filter;
  const variables = {
    filter: { ...filter, ...(status ? { status: status.toUpperCase() } : {}) },
    first: query.limit,
    after: null,
  };
  const items: Item[] = [];
  for (let pages = 1; ; pages += 1) {
    const { data, errors } = await app.graphql(text, variables, query.as);
    if (errors[0]) throw new Error(errors[0].message);
    const { edges, pageInfo } = data[query.list];
    items.push(...edges.map(({ node }: { node: unknown }) => toRestFormat(node)));
    if (!pageInfo.hasNextPage) return { items, pages };
    variables.after = pageInfo.endCursor;
  }
}

const ENUMS = new Set(['status', 'visibility', 'kind', 'type']);

/** Converts names to snake case and enums to lower case, so that both APIs can be compared. */
export function toRestFormat(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toRestFormat(item));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [toSnake(name), toRestFormat(inner, name)]),
    );
  }
  return typeof value === 'string' && ENUMS.has(key) ? value.toLowerCase() : value;
}

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
