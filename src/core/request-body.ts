import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 200_000;

const BODY = Symbol('body');
type WithBody = IncomingMessage & { [BODY]?: Buffer | null };

const EMPTY = Buffer.alloc(0);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Null stands for a body that is too large and was discarded. */
export function storeBody(req: IncomingMessage, body: Buffer | null): void {
  (req as WithBody)[BODY] = body;
}

/** The whole body. It arrived before any handler runs. Null if it is too large. */
export function getBody(req: IncomingMessage): Buffer | null {
  const body = (req as WithBody)[BODY];
  return body === undefined ? EMPTY : body;
}
