import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';

export const MAX_BODY_BYTES = 200_000;

const BODY = Symbol('body');
type WithBody = IncomingMessage & { [BODY]?: Buffer | null };

const EMPTY = Buffer.alloc(0);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Stores the body for `getBody`. Null means that it was too large and has been discarded. */
export function storeBody(req: IncomingMessage, body: Buffer | null): void {
  (req as WithBody)[BODY] = body;
}

/** Returns the whole body, which arrives before any handler runs, or null if it was too large. */
export function getBody(req: IncomingMessage): Buffer | null {
  const body = (req as WithBody)[BODY];
  return body === undefined ? EMPTY : body;
}

/** Returns the error for a body that cannot be parsed. */
export const unreadableBody = (message: string, cause?: unknown) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' }, { cause });

export const bodyTooLarge = () =>
  unreadableBody(`The body is too large: at most ${MAX_BODY_BYTES} bytes.`);
