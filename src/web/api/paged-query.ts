import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

type LoadPage<Row, Page extends Connection<Row> = Connection<Row>> = (
  after: string | null,
  signal: AbortSignal,
) => Promise<Page>;

/**
 * Loads the pages of a list on demand. The first page can hold what else its request has loaded, such as the options of a
 * filter.
 */
export function usePagedQuery<Row, Page extends Connection<Row> = Connection<Row>>(options: {
  queryKey: QueryKey;
  load: LoadPage<Row, Page>;
  enabled?: boolean;
  /** Polls while the browser tab is visible. Long lists are polled less often, as each page is a request. */
  refreshSeconds?: number;
}) {
  const { queryKey, load, enabled = true, refreshSeconds } = options;
  const query = useInfiniteQuery({
    queryKey,
    enabled,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      refreshSeconds ? refreshSeconds * 1000 * (data?.pages.length ?? 1) : false,
  });
  const rows = useMemo(() => query.data?.pages.flatMap(toRows), [query.data]);
  return { ...query, rows, firstPage: query.data?.pages[0] };
}

/** What a list needs to show its rows and to load more. */
export type PagedQuery<Row> = Pick<
  ReturnType<typeof usePagedQuery<Row>>,
  | 'rows'
  | 'error'
  | 'refetch'
  | 'isFetchNextPageError'
  | 'dataUpdatedAt'
  | 'hasNextPage'
  | 'isFetchingNextPage'
> & { data?: { pages: object[] } | undefined; fetchNextPage: () => unknown };

/** Loads every page of a short list, such as the options of a select. */
export const fetchAllPages = async <Row>(load: LoadPage<Row>, signal: AbortSignal) =>
  fetchRemainingPages(await load(null, signal), load, signal);

/** Adds the rows of the following pages to those of the first page, which has arrived with other data. */
export async function fetchRemainingPages<Row>(
  first: Connection<Row>,
  load: LoadPage<Row>,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows = toRows(first);
  let page = first;
  while (page.pageInfo.hasNextPage) {
    page = await load(page.pageInfo.endCursor, signal);
    rows.push(...toRows(page));
  }
  return rows;
}

const toRows = <Row>({ edges }: Connection<Row>) => edges.map(({ node }) => node);
