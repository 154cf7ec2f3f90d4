import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A secret with which receivers verify deliveries, as https://www.standardwebhooks.com defines it. */
export const createSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of one attempt, signed with every secret: during a rotation there are two. */
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

/** The request body of a message, the same at every attempt. */
export const toMessageBody = ({ type, payload, createdAt }: MessageContent) =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data: payload });

interface MessageContent {
  type: string;
  payload: unknown;
  createdAt: Date;
}
