import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzip } from 'node:zlib';

/** Below this, a compressed response takes no fewer packets. */
const MIN_COMPRESSED_BYTES = 1_024;
/** More takes twice the processor time, and saves a tenth of what is left. */
const LEVEL = constants.Z_BEST_SPEED;
const JSON_TYPE = /^application\/([\w-]+\+)?json\b/;
const ACCEPTED_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+)\s*)?(?=,|$)/i;

type Headers = Record<string, string | number>;

/**
 * Sends a whole response, and compresses it if it is JSON, large enough, and the client accepts that. The tag of a compressed one ends
 * with `-gzip`, since a strong tag names the bytes.
 */
export function sendBody(
  res: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Buffer,
): void {
  const type = String(headers['content-type'] ?? '');
  if (Buffer.byteLength(body) < MIN_COMPRESSED_BYTES || !JSON_TYPE.test(type)) {
    res.writeHead(status, headers).end(body);
    return;
  }
  res.appendHeader('vary', 'Accept-Encoding');
  if (!canCompress(res.req)) {
    res.writeHead(status, headers).end(body);
    return;
  }
  gzip(body, { level: LEVEL }, (error, compressed) => {
    if (res.destroyed || res.headersSent) return;
    if (error) {
      res.writeHead(status, headers).end(body);
      return;
    }
    const { etag } = headers;
    res.writeHead(status, {
      ...headers,
      ...(etag !== undefined && { etag: String(etag).replace(/"$/, '-gzip"') }),
      'content-encoding': 'gzip',
      'content-length': compressed.length,
    });
    res.end(compressed);
  });
}

/** Compresses a text as `sendBody` does. Null if it is sent as it is. */
export const compressFor = (
  req: IncomingMessage,
  text: string,
): Promise<Buffer<ArrayBuffer> | null> =>
  new Promise((resolve) => {
    if (Buffer.byteLength(text) < MIN_COMPRESSED_BYTES || !canCompress(req)) return resolve(null);
    gzip(text, { level: LEVEL }, (error, compressed) => resolve(error ? null : compressed));
  });

/**
 * Whether the response can be compressed. The length of a compressed response tells how similar its parts are (BREACH): a page of
 * another site, that makes a browser send what it chooses with the session of a person, could guess a secret in the response.
 */
export function canCompress({ headers }: IncomingMessage): boolean {
  const accepted = ACCEPTED_GZIP.exec(String(headers['accept-encoding'] ?? ''));
  if (accepted === null || Number(accepted[1] ?? 1) === 0) return false;
  const site = headers['sec-fetch-site'] ?? 'none';
  return headers.cookie === undefined || site === 'same-origin' || site === 'none';
}
