import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { usesHttps } from '../auth/cookies.ts';
import type { Config } from '../config.ts';
import type { ErrorReason } from '../core/error-reasons.ts';
import { REASON_HEADER, toFailureBody } from '../rest/envelope.ts';

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** What the latest request on a connection is answered by. */
const LATEST_RESPONSE = Symbol('answer');
type TrackedSocket = Socket & { [LATEST_RESPONSE]?: ServerResponse };

/** What Node itself refuses, by the code of its error. */
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
  message: 'This is not a request that can be read.',
  reason: 'INVALID_INPUT',
};
/** How long the headers and the whole of a request may take to arrive, and how often that is checked. */
const ARRIVAL_TIMEOUTS_MS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
};
const LINGER_TIMEOUT_MS = 1_000;

/** Node's server, made to answer in the envelope, with these headers, even what Node itself refuses. */
export function createHttpServer(
  listener: RequestListener,
  onConnection: (socket: Socket) => void = () => {},
  headers: Record<string, string> = {},
): Server {
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: 65_000, ...ARRIVAL_TIMEOUTS_MS },
    (req, res) => {
      (req.socket as TrackedSocket)[LATEST_RESPONSE] = res;
      listener(req, res);
    },
  );
  server.on('connection', onConnection);
  server.on('clientError', (error: ClientError, socket: TrackedSocket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const answer = socket[LATEST_RESPONSE];
    // What cannot be read belongs to a request that is answered already: one request gets one answer.
    if (answer?.headersSent && !(answer.req.complete && answer.writableFinished))
      return socket.destroySoon();
    const withBody = !error.rawPacket?.toString('latin1', 0, 5).startsWith('HEAD ');
    return sendRawError(socket, headers, {
      ...(CLIENT_ERRORS[error.code ?? ''] ?? UNREADABLE_REQUEST),
      withBody,
    });
  });
  // Expectations other than 100-continue, upgrades and tunnels: answered like any other request.
  server.on('checkExpectation', listener);
  server.on('connect', (_req, socket: Socket) =>
    sendRawError(socket, headers, {
      message: 'There is nothing at this path with this method.',
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
  // Cut off at once, a caller who still sends might never read the answer; left alone, one could keep it for ever.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref();
}

/**
 * What every response carries. Over https, browsers then come by https alone for a year; without `includeSubDomains`,
 * since Foyer may share its domain with hosts that are not its business.
 */
export const getCommonHeaders = (config: Pick<Config, 'baseUrl'>): Record<string, string> =>
  usesHttps(config) ? { 'strict-transport-security': 'max-age=31536000' } : {};
