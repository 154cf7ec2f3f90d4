import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { matchesEtag } from '../rest/handle-request.ts';

/** A response that is the same for everyone who is not signed in, so that browsers and proxies can keep it for a while. */
export interface CacheableBody {
  contentType: string;
  text: string;
  compressed: Buffer;
  etag: string;
}

const compress = promisify(gzip);

/** `identity` is the part of the text that has a meaning. Default: all of it. */
export async function toCacheableBody(
  contentType: string,
  text: string,
  identity = text,
): Promise<CacheableBody> {
  return {
    contentType: `${contentType}; charset=utf-8`,
    text,
    compressed: await compress(text),
    etag: createHash('sha256').update(identity).digest('base64url'),
  };
}

/** Returns a function that converts the text of one file, and compresses it only if it has changed since the last call. */
export function createCacheableFile(contentType: string): (text: string) => Promise<CacheableBody> {
  let last: { text: string; body: Promise<CacheableBody> } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, body: toCacheableBody(contentType, text) };
    return last.body;
  };
}

/** How long browsers and proxies keep a response, and how much longer they can show it while they ask for a new one. */
const CACHE_CONTROL = 'public, max-age=30, stale-while-revalidate=300';

/** Sends the body, or 304 if the client has it. */
export function sendCacheable(
  req: Request,
  res: Response,
  body: CacheableBody,
  { cacheControl = CACHE_CONTROL, status = 200, headers = {} as Record<string, string> } = {},
): void {
  res.set({ 'cache-control': cacheControl, 'x-content-type-options': 'nosniff', ...headers });
  res.vary('accept-encoding');
  // Weak, since the compressed and the plain text have the same tag.
  res.set('etag', `W/"${body.etag}"`);
  if (status === 200 && matchesEtag(req.headers['if-none-match'], body.etag)) {
    res.status(304).end();
    return;
  }
  const isCompressed = req.acceptsEncodings('gzip') !== false;
  const content = isCompressed ? body.compressed : Buffer.from(body.text);
  if (isCompressed) res.set('content-encoding', 'gzip');
  res.set({ 'content-type': body.contentType, 'content-length': String(content.length) });
  res.status(status).end(content);
}
