import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { assertValidSchema, type DocumentNode, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { authenticate, hasCredential } from '../auth/authenticate.ts';
import {
  assertSameOrigin,
  formatBrowserCookie,
  formatSessionCookie,
  readBrowserCookie,
} from '../auth/cookies.ts';
import { createRequestContext } from '../auth/request-context.ts';
import { anonymous, toCallerKey, type Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { canCompress, compressFor } from '../core/compressed-json.ts';
import { UnsupportedBody } from '../core/request-body.ts';
import { assertStorableValue } from '../core/validation.ts';
import { parseIdempotencyKey } from '../db/idempotency.ts';
import {
  DomainError,
  type ErrorCode,
  isUnavailable,
  toDomainError,
  toErrorDetails,
} from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { GraphqlContext } from './context.ts';
import { createLoaders } from './dataloaders.ts';
import { normalizeErrors, toGraphqlError, toGraphqlMessage } from './errors.ts';
import { createInlineValuesPlugin } from './inline-values.ts';
import { createJit, createJitPlugin } from './jit.ts';
import { createListLoaders } from './list-loaders.ts';
import { createPlannedQueries } from './planned/planned-queries.ts';
import {
  createDocumentRecorder,
  createPartialPlanPlugin,
  createPlannedListener,
} from './planned/planned-requests.ts';
import { createPlannedSubscriptionsPlugin } from './planned/planned-subscriptions.ts';
import { createQueryCostPlugin } from './query-cost-plugin.ts';
import { createDocumentLimits } from './query-limits.ts';
import { createQueryTurnsPlugin } from './query-turns.ts';
import { readParams } from './request-params.ts';
import { createRequestSizeCharges, createRequestSizePlugin } from './request-size-plugin.ts';
import { schema } from './schema.ts';
import { createSelectionAccessPlugin } from './selection-access-plugin.ts';
import { createTracingPlugin } from './tracing-plugin.ts';
import { createPersistedOperations } from './trusted-documents/persisted-operations.ts';

interface ServerContext {
  req: IncomingMessage;
  res: ServerResponse;
}

/** Clients repeat the same few documents. */
const MAX_CACHED_DOCUMENTS = 100;

/** Creates the GraphQL API as a request listener. */
export function createGraphql(deps: Dependencies): RequestListener {
  assertValidSchema(schema); // otherwise the first request would check the schema, and others would wait
  const planned = createPlannedQueries(schema, deps.queryBudget);
  const identify = createRequestAuthentication(deps);
  const jit = createJit(schema);
  const parsedDocuments = new LRUCache<string, DocumentNode>({ max: MAX_CACHED_DOCUMENTS });
  const sizeCharges = createRequestSizeCharges();
  const yoga = createYoga<ServerContext>({
    schema,
    graphqlEndpoint: '*',
    landingPage: false,
    graphiql: false,
    cors: false, // app.ts handles CORS for both APIs
    multipart: false,
    batching: false,
    parserAndValidationCache: {
      documentCache: parsedDocuments,
      errorCache: new LRUCache({ max: MAX_CACHED_DOCUMENTS }),
    },
    maxRequestBodySize: false, // the request gate limits it
    logging: false,
    maskedErrors: { maskError: (error) => toGraphqlError(error, deps.log) },
    context: async ({ req, res }) => createGraphqlContext(req, res, deps, await identify(req)),
    plugins: [
      createBufferedBodyPlugin(),
      createStreamHeadersPlugin(),
      createCompressionPlugin(),
      createRequestSizePlugin(
        parsedDocuments,
        async (req) => (await identify(req)).viewer,
        sizeCharges,
        deps,
      ),
      ...createPersistedOperations(deps.trustedDocuments, {
        identify: async (req) => (await identify(req)).viewer,
        toError: (error) => toStatusError(error, deps.log),
      }),
      ...createDocumentLimits(),
      createInlineValuesPlugin(),
      createQueryCostPlugin(schema, sizeCharges, deps),
      createSelectionAccessPlugin(schema),
      createJitPlugin(jit),
      createPartialPlanPlugin(planned, jit),
      createDocumentRecorder(planned),
      createPlannedSubscriptionsPlugin(),
      ...(deps.tracer ? [createTracingPlugin(deps.tracer)] : []),
      normalizeErrors(schema, deps.log),
      createQueryTurnsPlugin(),
    ],
  });
  const authenticatePlanned = async (req: IncomingMessage, res: ServerResponse) =>
    createRequestContext(deps, req, res, (await identify(req)).viewer);
  const explorerUrl = `${new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')}/graphiql`;
  return createPlannedListener(planned, deps, authenticatePlanned, async (req, res) => {
    if (isOpenedInBrowser(req)) {
      res.writeHead(302, { location: explorerUrl, 'content-length': 0 }).end();
      return;
    }
    // Yoga builds a URL from the Host header and throws if it is invalid. That URL is not used here.
    if (!URL.canParse(`http://${req.headers.host}`)) delete req.headers.host;
    if (hasCredential(req.headers)) {
      await identify(req).catch(() => {}); // Yoga reports the error
      await deps.takeTurn(req);
    }
    return yoga(req, res);
  });
}

/** Whether a person has opened the address, without a query. Programs do not ask for HTML. */
const isOpenedInBrowser = ({ method, url = '', headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') &&
  /^[^?]*\??$/.test(url) &&
  headers.accept?.includes('text/html') === true;

function createGraphqlContext(
  req: IncomingMessage,
  res: ServerResponse,
  deps: Dependencies,
  { viewer, idempotencyKey }: AuthenticatedRequest,
): GraphqlContext {
  const ctx = createRequestContext(deps, req, res, viewer);
  // Planned queries, which log nothing, do without: it takes some microseconds.
  ctx.log = deps.log.child({ requestId: ctx.requestId });
  const address = findClientAddress(req, deps.config.trustProxy);
  return {
    ctx,
    deps,
    ...createRowLoaders(ctx),
    createLoaders: createRowLoaders,
    address,
    idempotencyKey,
    assertSameOrigin: () => assertSameOrigin(req.headers, deps.config),
    chargeEvent: () => {}, // the query cost plugin knows the cost
    reauthenticate: async () => (await authenticate(req.headers, deps)).viewer,
    openStream: () => deps.streams.open(toCallerKey(viewer, address), res),
    browserSecret: readBrowserCookie(req.headers.cookie, deps.config),
    setSessionCookie: (secret) =>
      res.setHeader('set-cookie', formatSessionCookie(secret, deps.config)),
    setBrowserCookie: (secret) =>
      res.appendHeader('set-cookie', formatBrowserCookie(secret, deps.config)),
  };
}

const createRowLoaders = (ctx: Context) => ({
  loaders: createLoaders(ctx),
  lists: createListLoaders(ctx),
});

interface AuthenticatedRequest {
  viewer: Viewer;
  idempotencyKey: string | undefined;
}

/** Returns a function that authenticates each request once. It throws the error of the response. */
function createRequestAuthentication(deps: Dependencies) {
  const requests = new WeakMap<IncomingMessage, Promise<AuthenticatedRequest>>();
  return (req: IncomingMessage): Promise<AuthenticatedRequest> => {
    const known = requests.get(req);
    if (known !== undefined) return known;
    const result = authenticateRequest(req, deps).catch((thrown) => {
      throw toStatusError(toDomainError(thrown), deps.log);
    });
    requests.set(req, result);
    return result;
  };
}

async function authenticateRequest(
  { headers }: IncomingMessage,
  deps: Dependencies,
): Promise<AuthenticatedRequest> {
  const { viewer, hasCookieCredential } = await authenticate(headers, deps);
  if (hasCookieCredential && viewer !== anonymous) assertSameOrigin(headers, deps.config);
  return { viewer, idempotencyKey: parseIdempotencyKey(headers) };
}

/** Converts an error for which nothing has been executed, with the HTTP status of its code. */
function toStatusError(error: DomainError, log: Logger): GraphQLError {
  if (isUnavailable(error)) return toGraphqlError(error, log);
  const statuses: Partial<Record<ErrorCode, number>> = {
    BAD_REQUEST: 400,
    UNAUTHENTICATED: 401,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
  };
  return new GraphQLError(toGraphqlMessage(error), {
    extensions: { ...toErrorDetails(error), http: { status: statuses[error.code] ?? 500 } },
  });
}

/**
 * Parses the body that the request gate has buffered. Yoga would read the request's stream, which has ended.
 * @throws BAD_REQUEST for text that cannot be stored.
 */
const createBufferedBodyPlugin = (): Plugin => ({
  onRequestParse: ({ request, requestParser, setRequestParser, serverContext }) => {
    const { req } = serverContext as unknown as ServerContext;
    if (request.method === 'POST') setRequestParser(() => rethrowWithStatus(() => readParams(req)));
    else if (requestParser !== undefined)
      setRequestParser(async (request) => {
        const params = await requestParser(request);
        return rethrowWithStatus(() => {
          assertStorableValue(params);
          return params;
        });
      });
  },
});

/**
 * Lets proxies pass a stream on as it comes. Without `X-Accel-Buffering`, nginx keeps everything until its buffer is full. Caches and
 * programs that compress leave it alone because of `Cache-Control`; for the same purpose Yoga sends a content coding that does not exist.
 */
const createStreamHeadersPlugin = (): Plugin => ({
  onResponse: ({ response: { headers } }) => {
    if (!STREAM_TYPE.test(headers.get('content-type') ?? '')) return;
    headers.delete('content-encoding');
    headers.set('cache-control', 'no-store, no-transform');
    headers.set('x-accel-buffering', 'no');
  },
});

const STREAM_TYPE = /^(text\/event-stream|multipart\/mixed)\b/;

/** Compresses JSON as `sendBody` does. Events of a stream are sent one by one. */
const createCompressionPlugin = (): Plugin => ({
  onResponse: async ({ response, serverContext, setResponse, fetchAPI }) => {
    const { req, res } = (serverContext ?? {}) as Partial<ServerContext>;
    const { headers, status } = response;
    if (req === undefined || !JSON_TYPE.test(headers.get('content-type') ?? '')) return;
    // The headers of Yoga replace those that were set before.
    for (const name of [res?.getHeader('vary') ?? [], 'Accept-Encoding'].flat())
      headers.append('vary', String(name));
    if (!canCompress(req)) return;
    const text = await response.text();
    const compressed = await compressFor(req, text);
    if (compressed) headers.set('content-encoding', 'gzip');
    headers.delete('content-length');
    setResponse(new fetchAPI.Response(compressed ?? text, { status, headers }));
  },
});

const JSON_TYPE = /^application\/(graphql-response\+)?json\b/;

/** Converts errors of `read` to GraphQL errors, from which Yoga takes the HTTP status. */
function rethrowWithStatus<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof DomainError) throw toBadRequestError(thrown);
    throw thrown;
  }
}

/** The status does not depend on the accepted media type, since the request itself is malformed. */
const toBadRequestError = (error: DomainError) =>
  new GraphQLError(error.message, {
    extensions: {
      ...toErrorDetails(error),
      http: { status: error instanceof UnsupportedBody ? 415 : 400 },
    },
  });
