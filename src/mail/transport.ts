import { createTransport, type Transporter } from 'nodemailer';
import type { Mail } from '../db/generated/client.ts';

/** The way out. One mail at a time; throws what the server said. */
export interface Transport {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** `url` is smtp:// or smtps://, `from` a name with an address. Connects when there is something to send. */
export function smtpTransport({ url, from }: { url: string; from: string }): Transport {
  const smtp: Transporter = createTransport({ url, pool: true, maxConnections: 1, ...TIMEOUTS_MS });
  const host = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, recipient, subject, text, html }) => {
      await smtp.sendMail({
        from,
        // As an object it is one address, whatever stands in it.
        to: { name: '', address: recipient },
        subject,
        text,
        ...(html === null ? {} : { html }),
        // The same at every attempt, so that a mailbox can tell a second copy.
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => smtp.close(),
  };
}

/**
 * How the attempt failed: this very mail was refused for good (by the server, or because its address is none), or for now,
 * or nothing could be sent at all.
 */
export function verdictOn(error: unknown): 'refused' | 'not now' | 'unreachable' {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'unreachable';
  if (responseCode === undefined) return code === 'EENVELOPE' ? 'refused' : 'not now';
  return responseCode >= 500 ? 'refused' : 'not now';
}
