import type { TypedDocumentString } from '../gql/graphql.ts';
import {
  ApiError,
  createOutdatedPageError,
  createUnreachableError,
  createUnreadableResponseError,
  type ErrorDetails,
  isUnknownDocument,
} from './errors.ts';
import { toServiceUrl } from './urls.ts';

interface GraphQLResponse<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: ErrorDetails & { code?: string } }[];
}

type RequestArguments<Variables> =
  Variables extends Record<string, never>
    ? []
    : [variables: Variables, signal?: AbortSignal, idempotencyKey?: string];

/**
 * Sends a GraphQL request. The service runs requests with the same idempotency key once.
 *
 * @throws ApiError
 */
export async function request<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  ...[variables, signal, idempotencyKey]: RequestArguments<Variables>
): Promise<Data> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  const send = async (body: object): Promise<Data> => {
    const response = await fetch(toServiceUrl('graphql'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, variables }),
      signal: signal ?? null,
    }).catch((thrown: unknown) => {
      throw signal?.aborted ? thrown : createUnreachableError();
    });
    return readData(response, await readResponse<Data>(response));
  };
  return send({ documentId: getDocumentId(document) }).catch((thrown: unknown) => {
    // The page and the service have different versions, for example during an upgrade.
    if (isUnknownDocument(thrown)) return send({ query: document });
    throw thrown;
  });
}

/** Returns the id under which the service knows the text of a document. */
export const getDocumentId = ({
  __meta__,
}: Pick<TypedDocumentString<unknown, unknown>, '__meta__'>): string => __meta__?.id;

function readData<Data>({ status }: Response, { data, errors = [] }: GraphQLResponse<Data>): Data {
  const [error] = errors;
  if (error) {
    const { code = 'INTERNAL', ...details } = error.extensions ?? {};
    if (details.reason === 'DOCUMENT_NOT_TRUSTED') throw createOutdatedPageError(code, details);
    throw new ApiError(code, error.message, details);
  }
  if (data == null) throw createUnreadableResponseError(status);
  return data;
}

async function readResponse<Data>(response: Response): Promise<GraphQLResponse<Data>> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) throw toResponseError(response);
  // The service rejects some requests before GraphQL, for example under load, in the format of REST.
  if ('success' in body && 'data' in body && typeof body.data === 'string') {
    throw new ApiError('INTERNAL', body.data);
  }
  return body;
}

/** Proxies respond with these statuses while the service is down. */
const toResponseError = ({ status }: Response) =>
  [502, 503, 504].includes(status)
    ? createUnreachableError()
    : createUnreadableResponseError(status);
