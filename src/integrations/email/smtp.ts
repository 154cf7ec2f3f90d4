import { createTransport, type Transporter } from 'nodemailer';
import type { Mail } from '../../db/generated/client.ts';
import { CALENDAR_FILENAME, type RenderedAttachments } from './attachments.ts';
import { parseSender } from './sender.ts';

/** An email with what is known only when it is sent. */
export interface SentMail extends Mail {
  /** The name of the space, or null: the sender has the name that the transport knows. */
  senderName: string | null;
}

/** Sends emails. `send` settles within a timeout. @throws the error of the server */
export interface EmailTransport {
  send(mail: SentMail, attachments: RenderedAttachments): Promise<void>;
  close(): void;
}

/** Each delivery has its own connection, so a slow one delays no other email. */
export const MAX_CONCURRENT_DELIVERIES = 10;
/** The timeout of one email, from connecting to the last response. */
const ATTEMPT_TIMEOUT_MS = 60_000;
/** The connection and the greeting time out before the whole attempt does, so these errors mean an unreachable server. */
const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 120_000 };

/** Creates a transport for an smtp:// or smtps:// URL. `from` is a name with an address. It connects for the first email. */
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
    send: async (mail, { calendar, files }) => {
      const { id, recipient, subject, text, html, unsubscribeUrl, senderName } = mail;
      const signal = AbortSignal.timeout(timeoutMs);
      const message = {
        // An object is always a single address, even if the text contains commas.
        from: senderName === null ? from : toMailbox(from, senderName),
        to: { name: '', address: recipient },
        subject,
        text,
        ...(html === null ? {} : { html }),
        ...(calendar ? { icalEvent: { ...calendar, filename: CALENDAR_FILENAME } } : {}),
        attachments: files,
        // The same at every attempt, so that mailboxes recognize duplicates.
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...toUnsubscribeHeaders(unsubscribeUrl) },
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

function toMailbox(from: string, senderName: string): { name: string; address: string } {
  const { name, email } = parseSender(from, senderName);
  return { name, address: email };
}

/** Lets email programs unsubscribe with one click (RFC 8058). */
const toUnsubscribeHeaders = (url: string | null): Record<string, string> =>
  url === null
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const TIMED_OUT = 'ATTEMPT_TIMED_OUT';
const deliveryTimeout = (ms: number, cause: unknown) =>
  Object.assign(
    new Error(`The mail server took longer than ${Math.round(ms / 1_000)} seconds.`, { cause }),
    { code: TIMED_OUT },
  );

/**
 * Classifies a failed attempt. `rejected` is permanent, and includes malformed addresses. `temporary` means that the
 * server responded and can accept the email later.
 */
export function classifySmtpError(
  error: unknown,
): 'rejected' | 'temporary' | 'timed out' | 'unreachable' {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code === TIMED_OUT) return 'timed out';
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'unreachable';
  if (responseCode === undefined) return code === 'EENVELOPE' ? 'rejected' : 'temporary';
  return responseCode >= 500 ? 'rejected' : 'temporary';
}
