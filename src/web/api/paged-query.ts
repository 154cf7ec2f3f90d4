import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

type LoadPage<Row> = (after: string | null, signal: AbortSignal) => Promise<Connection<Row>>;

/** Loads a list page by page, on demand. */
export function usePagedQuery<Row>(options: {
  queryKey: QueryKey;
  load: LoadPage<Row>;
  enabled?: boolean;
  /** Polls while the page is visible. Every loaded page is refetched, so longer lists refresh less often. */
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
  return { ...query, rows };
}

export type PagedQuery<Row> = ReturnType<typeof usePagedQuery<Row>>;

/** Loads every page. For short lists such as select options. */
export async function fetchAllPages<Row>(load: LoadPage<Row>, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: Connection<Row> = await load(after, signal);
    rows.push(...toRows(page));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return rows;
}

const toRows = <Row>({ edges }: Connection<Row>) => edges.map(({ node }) => node);
