import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

const CHECK_TIMEOUT_MS = 2_000;

export interface Balancer {
  url: string;
  /** Resolves once the instance is up, and gets requests. */
  waitUntilUp(port: number): Promise<void>;
  close(): void;
}

interface Instance {
  port: number;
  isUp: boolean;
  failedChecks: number;
  /** Connections are reused, as balancers do. */
  agent: Agent;
}

/**
 * Starts a load balancer that knows only what health checks say: an instance whose /readyz fails three times in a row gets no more
 * requests, until a check succeeds. It repeats no request, so that clients see every failure. Clients name their address themselves.
 */
export async function startBalancer(
  ports: number[],
  { checkIntervalMs = 1_000, maxFailedChecks = 3 } = {},
): Promise<Balancer> {
  const instances = ports.map((port): Instance => {
    const agent = new Agent({ keepAlive: true });
    return { port, isUp: false, failedChecks: maxFailedChecks, agent };
  });
  let turn = 0;

  const check = async (instance: Instance) => {
    const isReady = await checkReadiness(instance.port);
    instance.failedChecks = isReady ? 0 : instance.failedChecks + 1;
    instance.isUp = isReady || (instance.isUp && instance.failedChecks < maxFailedChecks);
  };
  const timers = instances.map((instance) => setInterval(check, checkIntervalMs, instance));

  const pickInstance = () => {
    const up = instances.filter(({ isUp }) => isUp);
    turn += 1;
    return up[turn % up.length];
  };

  const server = createServer((req, res) => {
    const instance = pickInstance();
    if (instance === undefined) return fail(res, 503);
    forward(req, res, instance);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await Promise.all(instances.map(check));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waitUntilUp: async (port) => {
      while (!instances.some((instance) => instance.port === port && instance.isUp))
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    close: () => {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      server.close();
      for (const { agent } of instances) agent.destroy();
    },
  };
}

function forward(req: IncomingMessage, res: ServerResponse, instance: Instance): void {
  const { port, agent } = instance;
  const { method, url: path, headers } = req;
  const options: RequestOptions = { host: '127.0.0.1', port, agent, method, path };
  const sent = request({ ...options, headers: { 'x-forwarded-for': '192.0.2.1', ...headers } });
  sent.on('response', (response) => {
    const { connection: _, ...kept } = response.headers; // it concerns the connection to the instance
    res.writeHead(response.statusCode ?? 502, kept);
    pipeline(response, res, () => {}); // an interrupted response is interrupted for the client too
  });
  sent.on('error', (error: NodeJS.ErrnoException) =>
    res.headersSent
      ? res.destroy()
      : fail(res, 502, `${error.code} after ${instance.failedChecks} failed checks`),
  );
  res.once('close', () => sent.destroy());
  req.pipe(sent);
}

/** @param code the error of the connection to the instance */
function fail(res: ServerResponse, status: number, code = 'no instance is up'): void {
  res.writeHead(status, { 'content-type': 'text/plain', 'x-balancer-error': code }).end(code);
}

const checkReadiness = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
