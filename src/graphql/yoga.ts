import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { EnvelopArmor } from '@escape.tech/graphql-armor';
import { GraphQLError } from 'graphql';
import { _createLRUCache as createLRU, createYoga, type Plugin } from 'graphql-yoga';
import { authenticate } from '../auth/authenticate.ts';
import { browserCookie, browserFrom, isSecure, sessionCookie } from '../auth/cookies.ts';
import { refuseForeignPage } from '../auth/origin.ts';
import { anonymous } from '../auth/viewer.ts';
import { findClientAddress } from '../client-ip.ts';
import type { Deps } from '../deps.ts';
import { isUnavailable, toDomainError } from '../errors.ts';
import { callerOf, idempotencyKeyOf } from '../idempotency.ts';
import type { GraphqlContext } from './context.ts';
import { asGraphqlError, extensionsOf, ownCodes } from './errors.ts';
import { jit } from './jit.ts';
import { loadersFor } from './loaders.ts';
import { bufferedBody } from './request-body.ts';
import { schema } from './schema.ts';

interface Server {
  req: IncomingMessage;
  res: ServerResponse;
}

/** Parsed documents that are kept: what clients send is always the same few. */
const MOST_DOCUMENTS = 100;

// What a query asks for is bounded by the schema's own complexity; these bound its text.
const armor = new EnvelopArmor({
  blockFieldSuggestion: { enabled: false }, // the schema is public
  costLimit: { enabled: false },
  maxAliases: { n: 15 },
  maxDepth: { n: 12 },
  maxDirectives: { n: 50 },
  maxTokens: { n: 1000 },
});

/** The GraphQL door, as a handler for Node's request and response. */
export function createGraphql(deps: Deps): RequestListener {
  const yoga = createYoga<Server>({
    schema,
    graphqlEndpoint: '*',
    landingPage: false,
    graphiql: false,
    cors: false, // both doors share one answer to that
    multipart: false,
    batching: false,
    parserAndValidationCache: {
      documentCache: createLRU({ max: MOST_DOCUMENTS }),
      errorCache: createLRU({ max: MOST_DOCUMENTS }),
    },
    maxRequestBodySize: false, // bounded before it gets here
    logging: false,
    maskedErrors: { maskError: (error) => asGraphqlError(error, deps.log) },
    context: ({ req, res }) => contextFor(req, res, deps),
    plugins: [
      bufferedBody(),
      ...(armor.protect().plugins as Plugin[]),
      jit(schema),
      ownCodes(deps.log),
    ],
  });
  return (req, res) => {
    // Yoga makes an address of it, which nothing here needs, and would fall over one that is none.
    if (!URL.canParse(`http://${req.headers.host}`)) delete req.headers.host;
    return yoga(req, res);
  };
}

async function contextFor(
  req: IncomingMessage,
  res: ServerResponse,
  deps: Deps,
): Promise<GraphqlContext> {
  const { viewer, idempotencyKey } = await headersOf(req, deps).catch((thrown) => {
    const error = toDomainError(thrown);
    if (isUnavailable(error)) throw asGraphqlError(error, deps.log);
    const status =
      { BAD_REQUEST: 400, UNAUTHENTICATED: 401, FORBIDDEN: 403 }[error.code as string] ?? 500;
    throw new GraphQLError(error.message, {
      extensions: { ...extensionsOf(error), http: { status } },
    });
  });
  const secure = { secure: isSecure(deps.config) };
  const address = findClientAddress(req, deps.config.trustProxy);
  const ctx = { ...deps.ctx(viewer), clientAddress: address };
  return {
    ctx,
    deps,
    loaders: loadersFor(ctx),
    address,
    idempotencyKey,
    refuseForeignPage: () => refuseForeignPage(req.headers, deps.config),
    viewerNow: async () => (await authenticate(req.headers, deps)).viewer,
    openStream: () => deps.streams.open(callerOf(viewer, address), res),
    browser: browserFrom(req.headers.cookie, secure),
    setSession: (secret) => res.setHeader('set-cookie', sessionCookie(secret, secure)),
    setBrowser: (secret) => res.appendHeader('set-cookie', browserCookie(secret, secure)),
  };
}

async function headersOf(req: IncomingMessage, deps: Deps) {
  const { viewer, byCookie } = await authenticate(req.headers, deps);
  if (byCookie && viewer !== anonymous) refuseForeignPage(req.headers, deps.config);
  return { viewer, idempotencyKey: idempotencyKeyOf(req.headers) };
}
