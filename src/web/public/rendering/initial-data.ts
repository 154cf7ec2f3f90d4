import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The results of queries with which the service has rendered a page. */
export interface InitialData {
  /** Milliseconds since 1970. */
  readAt: number;
  queries: [key: QueryKey, data: unknown][];
}

export const INITIAL_DATA_ID = 'initial-data';

/** Reads the data of a page that the service has rendered. Null for all other pages. */
export function readInitialData(document: Document) {
  const text = document.getElementById(INITIAL_DATA_ID)?.textContent;
  if (!text) return null;
  const { readAt, queries }: InitialData = JSON.parse(text);
  /** Makes queries answer from this data. They load it again if it is old, since caches keep pages for a while. */
  const restore = (client: QueryClient) => {
    for (const [key, data] of queries) client.setQueryData(key, data, { updatedAt: readAt });
  };
  return { restore };
}
