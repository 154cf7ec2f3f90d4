import { useSearchParams } from 'react-router';

/** Parameters of the URL. Null and the empty text remove one. */
export type QueryChanges = Record<string, string | number | null>;

/**
 * The query of the URL, and a function that changes some of its parameters. The state of a page is in the URL where going back,
 * reloading and links keep it.
 */
export function useUrlQuery() {
  const [query, setQuery] = useSearchParams();
  const change = (changes: QueryChanges) =>
    setQuery(
      () => {
        // The URL, since React may not have rendered an earlier change yet.
        const next = new URLSearchParams(window.location.search);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [query, change] as const;
}
