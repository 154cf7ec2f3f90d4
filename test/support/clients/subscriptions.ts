import type { ExecutionResult } from 'graphql';
import { createClient } from 'graphql-sse';
import type { Credential } from './api.ts';

export interface Subscription {
  /** Waits for the next response. Undefined after the last one. */
  next(): Promise<ExecutionResult | undefined>;
  close(): void;
}

/** Opens a subscription over server-sent events. */
export function openSubscription(
  url: string,
  query: string,
  { token, cookie }: Credential,
): Subscription {
  const client = createClient({
    url: `${url}/graphql`,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
    },
    retryAttempts: 0,
  });
  const responses = client.iterate({ query });
  return {
    next: async () => (await responses.next()).value ?? undefined,
    close: () => client.dispose(),
  };
}
