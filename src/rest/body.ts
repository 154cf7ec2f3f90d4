import type { IncomingMessage } from 'node:http';
import { refuseUnstorableText } from '../core/storable-text.ts';
import { DomainError } from '../errors.ts';
import { getBody, hasBody, MAX_BODY_BYTES } from '../server/request-body.ts';
import { valid } from '../validation.ts';
import type { Route } from './route.ts';

/** What the caller wrote. Throws BAD_REQUEST where it cannot be read, VALIDATION where it breaks the route's schema. */
export function readBody({ body: schema }: Route, req: IncomingMessage): unknown {
  if (schema === undefined) return undefined;
  if (!hasBody(req) && schema.safeParse({}).success) return valid(schema, {});
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw unreadable('The body must be JSON, sent as Content-Type: application/json.');
  }
  return valid(schema, parsed(readBytes(req)));
}

function parsed(bytes: Buffer): object {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable('The body is not valid JSON in UTF-8.', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable('The body must be a JSON object.');
  }
  refuseUnstorableText(text, value);
  return value;
}

/** The bytes as they came. Throws BAD_REQUEST where there are too many. */
export function readBytes(req: IncomingMessage): Buffer {
  const body = getBody(req);
  if (body === null) throw tooLarge();
  return body;
}

const tooLarge = () => unreadable(`The body is too large: at most ${MAX_BODY_BYTES} bytes.`);

const unreadable = (message: string, cause?: unknown) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' }, { cause });
