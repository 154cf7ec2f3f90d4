import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { failure } from './rest/envelope.ts';

const HEADERS_TOO_LARGE = 'The headers of this request are too large.';
const UNREADABLE = 'This is not a request that can be read.';

/** Node's server, made to answer in the envelope even what Node itself refuses. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000 }, listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
      return answerRaw(socket, 'The request took too long to arrive.');
    return answerRaw(socket, error.code === 'HPE_HEADER_OVERFLOW' ? HEADERS_TOO_LARGE : UNREADABLE);
  });
  // Expectations other than 100-continue, upgrades and tunnels: answered like any other request.
  server.on('checkExpectation', listener);
  server.on('connect', (_req, socket: Socket) =>
    answerRaw(socket, 'There is nothing at this path with this method.', '404 Not Found'),
  );
  return server;
}

function answerRaw(socket: Socket, message: string, status = '400 Bad Request'): void {
  const body = failure(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
