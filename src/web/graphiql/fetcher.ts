import type { GraphiQLProps } from 'graphiql';
import { getOperationAST } from 'graphql';
import { createClient } from 'graphql-sse';
import { toServiceUrl } from '../api/urls.ts';

type Fetcher = GraphiQLProps['fetcher'];

const url = toServiceUrl('graphql');

/** Creates a fetcher that sends the token or, without one, the session cookie. Subscriptions use server-sent events. */
export function createFetcher(token: string): Fetcher {
  const credentials = token ? 'omit' : 'same-origin';
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return (params, options) => {
    const headers = { ...authorization, ...options?.headers };
    const operation =
      options?.documentAST && getOperationAST(options.documentAST, params.operationName);
    if (operation?.operation === 'subscription') {
      return createClient({ url, credentials, headers, retryAttempts: 0 }).iterate({
        ...params,
        operationName: params.operationName ?? undefined,
      });
    }
    return post(params, headers, credentials);
  };
}

async function post(
  params: Parameters<Fetcher>[0],
  headers: Record<string, string>,
  credentials: RequestCredentials,
) {
  const response = await fetch(url, {
    method: 'POST',
    credentials,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}
