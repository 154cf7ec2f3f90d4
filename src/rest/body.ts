import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors.ts';
import { valid } from '../validation.ts';
import type { Route } from './route.ts';

const MOST_BYTES = 200_000;

/** What the caller wrote. Throws BAD_REQUEST where it cannot be read, VALIDATION where it breaks the route's schema. */
export async function readBody({ body: schema }: Route, req: IncomingMessage): Promise<unknown> {
  if (schema === undefined) return undefined;
  if (!hasBody(req) && schema.safeParse({}).success) return valid(schema, {});
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw unreadable('The body must be JSON, sent as Content-Type: application/json.');
  }
  if (Number(req.headers['content-length']) > MOST_BYTES) throw tooLarge();
  return valid(schema, parsed(await bytesOf(req)));
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function parsed(bytes: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw unreadable('The body is not valid JSON in UTF-8.', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable('The body must be a JSON object.');
  }
  return value;
}

/** What is too much is read to its end and forgotten, so that the caller gets to read the answer. */
export function bytesOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', (cause) => reject(unreadable('The body did not arrive whole.', cause)));
  });
}

const tooLarge = () => unreadable(`The body is too large: at most ${MOST_BYTES} bytes.`);

const unreadable = (message: string, cause?: unknown) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' }, { cause });
