import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A server that receives webhooks and responds as configured. */
export async function startReceiver() {
  const received: ReceivedWebhook[] = [];
  const accept = (res: ServerResponse) => {
    res.writeHead(204).end();
  };
  const state: { respond: (res: ServerResponse, path: string) => void } = { respond: accept };
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    req.on('end', () => {
      received.push({ path: req.url ?? '', headers: req.headers, body });
      state.respond(res, req.url ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/hook`,
    port,
    at: (path: string) => received.filter((one) => one.path === path),
    respondWith: (status: number, headers: Record<string, string> = {}) => {
      state.respond = (res) => {
        res.writeHead(status, headers).end();
      };
    },
    state,
    reset: () => {
      received.length = 0;
      state.respond = accept;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Verifies a message with the library and returns it. @throws if the signature is invalid. */
export function verifyWebhook({ headers, body }: ReceivedWebhook, secret: string, now: Date) {
  const { now: real } = Date;
  Date.now = () => now.getTime();
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) as {
      type: string;
      timestamp: string;
      data: Record<string, unknown>;
    };
  } finally {
    Date.now = real;
  }
}
