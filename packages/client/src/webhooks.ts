import type { components } from './generated/rest-types.ts';

/** How far the timestamp of a message may be from the current time by default, in seconds, as Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 300;
/** Precedes a secret. The rest of it is base64. */
const SECRET_PREFIX = 'whsec_';

type Schemas = components['schemas'];
type MessageName = Exclude<Extract<keyof Schemas, `${string}Message`>, 'Message'>;

/** What `sendTestWebhook` sends. */
interface TestMessage {
  type: 'webhook.test';
  timestamp: string;
  data: { message: string };
}

/** A message of a webhook. Its `type` says what `data` has: the change, and the object unless it was deleted. */
export type WebhookMessage = { [Name in MessageName]: Schemas[Name] }[MessageName] | TestMessage;

/** What a message can be about, such as `booking.created`. */
export type WebhookMessageType = WebhookMessage['type'];

/** The headers of a request: those of `fetch`, or those of Node. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How far the timestamp of the message may be from now, in seconds. 300 by default. */
  tolerance?: number;
  /** Replaces the current time, for tests. */
  now?: Date;
}

/** Why a message was rejected. */
export type WebhookErrorCode = 'HEADER_MISSING' | 'TIMESTAMP' | 'SIGNATURE';

/** A request that is not from Foyer, or too old. Respond with the status 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Verifies a message of a webhook and returns it, by the specification of Standard Webhooks. With several secrets, the signature of
 * one is enough, as while a secret is replaced.
 *
 * @param body the bytes or the text of the request as they arrived, not the parsed JSON
 * @throws WebhookError if the request is not from Foyer; TypeError if a secret is malformed
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookMessage> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('Pass the body as it arrived, as a text or bytes, not the parsed JSON.');
  const keys = await Promise.all([secrets].flat().map(importSecret));
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => getHeader(headers, name),
  ) as [string, string, string];
  checkTimestamp(timestamp, tolerance, now);
  const signed = concatenate(`${id}.${timestamp}.`, body);
  for (const signature of parseSignatures(signatures))
    for (const key of keys)
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  throw new WebhookError(
    'SIGNATURE',
    'No signature of the message fits. Check the secret, and that the body is exactly what arrived.',
  );
}

function importSecret(secret: string): Promise<CryptoKey> {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const bytes = decodeBase64(text);
  if (bytes === null || bytes.length === 0)
    throw new TypeError('The secret is malformed. It begins with whsec_, and the rest is base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '')
    throw new WebhookError('HEADER_MISSING', `The request has no header ${name}.`);
  return value;
}

function checkTimestamp(timestamp: string, tolerance: number, now: Date): void {
  const age = now.getTime() / 1000 - Number(timestamp);
  if (Math.abs(age) <= tolerance) return;
  const distance = Number.isNaN(age)
    ? 'is not a number of seconds'
    : `is ${Math.round(Math.abs(age))} seconds ${age > 0 ? 'old' : 'in the future'}`;
  throw new WebhookError(
    'TIMESTAMP',
    `The timestamp of the message ${distance}. Check the clock of this machine.`,
  );
}

/** Each signature has a version. Those of other versions are for later receivers. */
const parseSignatures = (header: string) =>
  header
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => decodeBase64(signature.slice(3)))
    .filter((bytes) => bytes !== null);

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concatenate(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(prefix), typeof body === 'string' ? encoder.encode(body) : body];
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
