import { getDocumentId, getText, type TypedDocument } from './documents.ts';
import {
  type Envelope,
  type GraphqlBody,
  parseJson,
  toGraphqlError,
  toRestError,
} from './error-responses.ts';
import { isFoyerError } from './errors.ts';
import { unkeyedMutations } from './generated/unkeyed-mutations.ts';
import { type CallOptions, createIdempotencyKey, type WriteOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** Variables can be left out if none is required. */
type Arguments<Variables, Options> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options];

/** The objects of the first list with pages in a result. */
type ConnectionNode<Result> = Result extends { pageInfo: unknown }
  ? Result extends { nodes: readonly (infer Node)[] }
    ? NonNullable<Node>
    : Result extends { edges: readonly (infer Edge)[] }
      ? Edge extends { node: infer Node }
        ? NonNullable<Node>
        : never
      : never
  : Result extends object
    ? { [Key in keyof Result]: ConnectionNode<Result[Key]> }[keyof Result]
    : never;

export interface Graphql {
  /** Runs a query. */
  query<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...given: Arguments<Variables, CallOptions>
  ): Promise<Result>;
  /** Runs a mutation, with an idempotency key, so that it is safe to send it again after a failure. */
  mutate<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...given: Arguments<Variables, WriteOptions>
  ): Promise<Result>;
  /**
   * Iterates over the objects of the first list in a result, and fetches a page when the previous one is used up. The document
   * takes the variable `$after`, passes it to the list, and selects `pageInfo { hasNextPage endCursor }` of it.
   */
  nodes<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...given: Arguments<Variables, CallOptions>
  ): AsyncGenerator<ConnectionNode<Result>, void>;
}

interface Page {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes?: unknown[];
  edges?: { node: unknown }[];
}

export function createGraphql(transport: Transport): Graphql {
  async function run(
    document: AnyDocument,
    variables: unknown,
    { signal, idempotencyKey }: WriteOptions,
  ): Promise<unknown> {
    const query = getText(document);
    const documentId = getDocumentId(document);
    const words = query.split(/\W+/);
    const isKeyed =
      idempotencyKey !== undefined && !unkeyedMutations.some((name) => words.includes(name));
    const send = async (body: { query: string } | { documentId: string }) =>
      readData(
        await transport.send({
          method: 'POST',
          path: '/graphql',
          headers: {
            accept: 'application/graphql-response+json, application/json',
            ...(isKeyed && { 'idempotency-key': idempotencyKey }),
          },
          body: { ...body, variables },
          ...(signal && { signal }),
          repeatable: isKeyed || !words.includes('mutation'),
        }),
      );
    if (documentId === undefined) return send({ query });
    return send({ documentId }).catch((error: unknown) => {
      // The program and the service have different versions, for example during an upgrade. Nothing was executed.
      if (isFoyerError(error, 'DOCUMENT_NOT_FOUND')) return send({ query });
      throw error;
    });
  }

  async function* eachNode(document: AnyDocument, variables: object, options: CallOptions) {
    for (let after: string | undefined; ; ) {
      const data = await run(
        document,
        after === undefined ? variables : { ...variables, after },
        options,
      );
      const page = findPage(data);
      if (page === null) throw new TypeError(`The document has no list with pages. ${ADVICE}`);
      yield* page.nodes ?? page.edges?.map(({ node }) => node) ?? [];
      const { hasNextPage, endCursor } = page.pageInfo;
      if (!hasNextPage) return;
      if (!endCursor || endCursor === after)
        throw new TypeError(`The list does not continue. ${ADVICE}`);
      after = endCursor;
    }
  }

  const client = {
    query: (document: AnyDocument, variables?: unknown, { signal }: CallOptions = {}) =>
      run(document, variables, signal ? { signal } : {}),
    mutate: (document: AnyDocument, variables?: unknown, options: WriteOptions = {}) => {
      const { idempotencyKey = createIdempotencyKey() } = options;
      return run(document, variables, { ...options, idempotencyKey });
    },
    nodes: (document: AnyDocument, variables: object = {}, options: CallOptions = {}) =>
      eachNode(document, variables, options),
  };
  return client as Graphql;
}

type AnyDocument = TypedDocument<unknown, never>;

const ADVICE =
  'Pass the variable $after to it, and select its nodes and pageInfo { hasNextPage endCursor }.';

async function readData(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = parseJson(text) as GraphqlBody | null;
  if (body?.errors?.[0]) throw toGraphqlError(response, body);
  // The service rejects some requests before GraphQL, for example under load, in the format of REST.
  if (!response.ok || !body?.data) throw toRestError(response, body as Envelope | null, text);
  return body.data;
}

/** Finds the first list with pages, however deep. */
function findPage(value: unknown): Page | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('pageInfo' in value) return value as Page;
  for (const member of Object.values(value)) {
    const page = findPage(member);
    if (page) return page;
  }
  return null;
}
