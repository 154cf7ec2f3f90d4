import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { EnvelopArmor } from '@escape.tech/graphql-armor';
import { GraphQLError } from 'graphql';
import {
  _createLRUCache as createLRU,
  createYoga,
  type GraphQLParams,
  type Plugin,
} from 'graphql-yoga';
import { authenticate } from '../auth/authenticate.ts';
import {
  assertSameOrigin,
  formatBrowserCookie,
  formatSessionCookie,
  readBrowserCookie,
  usesHttps,
} from '../auth/cookies.ts';
import { anonymous } from '../auth/viewer.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { parseIdempotencyKey, toCallerKey } from '../core/idempotency.ts';
import { getBody, MAX_BODY_BYTES } from '../core/request-body.ts';
import { assertStorableText, assertStorableValue } from '../core/validation.ts';
import { DomainError, isUnavailable, toDomainError } from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { GraphqlContext } from './context.ts';
import { createLoaders } from './dataloaders.ts';
import { normalizeErrors, toExtensions, toGraphqlError } from './errors.ts';
import { createJitPlugin } from './jit.ts';
import { schema } from './schema.ts';

interface ServerContext {
  req: IncomingMessage;
  res: ServerResponse;
}

/** Clients repeat the same few documents. */
const MAX_CACHED_DOCUMENTS = 100;

// The complexity plugin limits what a query requests. These rules limit its text.
const armor = new EnvelopArmor({
  blockFieldSuggestion: { enabled: false }, // the schema is public
  costLimit: { enabled: false },
  maxAliases: { n: 15 },
  maxDepth: { n: 12 },
  maxDirectives: { n: 50 },
  maxTokens: { n: 1000 },
});

/** Creates the GraphQL API as a request listener. */
export function createGraphql(deps: Dependencies): RequestListener {
  const yoga = createYoga<ServerContext>({
    schema,
    graphqlEndpoint: '*',
    landingPage: false,
    graphiql: false,
    cors: false, // app.ts handles CORS for both APIs
    multipart: false,
    batching: false,
    parserAndValidationCache: {
      documentCache: createLRU({ max: MAX_CACHED_DOCUMENTS }),
      errorCache: createLRU({ max: MAX_CACHED_DOCUMENTS }),
    },
    maxRequestBodySize: false, // the request gate limits it
    logging: false,
    maskedErrors: { maskError: (error) => toGraphqlError(error, deps.log) },
    context: ({ req, res }) => createGraphqlContext(req, res, deps),
    plugins: [
      createBufferedBodyPlugin(),
      ...(armor.protect().plugins as Plugin[]),
      createJitPlugin(schema),
      normalizeErrors(deps.log),
    ],
  });
  return (req, res) => {
    // Yoga builds a URL from the Host header and would throw for an invalid one. Nothing here needs that URL.
    if (!URL.canParse(`http://${req.headers.host}`)) delete req.headers.host;
    return yoga(req, res);
  };
}

async function createGraphqlContext(
  req: IncomingMessage,
  res: ServerResponse,
  deps: Dependencies,
): Promise<GraphqlContext> {
  const { viewer, idempotencyKey } = await authenticateRequest(req, deps).catch((thrown) => {
    const error = toDomainError(thrown);
    if (isUnavailable(error)) throw toGraphqlError(error, deps.log);
    const status =
      { BAD_REQUEST: 400, UNAUTHENTICATED: 401, FORBIDDEN: 403 }[error.code as string] ?? 500;
    throw new GraphQLError(error.message, {
      extensions: { ...toExtensions(error), http: { status } },
    });
  });
  const secure = { secure: usesHttps(deps.config) };
  const address = findClientAddress(req, deps.config.trustProxy);
  const ctx = { ...deps.createContext(viewer), clientAddress: address };
  return {
    ctx,
    deps,
    loaders: createLoaders(ctx),
    address,
    idempotencyKey,
    assertSameOrigin: () => assertSameOrigin(req.headers, deps.config),
    reauthenticate: async () => (await authenticate(req.headers, deps)).viewer,
    openStream: () => deps.streams.open(toCallerKey(viewer, address), res),
    browserSecret: readBrowserCookie(req.headers.cookie, secure),
    setSessionCookie: (secret) => res.setHeader('set-cookie', formatSessionCookie(secret, secure)),
    setBrowserCookie: (secret) =>
      res.appendHeader('set-cookie', formatBrowserCookie(secret, secure)),
  };
}

async function authenticateRequest(req: IncomingMessage, deps: Dependencies) {
  const { viewer, hasCookieCredential } = await authenticate(req.headers, deps);
  if (hasCookieCredential && viewer !== anonymous) assertSameOrigin(req.headers, deps.config);
  return { viewer, idempotencyKey: parseIdempotencyKey(req.headers) };
}

/**
 * Parses the body that the request gate has buffered. Yoga would read the request's stream, which has ended.
 * @throws BAD_REQUEST for text that cannot be stored.
 */
const createBufferedBodyPlugin = (): Plugin => ({
  onRequestParse: ({ request, requestParser, setRequestParser, serverContext, fetchAPI }) => {
    if (requestParser === undefined) return;
    if (request.method !== 'POST') {
      setRequestParser(async (request) => checkStorable(await requestParser(request)));
      return;
    }
    const body = getBody((serverContext as unknown as { req: IncomingMessage }).req);
    if (body === null) throw bodyTooLarge();
    if (/^application\/(graphql\+)?json *(;|$)/.test(request.headers.get('content-type') ?? '')) {
      setRequestParser(() => parseParams(body));
      return;
    }
    setRequestParser(async ({ url, method, headers }) =>
      checkStorable(
        await requestParser(
          new fetchAPI.Request(url, { method, headers, body: Buffer.from(body) }),
        ),
      ),
    );
  },
});

function parseParams(body: Buffer): GraphQLParams {
  const text = body.toString();
  let params: GraphQLParams;
  try {
    params = JSON.parse(text);
  } catch {
    throw toBadRequestError(unreadableBody('POST body sent invalid JSON.'));
  }
  if (typeof params !== 'object' || params === null)
    throw toBadRequestError(unreadableBody('The POST body must be a JSON object.'));
  rethrowWithStatus(() => assertStorableText(text, params));
  return params;
}

function checkStorable<Parsed>(params: Parsed): Parsed {
  rethrowWithStatus(() => assertStorableValue(params));
  return params;
}

/** Yoga takes the HTTP status from GraphQL errors alone. */
function rethrowWithStatus(check: () => void): void {
  try {
    check();
  } catch (thrown) {
    if (thrown instanceof DomainError) throw toBadRequestError(thrown);
    throw thrown;
  }
}

const toBadRequestError = (error: DomainError) =>
  new GraphQLError(error.message, {
    extensions: { ...toExtensions(error), http: { spec: true, status: 400 } },
  });

const unreadableBody = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' });

const bodyTooLarge = () =>
  toBadRequestError(unreadableBody(`The body is too large: at most ${MAX_BODY_BYTES} bytes.`));
