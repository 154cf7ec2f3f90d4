import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { authenticate, identifyDevice } from '../auth/authenticate.ts';
import { assertSameOrigin } from '../auth/cookies.ts';
import { countGuess } from '../auth/rate-limits.ts';
import { isWellFormedSecret } from '../auth/tokens.ts';
import { anonymous, requireAccess, type Viewer } from '../auth/viewer.ts';
import { findClientAddress } from '../core/client-ip.ts';
import {
  limitKeyedWrites,
  parseIdempotencyKey,
  toCallerKey,
  withIdempotency,
} from '../core/idempotency.ts';
import { getBody, hasBody, MAX_BODY_BYTES } from '../core/request-body.ts';
import { assertStorableText, parseInput, parseQuery } from '../core/validation.ts';
import {
  DomainError,
  isInternal,
  isUnavailable,
  toDomainError,
  unauthenticated,
} from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { sendError, sendResponse, toSuccessBody } from './envelope.ts';
import type { CallerRoute, DeviceRoute, Route, RouteResponse } from './route.ts';

interface RequestTarget {
  params: Record<string, string>;
  /** Includes the question mark. */
  search: string;
}

/** Handles a request to a route. Depends only on Node's request and response. */
export const handleRequest = (
  entry: Route,
  deps: Dependencies,
  req: IncomingMessage,
  res: ServerResponse,
  target: RequestTarget,
): Promise<void> =>
  entry.access === 'device-token'
    ? handleDeviceRequest(entry, deps, req, res, target)
    : handleCallerRequest(entry, deps, req, res, target);

async function handleCallerRequest(
  entry: CallerRoute,
  deps: Dependencies,
  req: IncomingMessage,
  res: ServerResponse,
  target: RequestTarget,
): Promise<void> {
  try {
    const viewer = await authenticateCaller(entry, req, deps);
    const key = entry.method === 'POST' ? parseIdempotencyKey(req.headers) : undefined;
    const input = {
      params: target.params,
      query: parseQuery(entry.query, parseSearch(target.search)),
      body: readBody(entry, req),
      viewer,
      baseUrl: deps.config.baseUrl,
      address: findClientAddress(req, deps.config.trustProxy),
      rateLimits: deps.rateLimits,
    };
    await Promise.all([
      entry.rateLimit?.(input),
      limitKeyedWrites(deps, viewer, key, input.address),
    ]);
    const guess = entry.guess?.(input) ?? null;
    const ctx = { ...deps.createContext(viewer), clientAddress: input.address };
    const minResponse =
      entry.minResponseMs === undefined ? undefined : setTimeout(entry.minResponseMs);
    if (key === undefined) {
      const response = await countGuess(guess, () => entry.handler(ctx, input));
      await minResponse;
      return sendRouteResponse(entry, req, res, response);
    }
    const caller = toCallerKey(viewer, input.address);
    const request = [entry.method, entry.path, input.params, input.body];
    const { status, body } = await countGuess(guess, () =>
      withIdempotency(ctx, { caller, key, request }, async (ctx) => {
        const response = await entry.handler(ctx, input);
        return { status: getRouteStatus(entry, response), body: toResponseBody(response) };
      }),
    );
    await minResponse;
    sendResponse(res, status, body);
  } catch (thrown) {
    handleError(deps, res, thrown);
  }
}

async function handleDeviceRequest(
  entry: DeviceRoute,
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
      entry.handler(ctx, {
        deviceToken,
        parameters,
        gateway: deps.deviceGateway,
        matchesEtag: hasEtag,
      }),
    );
    sendRouteResponse(entry, req, res, response);
  } catch (thrown) {
    handleError(deps, res, thrown);
  }
}

/**
 * Limits unknown device tokens per address and network. A recently valid token passes even if a neighbour has exhausted
 * the limit, and costs no additional statement. The database still checks it. A malformed token costs no query and does
 * not count.
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
  entry: Route,
  req: IncomingMessage,
  res: ServerResponse,
  response: RouteResponse,
): void {
  const { etag } = response;
  const freshness: Record<string, string> =
    etag === undefined ? {} : { etag: `"${etag}"`, 'cache-control': 'private, no-cache' };
  if (etag !== undefined && matchesEtag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, freshness);
    res.end();
    return;
  }
  sendResponse(res, getRouteStatus(entry, response), toResponseBody(response), {
    ...(entry.mediaType ? { 'content-type': `${entry.mediaType}; charset=utf-8` } : {}),
    ...freshness,
  });
}

const getRouteStatus = (entry: Route, response: RouteResponse) =>
  response.status ?? entry.status ?? 200;

const toResponseBody = ({ data }: RouteResponse) =>
  typeof data === 'string' ? data : toSuccessBody(data);

/** Sends an error to the caller and logs internal ones. */
export function handleError(
  deps: Pick<Dependencies, 'log'>,
  res: ServerResponse,
  thrown: unknown,
): void {
  const error = toDomainError(thrown);
  if (isUnavailable(error)) deps.log.warn({ err: error.cause }, error.message);
  else if (isInternal(error)) deps.log.error({ err: error.cause ?? error }, 'request failed');
  if (res.headersSent) res.destroy();
  else sendError(res, error);
}

async function authenticateCaller(
  entry: CallerRoute,
  req: IncomingMessage,
  deps: Dependencies,
): Promise<Viewer> {
  // Public routes ignore credentials, so an invalid one does not matter.
  if (entry.access === 'public' && !entry.optionalAuth)
    return entry.optionalDeviceAuth ? identifyDevice(req.headers, deps) : anonymous;
  const { viewer, hasCookieCredential } = await authenticate(req.headers, deps).catch((error) => {
    if (entry.access === 'public' && toDomainError(error).code === 'UNAUTHENTICATED')
      return { viewer: anonymous, hasCookieCredential: false };
    throw error;
  });
  if (hasCookieCredential && viewer !== anonymous && entry.method === 'POST')
    assertSameOrigin(req.headers, deps.config);
  requireAccess(viewer, entry.access);
  return viewer;
}

function parseDeviceToken(params: Record<string, string>, req: IncomingMessage): string {
  const secret =
    params.device_token ?? /^bearer +([^ ]+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (secret === undefined) throw unauthenticated();
  return secret;
}

function parseSearch(search: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in query)
      throw new DomainError('BAD_REQUEST', `${name}: given more than once.`, {
        reason: 'INVALID_INPUT',
      });
    query[name] = value;
  }
  return query;
}

/** Whether If-None-Match is a star or lists the tag. Weak tags count as strong. */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .some((tag) => ['*', `"${etag}"`].includes(tag.trim().replace(/^W\//, '')));
}

/** Parses the body. @throws BAD_REQUEST if it is not a JSON object, VALIDATION if it violates the route's schema. */
function readBody({ body: schema }: Route, req: IncomingMessage): unknown {
  if (schema === undefined) return undefined;
  if (!hasBody(req) && schema.safeParse({}).success) return parseInput(schema, {});
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw unreadableBody('The body must be JSON, sent as Content-Type: application/json.');
  }
  return parseInput(schema, parseJsonObject(readBytes(req)));
}

function parseJsonObject(bytes: Buffer): object {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadableBody('The body is not valid JSON in UTF-8.', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadableBody('The body must be a JSON object.');
  }
  assertStorableText(text, value);
  return value;
}

/** Returns the raw body. @throws BAD_REQUEST if it is too large. */
export function readBytes(req: IncomingMessage): Buffer {
  const body = getBody(req);
  if (body === null) throw bodyTooLarge();
  return body;
}

const bodyTooLarge = () =>
  unreadableBody(`The body is too large: at most ${MAX_BODY_BYTES} bytes.`);

const unreadableBody = (message: string, cause?: unknown) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' }, { cause });
