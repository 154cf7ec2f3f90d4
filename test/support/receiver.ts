import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Somebody's server that takes webhooks, and answers as it is told. */
export async function startReceiver() {
  const received: Received[] = [];
  const yes = (res: ServerResponse) => {
    res.writeHead(204).end();
  };
  const state: { answer: (res: ServerResponse, path: string) => void } = { answer: yes };
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    req.on('end', () => {
      received.push({ path: req.url ?? '', headers: req.headers, body });
      state.answer(res, req.url ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/hook`,
    port,
    at: (path: string) => received.filter((one) => one.path === path),
    answers: (status: number, headers: Record<string, string> = {}) => {
      state.answer = (res) => {
        res.writeHead(status, headers).end();
      };
    },
    state,
    reset: () => {
      received.length = 0;
      state.answer = yes;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the message says, once the library has verified it at this moment. Throws where it is not as it was signed. */
export function verified({ headers, body }: Received, secret: string, now: Date) {
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
