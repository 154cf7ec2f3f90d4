import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'x-request-id';
const VALID = /^[\w.:-]{8,100}$/;

/**
 * Gives the request an id and sends it with the response. Clients and proxies can choose it with the header X-Request-Id; an
 * invalid one is replaced.
 */
export function assignRequestId(req: IncomingMessage, res: ServerResponse): void {
  const given = req.headers[HEADER];
  const id = typeof given === 'string' && VALID.test(given) ? given : randomUUID();
  req.headers[HEADER] = id;
  res.setHeader(HEADER, id);
}

/** Returns the id that `assignRequestId` has given to the request. */
export const getRequestId = (req: IncomingMessage): string => String(req.headers[HEADER]);

/** Returns the id of the response's request, if it has one. */
export const findRequestId = (res: ServerResponse): string | undefined =>
  res.getHeader(HEADER)?.toString();
