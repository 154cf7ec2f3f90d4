import type { IncomingMessage, ServerResponse } from 'node:http';
import { trace } from '@opentelemetry/api';
import { authenticate, hasCredential, identifyDevice } from '../auth/authenticate.ts';
import { assertSameOrigin } from '../auth/cookies.ts';
import { countGuess, takeAtLeast } from '../auth/guesses.ts';
import { limitKeyedWrites } from '../auth/rate-limits.ts';
import { createRequestContext } from '../auth/request-context.ts';
import { isWellFormedSecret } from '../auth/tokens.ts';
import { anonymous, requireAccess, toCallerKey, type Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { logError } from '../core/error-log.ts';
import { findSizeProblem } from '../core/input-size.ts';
import {
  countSizePoints,
  hasBody,
  readJson,
  readMediaType,
  UnsupportedBody,
  unreadableBody,
} from '../core/request-body.ts';
import { findRequestId } from '../core/request-id.ts';
import { traceCommand } from '../core/tracing.ts';
import { assertStorableText, parseInput, parseQuery } from '../core/validation.ts';
import { parseIdempotencyKey, withIdempotency, withSharedIdempotency } from '../db/idempotency.ts';
import { DomainError, toDomainError, unauthenticated } from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { sendError, sendResponse, toEtag, toSuccessBody } from './envelope.ts';
import { toOperationId } from './openapi/names.ts';
import type { CallerRoute, DeviceRoute, Route, RouteResponse } from './route.ts';
import { parseSearch } from './search-parameters.ts';

interface RequestTarget {
  params: Record<string, string>;
  /** Includes the question mark. */
  search: string;
}

/** Handles a request to a route. Depends only on Node's request and response. */
export const handleRequest = (
  route: Route,
  deps: Dependencies,
  req: IncomingMessage,
  res: ServerResponse,
  target: RequestTarget,
): Promise<void> => {
  if (deps.tracer) nameRequestSpan(route);
  return route.access === 'device-token'
    ? handleDeviceRequest(route, deps, req, res, target)
    : handleCallerRequest(route, deps, req, res, target);
};

/** Paths contain ids and tokens, so the span of a request gets the path of its route. */
function nameRequestSpan({ method, path }: Route): void {
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${path}`);
  span?.setAttribute('http.route', path);
}

async function handleCallerRequest(
  route: CallerRoute,
  deps: Dependencies,
  req: IncomingMessage,
  res: ServerResponse,
  target: RequestTarget,
): Promise<void> {
  try {
    const viewer = await authenticateCaller(route, req, deps);
    if (route.body !== undefined && hasCredential(req.headers)) await deps.takeTurn(req);
    const address = findClientAddress(req, deps.config.trustProxy);
    // What is rejected keeps the charge.
    const size = deps.queryBudget.charge(viewer, address, countSizePoints(req));
    const key = route.method === 'POST' ? parseIdempotencyKey(req.headers) : undefined;
    const input = {
      params: target.params,
      query: parseRouteQuery(route, target.search),
      body: readBody(route, req),
      viewer,
      baseUrl: deps.config.baseUrl,
      address,
      rateLimits: deps.rateLimits,
    };
    await Promise.all([
      route.rateLimit?.(input),
      limitKeyedWrites(deps, viewer, key, input.address),
    ]);
    const guess = route.guess?.(input) ?? null;
    const ctx = createRequestContext(deps, req, res, viewer);
    if (route.method === 'POST') ctx.log = deps.log.child({ requestId: ctx.requestId });
    const count = <T>(work: () => Promise<T>, toData: (value: T) => unknown) =>
      takeAtLeast(route.minResponseMs, () => countGuess(guess, work, toData));
    if (key === undefined) {
      const response = await count(
        () => traceHandler(route, ctx, input),
        ({ data }) => data,
      );
      size.settle(0);
      return sendRouteResponse(route, req, res, response);
    }
    const caller = toCallerKey(viewer, input.address);
    const request = [route.method, route.path, input.params, input.body];
    const runOnce = route.sharesTransaction ? withSharedIdempotency : withIdempotency;
    const { status, body } = await count(
      () =>
        runOnce(
          ctx,
          { caller, key, request },
          (ctx) => traceHandler(route, ctx, input),
          (response) => ({
            status: getRouteStatus(route, response),
            body: toResponseBody(response).toString(),
          }),
        ),
      ({ body }) => JSON.parse(body).data, // the response can be a stored one
    );
    if (status < 400) size.settle(0);
    sendResponse(res, status, body);
  } catch (thrown) {
    handleError(deps, res, thrown);
  }
}

const traceHandler = (
  route: CallerRoute,
  ctx: Context,
  input: Parameters<CallerRoute['handler']>[1],
): Promise<RouteResponse> =>
  ctx.tracer === undefined
    ? route.handler(ctx, input)
    : traceCommand(ctx.tracer, toOperationId(route), () => route.handler(ctx, input));

async function handleDeviceRequest(
  route: DeviceRoute,
  deps: Dependencies,
  req: IncomingMessage,
  res: ServerResponse,
  { params, search }: RequestTarget,
): Promise<void> {
  try {
    const ctx = deps.anonymousContext;
    const deviceToken = parseDeviceToken(params, req);
    const parameters = search === '' ? undefined : new URLSearchParams(search);
    const hasEtag = (etag: string) => matchesEtag(req.headers['if-none-match'], etag);
    const response = await withDeviceTokenLimit(deps, req, deviceToken, () =>
      route.handler(ctx, {
        deviceToken,
        parameters,
        gateway: deps.deviceGateway,
        matchesEtag: hasEtag,
      }),
    );
    sendRouteResponse(route, req, res, response);
  } catch (thrown) {
    handleError(deps, res, thrown);
  }
}

/**
 * Limits unknown device tokens per address and network. A token that was valid recently is allowed even if another client of
 * the network has exhausted the limit, and costs no additional statement; the database still checks it. A malformed token
 * costs no query and does not count.
 */
async function withDeviceTokenLimit<T>(
  { rateLimits: { deviceTokens }, config }: Dependencies,
  req: IncomingMessage,
  deviceToken: string,
  poll: () => Promise<T>,
): Promise<T> {
  const keys = () => ({ address: findClientAddress(req, config.trustProxy) });
  if (!deviceTokens.isOpenToAll() && !deviceTokens.isRecentHit(deviceToken))
    deviceTokens.assertOpen(keys());
  try {
    const response = await poll();
    deviceTokens.recordHit(deviceToken);
    return response;
  } catch (error) {
    const isUnknown = toDomainError(error).code === 'UNAUTHENTICATED';
    if (isUnknown && isWellFormedSecret('deviceToken', deviceToken)) {
      await deviceTokens.recordMiss(keys(), deviceToken);
    }
    throw error;
  }
}

function sendRouteResponse(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  response: RouteResponse,
): void {
  const cache = 'cache' in route ? route.cache : undefined;
  const etag = response.etag ?? (cache && toEtag(toResponseBody(response)));
  const freshness: Record<string, string> =
    etag === undefined ? {} : { etag: `"${etag}"`, 'cache-control': toCacheControl(cache) };
  // A million displays poll small responses, and mostly get 304.
  const isCompressible = route.access !== 'device-token';
  const known = req.headers['if-none-match'];
  if (etag !== undefined && matchesEtag(known, etag)) {
    const isCompressed = known?.includes(`${etag}-gzip`);
    if (isCompressible) res.appendHeader('vary', 'Accept-Encoding');
    res.writeHead(304, { ...freshness, ...(isCompressed && { etag: `"${etag}-gzip"` }) });
    res.end();
    return;
  }
  const headers = {
    ...(route.mediaType ? { 'content-type': toContentType(route.mediaType) } : {}),
    ...route.headers,
    ...(response.filename
      ? { 'content-disposition': `inline; filename="${response.filename}"` }
      : {}),
    ...freshness,
  };
  const body = toResponseBody(response);
  sendResponse(res, getRouteStatus(route, response), body, headers, { isCompressible });
}

const toCacheControl = (cache: CallerRoute['cache']) =>
  cache
    ? `public, max-age=${cache.maxAgeSeconds}, stale-while-revalidate=${cache.staleWhileRevalidateSeconds}`
    : 'private, no-cache';

const toContentType = (mediaType: string) =>
  mediaType === 'application/pdf' ? mediaType : `${mediaType}; charset=utf-8`;

const getRouteStatus = (route: Route, response: RouteResponse) =>
  response.status ?? route.status ?? 200;

const toResponseBody = ({ data }: RouteResponse) =>
  typeof data === 'string' || Buffer.isBuffer(data) ? data : toSuccessBody(data);

/** Sends an error to the caller and logs internal ones. */
export function handleError(
  deps: Pick<Dependencies, 'log'>,
  res: ServerResponse,
  thrown: unknown,
): void {
  const error = toDomainError(thrown);
  logError(deps.log, error, { requestId: findRequestId(res) });
  if (res.headersSent) res.destroy();
  else sendError(res, error);
}

async function authenticateCaller(
  route: CallerRoute,
  req: IncomingMessage,
  deps: Dependencies,
): Promise<Viewer> {
  // Public routes ignore credentials, so an invalid one does not matter.
  if (route.access === 'public' && !route.optionalAuth)
    return route.optionalDeviceAuth ? identifyDevice(req.headers, deps) : anonymous;
  const { viewer, hasCookieCredential } = await authenticate(req.headers, deps).catch((error) => {
    const { code } = toDomainError(error);
    if (route.access === 'public' && (code === 'UNAUTHENTICATED' || code === 'BAD_REQUEST'))
      return { viewer: anonymous, hasCookieCredential: false };
    throw error;
  });
  if (hasCookieCredential && viewer !== anonymous && route.method === 'POST')
    assertSameOrigin(req.headers, deps.config);
  requireAccess(viewer, route.access);
  return viewer;
}

function parseDeviceToken(params: Record<string, string>, req: IncomingMessage): string {
  const secret =
    params.device_token ?? /^bearer +([^ ]+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (secret === undefined) throw unauthenticated();
  return secret;
}

function parseRouteQuery(route: CallerRoute, search: string) {
  const parameters = parseSearch(search, route.query);
  const query = parseQuery(route.query, parameters);
  assertOnePage(parameters);
  return query;
}

/** Objects that are selected by id come on one page, in their order. @throws BAD_REQUEST */
function assertOnePage(parameters: Record<string, string>): void {
  if (parameters.ids === undefined) return;
  const others = ['limit', 'cursor'].filter((name) => name in parameters);
  if (others.length === 0) return;
  const message =
    'cannot be combined with ids: all objects with these ids come on one page. Leave one of them out.';
  throw new DomainError('BAD_REQUEST', `${others.join(' and ')}: ${message}`, {
    reason: 'INVALID_INPUT',
    fields: ['ids', ...others].map((field) => ({ field, message: 'cannot be combined' })),
  });
}

/** Whether If-None-Match is a star or lists the tag. Weak tags count as strong, and the suffixes of proxies that compress do not count. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) =>
    ['*', `"${etag}"`].includes(
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/(?:(?:--|-|;)(?:gzip|br|zstd))+"$/, '"'),
    ),
  );
}

/** Parses the body. @throws BAD_REQUEST if it is not a JSON object, VALIDATION if it violates the route's schema. */
function readBody({ body: schema }: Route, req: IncomingMessage): unknown {
  if (schema === undefined) return undefined;
  if (!hasBody(req) && schema.safeParse({}).success) return parseInput(schema, {});
  return parseInput(schema, readJsonObject(req));
}

/** Parses the body. @throws BAD_REQUEST if it is not a JSON object. */
function readJsonObject(req: IncomingMessage): object {
  const value = readJsonBody(req);
  if (Array.isArray(value)) throw notAnObject();
  return value;
}

const notAnObject = () => unreadableBody('The body must be a JSON object.');

/** Parses the body. @throws BAD_REQUEST if it is not a JSON object or a list of some. */
export function readJsonBody(req: IncomingMessage): object | object[] {
  if (readMediaType(req) !== 'application/json')
    throw new UnsupportedBody('The body must be JSON, sent as Content-Type: application/json.');
  const { text, value } = readJson(req);
  const items = Array.isArray(value) ? value : [value];
  if (!items.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)))
    throw notAnObject();
  const tooLarge = findSizeProblem('The body has', value);
  if (tooLarge)
    throw new DomainError('BAD_REQUEST', tooLarge.message, {
      reason: 'INVALID_INPUT',
      limit: tooLarge.limit,
    });
  assertStorableText(text, value);
  return value as object | object[];
}
