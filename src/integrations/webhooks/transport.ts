import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** The way out to other people's servers. Never throws: what went wrong is an answer, too. */
export interface WebhookTransport {
  post(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResponse>;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The status that was answered, whatever it says, or why there was no answer. */
export type WebhookResponse = { status: number } | { error: string };

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_024;

interface WebhookTransportOptions {
  /** Lets receivers stand in the own network, or on this very machine. */
  allowPrivate: boolean;
  /** Tests have a stand-in for the name service. */
  lookup?: LookupFunction;
  timeoutMs?: number;
}

/**
 * Posts over HTTP and HTTPS. Every address is looked at when the connection is made, after its name was looked up, so
 * that nobody can point us at the network we stand in. Redirects are not followed; what is answered is thrown away.
 */
export function createWebhookTransport(options: WebhookTransportOptions): WebhookTransport {
  const { allowPrivate, lookup, timeoutMs = TIMEOUT_MS } = options;
  const agents = {
    'http:': new RequestFilteringHttpAgent({ allowPrivateIPAddress: allowPrivate }),
    'https:': new RequestFilteringHttpsAgent({ allowPrivateIPAddress: allowPrivate }),
  };
  return {
    post: ({ url, headers, body }, signal) =>
      new Promise((resolve) => {
        const target = new URL(url);
        const timeout = AbortSignal.timeout(timeoutMs);
        const fail = (error: Error) =>
          resolve({ error: describeFailure(error, target, timeout.aborted, timeoutMs) });
        const { request } = target.protocol === 'https:' ? https : http;
        try {
          const sent = request(target, {
            method: 'POST',
            agent: agents[target.protocol as keyof typeof agents],
            headers: {
              ...headers,
              'user-agent': 'Foyer',
              'content-length': Buffer.byteLength(body),
            },
            signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
            ...(lookup ? { lookup } : {}),
          });
          sent.on('error', fail);
          sent.on('response', (answer) => {
            resolve({ status: answer.statusCode ?? 0 });
            discardBody(answer);
          });
          sent.end(body);
        } catch (error) {
          fail(error as Error);
        }
      }),
  };
}

/** Lets a receiver finish its sentence, if it is a short one. */
function discardBody(answer: http.IncomingMessage): void {
  let read = 0;
  answer.on('error', () => {});
  answer.on('data', (piece: Buffer) => {
    read += piece.length;
    if (read > MAX_RESPONSE_BYTES) answer.destroy();
  });
}

/** For the log that staff reads. It names no address: whoever asks must not learn from it what stands in our network. */
function describeFailure(error: Error, { hostname }: URL, tookTooLong: boolean, timeoutMs: number) {
  const { code } = error as NodeJS.ErrnoException;
  if (tookTooLong) return `There was no answer within ${timeoutMs / 1000} seconds.`;
  if (/is not allowed\. Because/.test(error.message)) {
    const what = isIP(hostname.replace(/^\[|\]$/g, '')) ? 'is' : 'leads to';
    return `${hostname} ${what} a private address, and those are refused. Use a public one, or set WEBHOOK_PRIVATE_ADDRESSES=allow.`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The name ${hostname} is not known.`;
  if (code === 'ECONNREFUSED') return `${hostname} accepts no connections at this port.`;
  return `The connection failed (${code ?? error.name}).`;
}
