import { useEffect, useRef, useState } from 'react';
import type { TypedDocumentString } from '../gql/graphql.ts';
import { toServiceUrl } from './urls.ts';

const MAX_RETRY_DELAY_SECONDS = 60;
/** What held so long was a connection, though nothing happened meanwhile. */
const MIN_STABLE_CONNECTION_MS = 30_000;

/**
 * Is told whenever something happens, as long as the page is there. False until the first thing was told, and whenever
 * the connection is lost: then it is worth asking every now and then. Comes back by itself.
 */
export function useSubscription<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  onData: (data: Data) => void,
): boolean {
  const [isLive, setIsLive] = useState(false);
  const latest = useRef(onData);
  latest.current = onData;
  const query = String(document);
  const asked = JSON.stringify(variables);

  useEffect(() => {
    let isOver = false;
    let end = () => {};
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const retry = () => {
      if (isOver) return;
      setIsLive(false);
      failures += 1;
      const limit = Math.min(MAX_RETRY_DELAY_SECONDS, 2 ** failures);
      timer = setTimeout(connect, 1000 * (1 + Math.random() * limit));
    };

    // Loaded on the pages that need it only.
    const connect = () =>
      void import('graphql-sse').then(({ createClient }) => {
        if (isOver) return;
        const client = createClient({
          url: toServiceUrl('graphql'),
          credentials: 'same-origin',
          retryAttempts: 0,
        });
        const began = Date.now();
        const ended = () => {
          if (Date.now() - began > MIN_STABLE_CONNECTION_MS) failures = 0;
          retry();
        };
        const stop = client.subscribe<Data>(
          { query, variables: JSON.parse(asked) },
          {
            next: ({ data }) => {
              if (isOver || !data) return; // what is refused is told here, too
              failures = 0;
              setIsLive(true);
              latest.current(data);
            },
            error: ended,
            complete: ended,
          },
        );
        end = () => {
          stop();
          client.dispose();
        };
      }, retry);

    connect();
    return () => {
      isOver = true;
      clearTimeout(timer);
      end();
    };
  }, [query, asked]);

  return isLive;
}
