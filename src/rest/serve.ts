import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate } from '../auth/authenticate.ts';
import { anonymous, demand, type Viewer } from '../auth/viewer.ts';
import type { Deps } from '../deps.ts';
import { DomainError, isOurs, toDomainError, unauthenticated } from '../errors.ts';
import { readable } from '../validation.ts';
import { send, sendError, success } from './envelope.ts';
import type { Route } from './route.ts';

/** Answers one request to one route. Needs nothing but Node's own request and response. */
export async function serve(
  entry: Route,
  deps: Deps,
  req: IncomingMessage,
  res: ServerResponse,
  address: { params: Record<string, string>; search: string },
): Promise<void> {
  try {
    const viewer = await viewerFor(entry, req, deps);
    const query = readable(entry.query, queryOf(address.search));
    const deviceToken = entry.access === 'device-token' ? deviceTokenOf(address.params, req) : '';
    const { data, etag } = await entry.answer(deps.ctx(viewer), {
      params: address.params,
      query,
      deviceToken,
    });
    if (etag === undefined) return send(res, 200, success(data));
    const headers = { etag: `"${etag}"`, 'cache-control': 'private, no-cache' };
    if (names(req.headers['if-none-match'], etag)) {
      res.writeHead(304, headers);
      res.end();
      return;
    }
    send(res, 200, success(data), headers);
  } catch (thrown) {
    refuse(deps, res, thrown);
  }
}

/** Tells the caller what they may know, and the log the rest. */
export function refuse(deps: Pick<Deps, 'log'>, res: ServerResponse, thrown: unknown): void {
  const error = toDomainError(thrown);
  if (error.details.reason === 'UNAVAILABLE') deps.log.warn(error.message);
  else if (isOurs(error)) deps.log.error({ err: error.cause ?? error }, 'request failed');
  if (res.headersSent) res.destroy();
  else sendError(res, error);
}

async function viewerFor(entry: Route, req: IncomingMessage, deps: Deps): Promise<Viewer> {
  // A public path does not look at credentials, so a bad one cannot spoil it.
  if (entry.access === 'public' || entry.access === 'device-token') return anonymous;
  const { viewer } = await authenticate(req.headers, deps);
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
    if (name in query) throw new DomainError('BAD_REQUEST', `${name}: given more than once.`);
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
