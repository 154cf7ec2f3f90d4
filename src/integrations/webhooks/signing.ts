import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Creates a secret with which receivers verify deliveries, in the format of https://www.standardwebhooks.com. */
export const createSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns the headers of one attempt. During a rotation there are two secrets, and each one signs. */
export function signHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: string[],
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

/** Returns the request body of a message, which is the same for every attempt. */
export const toMessageBody = ({ type, payload, createdAt }: MessageContent) =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data: payload });

interface MessageContent {
  type: string;
  payload: unknown;
  createdAt: Date;
}
