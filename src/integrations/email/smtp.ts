import { createTransport, type Transporter } from 'nodemailer';
import type { Mail } from '../../db/generated/client.ts';

/** The way out. Throws what the server said; always settles within the time limit. */
export interface EmailTransport {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Over so many connections; a slow one holds up its own mail only. */
export const MAX_CONCURRENT_DELIVERIES = 10;
/** For one mail, from the connection to the server's last word. */
const ATTEMPT_TIMEOUT_MS = 60_000;
/** The time limit of the attempt comes first, so that these tell of a server that cannot be reached. */
const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 120_000 };

/** `url` is smtp:// or smtps://, `from` a name with an address. Connects when there is something to send. */
export function createSmtpTransport({
  url,
  from,
  timeoutMs = ATTEMPT_TIMEOUT_MS,
}: {
  url: string;
  from: string;
  timeoutMs?: number;
}): EmailTransport {
  const smtp: Transporter = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONCURRENT_DELIVERIES,
    ...TIMEOUTS_MS,
  });
  const host = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, recipient, subject, text, html }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const message = {
        from,
        // As an object it is one address, whatever stands in it.
        to: { name: '', address: recipient },
        subject,
        text,
        ...(html === null ? {} : { html }),
        // The same at every attempt, so that a mailbox can tell a second copy.
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      };
      try {
        await smtp.sendMail(message);
      } catch (error) {
        throw signal.aborted ? deliveryTimeout(timeoutMs, error) : error;
      }
    },
    close: () => smtp.close(),
  };
}

const TIMED_OUT = 'ATTEMPT_TIMED_OUT';
const deliveryTimeout = (ms: number, cause: unknown) =>
  Object.assign(
    new Error(`The mail server took longer than ${Math.round(ms / 1_000)} seconds.`, { cause }),
    { code: TIMED_OUT },
  );

/**
 * How the attempt failed: this very mail was refused for good (by the server, or because its address is none), or for now,
 * or took too long, or nothing could be sent at all.
 */
export function classifySmtpError(
  error: unknown,
): 'refused' | 'not now' | 'timed out' | 'unreachable' {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code === TIMED_OUT) return 'timed out';
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'unreachable';
  if (responseCode === undefined) return code === 'EENVELOPE' ? 'refused' : 'not now';
  return responseCode >= 500 ? 'refused' : 'not now';
}
