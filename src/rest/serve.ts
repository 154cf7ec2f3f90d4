import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { authenticate, deviceIn } from '../auth/authenticate.ts';
import { refuseForeignPage } from '../auth/origin.ts';
import { countGuess } from '../auth/rate-limits.ts';
import { isWellFormed } from '../auth/secrets.ts';
import { anonymous, demand, type Viewer } from '../auth/viewer.ts';
import { findClientAddress } from '../client-ip.ts';
import type { Ctx } from '../context.ts';
import type { Deps } from '../deps.ts';
import { DomainError, isOurs, isUnavailable, toDomainError, unauthenticated } from '../errors.ts';
import { callerOf, idempotencyKeyOf, limitKeyedWrites, once } from '../idempotency.ts';
import { readable } from '../validation.ts';
import { readBody } from './body.ts';
import { send, sendError, success } from './envelope.ts';
import type { Answer, CallerRoute, DeviceRoute, Route } from './route.ts';

interface Address {
  params: Record<string, string>;
  /** With its question mark. */
  search: string;
}

/** Answers one request to one route. Needs nothing but Node's own request and response. */
export const serve = (
  entry: Route,
  deps: Deps,
  req: IncomingMessage,
  res: ServerResponse,
  address: Address,
): Promise<void> =>
  entry.access === 'device-token'
    ? serveDevice(entry, deps, req, res, address)
    : serveCaller(entry, deps, req, res, address);

async function serveCaller(
  entry: CallerRoute,
  deps: Deps,
  req: IncomingMessage,
  res: ServerResponse,
  address: Address,
): Promise<void> {
  try {
    const viewer = await viewerFor(entry, req, deps);
    const key = entry.method === 'POST' ? idempotencyKeyOf(req.headers) : undefined;
    const input = {
      params: address.params,
      query: readable(entry.query, queryOf(address.search)),
      body: readBody(entry, req),
      viewer,
      baseUrl: deps.config.baseUrl,
      address: findClientAddress(req, deps.config.trustProxy),
      rateLimits: deps.rateLimits,
    };
    await Promise.all([entry.admit?.(input), limitKeyedWrites(deps, viewer, key, input.address)]);
    const guess = entry.guess?.(input) ?? null;
    const ctx = { ...deps.ctx(viewer), clientAddress: input.address };
    const noSooner = entry.leastMs === undefined ? undefined : setTimeout(entry.leastMs);
    if (key === undefined) {
      const answer = await countGuess(guess, () => entry.answer(ctx, input));
      await noSooner;
      return reply(entry, req, res, answer);
    }
    const caller = callerOf(viewer, input.address);
    const request = [entry.method, entry.path, input.params, input.body];
    const { status, body } = await countGuess(guess, () =>
      once(ctx, { caller, key, request }, async (ctx) => {
        const answer = await entry.answer(ctx, input);
        return { status: statusOf(entry, answer), body: bodyOf(answer) };
      }),
    );
    await noSooner;
    send(res, status, body);
  } catch (thrown) {
    refuse(deps, res, thrown);
  }
}

const contexts = new WeakMap<Deps, Ctx>();

async function serveDevice(
  entry: DeviceRoute,
  deps: Deps,
  req: IncomingMessage,
  res: ServerResponse,
  { params, search }: Address,
): Promise<void> {
  try {
    const ctx = contexts.get(deps) ?? deps.ctx(anonymous); // the same for all of them
    contexts.set(deps, ctx);
    const deviceToken = deviceTokenOf(params, req);
    const parameters = search === '' ? undefined : new URLSearchParams(search);
    const has = (etag: string) => names(req.headers['if-none-match'], etag);
    const answer = await pollWithLimit(deps, req, deviceToken, () =>
      entry.poll(ctx, { deviceToken, parameters, has }),
    );
    reply(entry, req, res, answer);
  } catch (thrown) {
    refuse(deps, res, thrown);
  }
}

/**
 * Counts unknown device tokens per address and network, in nobody's way: a token that was known a moment ago passes even
 * where a neighbour has used the limit up, and costs no statement besides its own. Whether it still holds is asked of the
 * database as ever. A malformed token costs no query and does not count.
 */
async function pollWithLimit<T>(
  { rateLimits: { deviceTokens }, config }: Deps,
  req: IncomingMessage,
  deviceToken: string,
  poll: () => Promise<T>,
): Promise<T> {
  const keys = () => ({ address: findClientAddress(req, config.trustProxy) });
  if (!deviceTokens.isOpenToAll() && !deviceTokens.isRecentHit(deviceToken))
    deviceTokens.assertOpen(keys());
  try {
    const answer = await poll();
    deviceTokens.recordHit(deviceToken);
    return answer;
  } catch (error) {
    const isUnknown = toDomainError(error).code === 'UNAUTHENTICATED';
    if (isUnknown && isWellFormed('deviceToken', deviceToken)) {
      await deviceTokens.recordMiss(keys(), deviceToken);
    }
    throw error;
  }
}

function reply(entry: Route, req: IncomingMessage, res: ServerResponse, answer: Answer): void {
  const { etag } = answer;
  const freshness: Record<string, string> =
    etag === undefined ? {} : { etag: `"${etag}"`, 'cache-control': 'private, no-cache' };
  if (etag !== undefined && names(req.headers['if-none-match'], etag)) {
    res.writeHead(304, freshness);
    res.end();
    return;
  }
  send(res, statusOf(entry, answer), bodyOf(answer), {
    ...(entry.mediaType ? { 'content-type': `${entry.mediaType}; charset=utf-8` } : {}),
    ...freshness,
  });
}

const statusOf = (entry: Route, answer: Answer) => answer.status ?? entry.status ?? 200;

const bodyOf = ({ data }: Answer) => (typeof data === 'string' ? data : success(data));

/** Tells the caller what they may know, and the log the rest. */
export function refuse(deps: Pick<Deps, 'log'>, res: ServerResponse, thrown: unknown): void {
  const error = toDomainError(thrown);
  if (isUnavailable(error)) deps.log.warn({ err: error.cause }, error.message);
  else if (isOurs(error)) deps.log.error({ err: error.cause ?? error }, 'request failed');
  if (res.headersSent) res.destroy();
  else sendError(res, error);
}

async function viewerFor(entry: CallerRoute, req: IncomingMessage, deps: Deps): Promise<Viewer> {
  // A public path does not look at credentials, so a bad one cannot spoil it.
  if (entry.access === 'public' && !entry.knowsCallers)
    return entry.knowsDevices ? deviceIn(req.headers, deps) : anonymous;
  const { viewer, byCookie } = await authenticate(req.headers, deps).catch((error) => {
    if (entry.access === 'public' && toDomainError(error).code === 'UNAUTHENTICATED')
      return { viewer: anonymous, byCookie: false };
    throw error;
  });
  if (byCookie && viewer !== anonymous && entry.method === 'POST')
    refuseForeignPage(req.headers, deps.config);
  demand(viewer, entry.access);
  return viewer;
}

function deviceTokenOf(params: Record<string, string>, req: IncomingMessage): string {
  const secret =
    params.device_token ?? /^bearer +([^ ]+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (secret === undefined) throw unauthenticated();
  return secret;
}

function queryOf(search: string): Record<string, string> {
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

/** If-None-Match: a list of tags, weak ones count as strong, or a star. */
function names(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .some((tag) => ['*', `"${etag}"`].includes(tag.trim().replace(/^W\//, '')));
}
