import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { usesHttps } from '../auth/cookies.ts';
import type { Config } from '../config.ts';
import type { ErrorReason } from '../core/error-reasons.ts';
import { REASON_HEADER, toFailureBody } from '../rest/envelope.ts';
import { closeWithConnection } from './pipelined-responses.ts';

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** The response to the latest request on a connection. */
const LATEST_RESPONSE = Symbol('latestResponse');
type TrackedSocket = Socket & { [LATEST_RESPONSE]?: ServerResponse };

/** Requests that Node rejects, by the code of its error. */
const CLIENT_ERRORS: Record<string, { message: string; reason: ErrorReason }> = {
  HPE_HEADER_OVERFLOW: {
    message: 'The headers of this request are too large.',
    reason: 'INVALID_INPUT',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    message: 'The request took too long to arrive.',
    reason: 'REQUEST_TOO_SLOW',
  },
};
const UNREADABLE_REQUEST = {
  message: 'The request is not valid HTTP.',
  reason: 'INVALID_INPUT',
};
/** How long the headers and the whole request can take to arrive, and how often Node checks this. */
const ARRIVAL_TIMEOUTS_MS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
};
const LINGER_TIMEOUT_MS = 1_000;

/** Creates the HTTP server. Requests that Node itself rejects also get the error envelope and `headers`. */
export function createHttpServer(
  listener: RequestListener,
  onConnection: (socket: Socket) => void = () => {},
  headers: Record<string, string> = {},
): Server {
  const handle: RequestListener = (req, res) => {
    (req.socket as TrackedSocket)[LATEST_RESPONSE] = res;
    closeWithConnection(req, res);
    listener(req, res);
  };
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: 65_000, ...ARRIVAL_TIMEOUTS_MS },
    handle,
  );
  server.on('connection', onConnection);
  server.on('clientError', (error: ClientError, socket: TrackedSocket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const latest = socket[LATEST_RESPONSE];
    // The invalid bytes belong to a request whose response has begun, and a request gets only one response.
    if (latest?.headersSent && !(latest.req.complete && latest.writableFinished))
      return socket.destroySoon();
    const withBody = !error.rawPacket?.toString('latin1', 0, 5).startsWith('HEAD ');
    return sendRawError(socket, headers, {
      ...(CLIENT_ERRORS[error.code ?? ''] ?? UNREADABLE_REQUEST),
      withBody,
    });
  });
  // Requests with an expectation other than 100-continue are handled like any other. CONNECT tunnels are not supported.
  server.on('checkExpectation', handle);
  server.on('connect', (_req, socket: Socket) =>
    sendRawError(socket, headers, {
      message: 'No route matches this path and method.',
      reason: 'UNKNOWN_PATH',
      status: '404 Not Found',
    }),
  );
  return server;
}

function sendRawError(
  socket: Socket,
  headers: Record<string, string>,
  { message = '', reason = '', status = '400 Bad Request', withBody = true },
): void {
  const body = toFailureBody(message);
  const lines = Object.entries({ ...headers, [REASON_HEADER]: reason }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n${lines.join('')}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${withBody ? body : ''}`,
  );
  // If the connection closed immediately, a caller that is still sending might not read the response. If it never closed, a
  // caller could keep it open indefinitely.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref();
}

/**
 * Returns the headers of every response. Over https, they make browsers use only https for a year. They do not include
 * subdomains, since Foyer can share its domain with unrelated hosts.
 */
export const getCommonHeaders = (config: Pick<Config, 'baseUrl'>): Record<string, string> =>
  usesHttps(config) ? { 'strict-transport-security': 'max-age=31536000' } : {};
