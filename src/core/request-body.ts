import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';

export const MAX_BODY_BYTES = 200_000;

const BODY = Symbol('body');
type WithBody = IncomingMessage & { [BODY]?: Buffer | null };

const EMPTY = Buffer.alloc(0);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Stores the body for `readBytes`. Null means that it was too large and has been discarded. */
export function storeBody(req: IncomingMessage, body: Buffer | null): void {
  (req as WithBody)[BODY] = body;
}

/** Returns the whole body, which arrives before any handler runs. @throws BAD_REQUEST if it was too large. */
export function readBytes(req: IncomingMessage): Buffer {
  const body = (req as WithBody)[BODY];
  if (body === null)
    throw unreadableBody(`The body is too large: at most ${MAX_BODY_BYTES} bytes.`);
  return body ?? EMPTY;
}

const BYTES_PER_POINT = 1_000;

/** Returns what a request costs for its size alone, in points of a query budget: one for each thousand bytes, begun ones too. */
export const countSizePoints = (req: IncomingMessage): number =>
  Math.ceil((readBytes(req).length + (req.url ?? '').length) / BYTES_PER_POINT);

/** Returns the media type of the body in lower case, without parameters. Some programs send a list. */
export const readMediaType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Returns the text of the body, in the charset of its Content-Type, by default UTF-8, and without its byte order mark. Bytes that cannot
 * be decoded are rejected: replacing them would store broken letters.
 * @throws BAD_REQUEST if it is too large, compressed, or not text in this charset.
 */
export function readText(req: IncomingMessage): string {
  assertPlain(req);
  const bytes = readBytes(req);
  const charset = readCharset(req);
  if (charset !== 'utf-8') return decode(bytes, charset);
  if (!isUtf8(bytes))
    throw unreadableBody(
      'The body is not text in UTF-8. Send it in UTF-8, or name its charset in the header Content-Type.',
    );
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function assertPlain({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new UnsupportedBody(
      'The body is compressed (Content-Encoding). Send it without compression.',
    );
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";,]+)/i;

function readCharset({ headers }: IncomingMessage): string {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? '';
  return ['', 'utf8', 'us-ascii'].includes(charset) ? 'utf-8' : charset;
}

function decode(bytes: Buffer, charset: string): string {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnsupportedBody('The charset of the body is unknown. Send the body in UTF-8.');
  }
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw unreadableBody(`The body is not text in ${charset}, the charset of its header.`, cause);
  }
}

/** Parses the body, whatever its media type. @throws BAD_REQUEST if it is not JSON. */
export function readJson(req: IncomingMessage): { text: string; value: unknown } {
  const text = readText(req);
  try {
    return { text, value: JSON.parse(text) };
  } catch (cause) {
    throw unreadableBody('The body is not valid JSON.', cause);
  }
}

/** Returns the error for a body that cannot be parsed. */
export const unreadableBody = (message: string, cause?: unknown) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' }, { cause });

/** The body has a form that is not read, whatever it contains. HTTP has the status 415 for it; the contract of REST has not. */
export class UnsupportedBody extends DomainError {
  constructor(message: string) {
    super('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' });
  }
}
