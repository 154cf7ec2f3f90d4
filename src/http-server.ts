import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failure } from './rest/envelope.ts';

type Refusal = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** What the latest request on a connection is answered by. */
const ANSWER = Symbol('answer');
type Answering = Socket & { [ANSWER]?: ServerResponse };

const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers of this request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};
const LINGER_MS = 1_000;
const UNREADABLE = 'This is not a request that can be read.';

/** Node's server, made to answer in the envelope even what Node itself refuses. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: 65_000 },
    (req, res) => {
      (req.socket as Answering)[ANSWER] = res;
      listener(req, res);
    },
  );
  server.on('clientError', (error: Refusal, socket: Answering) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const answer = socket[ANSWER];
    // What cannot be read belongs to a request that is answered already: one request gets one answer.
    if (answer?.headersSent && !(answer.req.complete && answer.writableFinished))
      return socket.destroySoon();
    const withBody = !error.rawPacket?.toString('latin1', 0, 5).startsWith('HEAD ');
    return answerRaw(socket, { message: MESSAGES[error.code ?? ''] ?? UNREADABLE, withBody });
  });
  // Expectations other than 100-continue, upgrades and tunnels: answered like any other request.
  server.on('checkExpectation', listener);
  server.on('connect', (_req, socket: Socket) =>
    answerRaw(socket, {
      message: 'There is nothing at this path with this method.',
      status: '404 Not Found',
    }),
  );
  return server;
}

function answerRaw(
  socket: Socket,
  { message = '', status = '400 Bad Request', withBody = true },
): void {
  const body = failure(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${withBody ? body : ''}`,
  );
  // Cut off at once, a caller who still sends might never read the answer; left alone, one could keep it for ever.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
