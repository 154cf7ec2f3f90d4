import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ForwardedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * What happens to a request: it gets another response, it is executed and its response is lost or breaks off, or it gets no
 * response. A function is called, and there is no response.
 */
type Failure =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'lose the response'
  | 'break off the response'
  | 'never respond'
  | (() => void);

/** A proxy in front of a service that fails when a test wants it to, and records all requests. */
export async function startUnreliableProxy(target: string) {
  const requests: ForwardedRequest[] = [];
  const failures: Failure[] = [];

  async function respond(request: ForwardedRequest, res: ServerResponse): Promise<void> {
    const failure = failures.shift();
    if (failure === 'never respond') return;
    if (typeof failure === 'function') return failure();
    if (typeof failure === 'object') {
      res.writeHead(failure.status, failure.headers).end(failure.body);
      return;
    }
    const { method, path, headers, body } = request;
    const { host, connection, 'content-length': length, ...forwarded } = headers;
    const response = await fetch(target + path, {
      method,
      headers: forwarded as Record<string, string>,
      body: method === 'POST' ? body : null,
    });
    const received = Buffer.from(await response.arrayBuffer());
    if (failure === 'lose the response') {
      res.destroy();
      return;
    }
    const { 'content-encoding': encoding, ...returned } = Object.fromEntries(response.headers);
    res.writeHead(response.status, { ...returned, 'content-length': received.length });
    if (failure === 'break off the response')
      res.write(received.subarray(0, received.length / 2), () => res.destroy());
    else res.end(received);
  }

  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    req.on('end', () => {
      const { method = '', url: path = '', headers } = req;
      requests.push({ method, path, headers, body });
      respond({ method, path, headers, body }, res).catch(() => res.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** All requests since the last reset, in order. */
    requests,
    /** What happens to the next requests. */
    failures,
    reset: () => {
      requests.length = 0;
      failures.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type UnreliableProxy = Awaited<ReturnType<typeof startUnreliableProxy>>;
