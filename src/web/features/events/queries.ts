import { type Connection, everyPage, usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { EventFilter, EventInListFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;
const YEAR_MS = 365 * 24 * 3_600_000;
const EVER = '2000-01-01T00:00:00Z';
const DRAFTS = { status: 'DRAFT', from: EVER } as const;

export type EventRow = EventInListFragment;
export type EventView = 'upcoming' | 'past' | 'drafts';
export interface EventSearch {
  view: EventView;
  q: string | null;
  locationId: string | null;
}

graphql(`
  fragment EventInList on Event {
    id
    title
    status
    visibility
    startsAt
    endsAt
    timeZone
    taken
    capacity
    location {
      name
    }
  }
`);

const LIST = graphql(`
  query EventList($first: Int!, $after: String, $filter: EventFilter) {
    events(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...EventInList
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** What is to come and what is not published, soonest first; what is over, the latest first. */
export const useEvents = ({ view, ...search }: EventSearch) =>
  usePages<EventRow>({
    queryKey: ['events', 'list', view, search],
    load: async (after, signal) => {
      if (view === 'past') return yearOfPast(search, after, signal);
      const filter = view === 'drafts' ? { ...search, ...DRAFTS } : search;
      return page({ first: PAGE_SIZE, after, filter }, signal);
    },
  });

type Asked = { first: number; after: string | null; filter: EventFilter };
const page = async (asked: Asked, signal: AbortSignal) =>
  (await request(LIST, asked, signal)).events;

/**
 * The service sorts by the beginning, and what is over is looked for from its end: so it is read by the year. The
 * position in the list is the instant before which one goes on.
 */
async function yearOfPast(
  search: Omit<EventSearch, 'view'>,
  before: string | null,
  signal: AbortSignal,
): Promise<Connection<EventRow>> {
  const to = before ?? new Date().toISOString();
  const from = new Date(new Date(to).getTime() - YEAR_MS).toISOString();
  const filter = { ...search, from, to };
  const found = await everyPage<EventRow>(
    (after) => page({ first: 100, after, filter }, signal),
    signal,
  );
  const begunThen = found.filter(({ startsAt, endsAt }) =>
    // What began before that year is found with the year before.
    before === null ? startsAt >= from && endsAt <= to : startsAt >= from,
  );
  const older = { ...search, from: EVER, to: from };
  const { edges } = await page({ first: 1, after: null, filter: older }, signal);
  const hasNextPage = edges.length > 0;
  if (begunThen.length === 0 && hasNextPage) return yearOfPast(search, from, signal);
  return {
    edges: begunThen.reverse().map((node) => ({ node })),
    pageInfo: { endCursor: from, hasNextPage },
  };
}
