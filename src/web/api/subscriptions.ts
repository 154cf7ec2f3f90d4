import { useEffect, useRef, useState } from 'react';
import type { TypedDocumentString } from '../gql/graphql.ts';
import { getDocumentId } from './request.ts';
import { toServiceUrl } from './urls.ts';

const MAX_RETRY_DELAY_SECONDS = 60;
/** After a connection this long, the retry delay starts again from its minimum, even without events. */
const MIN_STABLE_CONNECTION_MS = 30_000;

/**
 * Calls `onData` for each event while the page is mounted. Reconnects automatically. Returns false until the first
 * event and while disconnected, so that callers can poll in the meantime.
 */
export function useSubscription<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  onData: (data: Data) => void,
): boolean {
  const [isLive, setIsLive] = useState(false);
  const latest = useRef(onData);
  latest.current = onData;
  const documentId = getDocumentId(document);
  const variablesJson = JSON.stringify(variables);

  useEffect(() => {
    let isUnmounted = false;
    let end = () => {};
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const retry = () => {
      if (isUnmounted) return;
      setIsLive(false);
      failures += 1;
      const limit = Math.min(MAX_RETRY_DELAY_SECONDS, 2 ** failures);
      timer = setTimeout(connect, 1000 * (1 + Math.random() * limit));
    };

    // Loaded only on pages that need it.
    const connect = () =>
      void import('graphql-sse').then(({ createClient }) => {
        if (isUnmounted) return;
        const client = createClient({
          url: toServiceUrl('graphql'),
          credentials: 'same-origin',
          retryAttempts: 0,
        });
        // graphql-sse requires a query. The service ignores an empty one.
        const params = { query: '', documentId, variables: JSON.parse(variablesJson) };
        const connectedAt = Date.now();
        const ended = () => {
          if (Date.now() - connectedAt > MIN_STABLE_CONNECTION_MS) failures = 0;
          retry();
        };
        const stop = client.subscribe<Data>(params, {
          next: ({ data }) => {
            if (isUnmounted || !data) return; // a rejected subscription has no data
            failures = 0;
            setIsLive(true);
            latest.current(data);
          },
          error: ended,
          complete: ended,
        });
        end = () => {
          stop();
          client.dispose();
        };
      }, retry);

    connect();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      end();
    };
  }, [documentId, variablesJson]);

  return isLive;
}
