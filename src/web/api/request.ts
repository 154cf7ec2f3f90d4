import type { TypedDocumentString } from '../gql/graphql.ts';
import { ApiError, type ErrorDetails, unreachable, unreadable } from './errors.ts';
import { serviceUrl } from './urls.ts';

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: ErrorDetails & { code?: string } }[];
}

type Given<Variables> =
  Variables extends Record<string, never>
    ? []
    : [variables: Variables, signal?: AbortSignal, idempotencyKey?: string, token?: string | null];

/** Asks the GraphQL door. With the same key, the same request is done once; a token speaks for a device. Throws ApiError. */
export async function request<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  ...[variables, signal, idempotencyKey, token]: Given<Variables>
): Promise<Data> {
  const response = await fetch(serviceUrl('graphql'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query: document, variables }),
    signal: signal ?? null,
  }).catch((thrown: unknown) => {
    throw signal?.aborted ? thrown : unreachable();
  });
  const answer = await read<Data>(response);
  const [error] = answer.errors ?? [];
  if (error) {
    const { code = 'INTERNAL', ...details } = error.extensions ?? {};
    throw new ApiError(code, error.message, details);
  }
  if (answer.data == null) throw unreadable(response.status);
  return answer.data;
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) throw failureOf(response);
  // What is refused before GraphQL is reached, such as too much load, wears the REST envelope.
  if ('success' in body && 'data' in body && typeof body.data === 'string') {
    throw new ApiError('INTERNAL', body.data);
  }
  return body;
}

/** Proxies speak for a service that is down. */
const failureOf = ({ status }: Response) =>
  [502, 503, 504].includes(status) ? unreachable() : unreadable(status);
