import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** What a receiver verifies with. As https://www.standardwebhooks.com says. */
export const createSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of one attempt. Several secrets sign at once while one takes over from another. */
export function signHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: string[],
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
  };
}

/** What is sent of a message: the same at every attempt. */
export const toMessageBody = ({ type, payload, createdAt }: MessageContent) =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data: payload });

interface MessageContent {
  type: string;
  payload: unknown;
  createdAt: Date;
}
