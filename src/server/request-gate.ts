import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody, MAX_BODY_BYTES, storeBody } from '../core/request-body.ts';
import { DomainError, overloaded } from '../errors.ts';
import { type Client, createClientRegistry, createFairShare, type Outcome } from './fair-share.ts';
import { createTurnQueue } from './turn-queue.ts';

interface RequestGate {
  /**
   * Handles the request once its body has arrived, if its client is within its limits. In each turn of the event loop one request
   * begins, and the clients take turns.
   */
  admit(req: IncomingMessage, res: ServerResponse, handle: () => void): void;
  /** Waits until the request may begin work that takes long, as at its start. For requests that have waited for the database. */
  takeTurn(req: IncomingMessage): Promise<void>;
  /** Stops counting a response that has become a stream, since streams are mostly idle. */
  detachStream(res: ServerResponse): void;
  /** Counts a new connection for its address. */
  trackConnection(socket: Socket): void;
  close(): void;
}

interface RequestInProgress {
  client: Client;
  bytes: number;
  isReleased: boolean;
  /** When the response was complete and only waited for the client to read it. */
  sendingSince?: number;
}

interface ArrivingBody {
  client: Client;
  req: IncomingMessage;
  res: ServerResponse;
  chunks: Buffer[];
  size: number;
  startedAt: number;
  handle: () => void;
}

const OVER_LIMIT = Symbol('overLimit');
type CountedSocket = Socket & { [OVER_LIMIT]?: boolean };

/** These paths have no limits, so that operators can see the state of the service under any load. */
const ALWAYS_SERVED = /^\/(healthz|readyz|metrics)(\?|$)/;

/**
 * Creates a gate that prevents slow or heavy clients from blocking others: a request counts as in progress only once its
 * body has arrived, all clients share the limited resources, and none begins many requests before another begins one.
 */
export function createRequestGate(options: {
  trustedProxies: number;
  limits?: Partial<RequestLimits>;
  reject(req: IncomingMessage, res: ServerResponse, error: DomainError): void;
  /** Returns after how many seconds a rejected client should retry. */
  retryAfterSeconds(req: IncomingMessage): number;
}): RequestGate {
  const { trustedProxies, reject, retryAfterSeconds } = options;
  const limits = { ...DEFAULT_REQUEST_LIMITS, ...options.limits };
  const findClient = createClientRegistry(trustedProxies);
  const turns = createTurnQueue();
  const requests = createFairShare('requests', limits.maxRequests);
  const bodies = createFairShare('bodies', limits.maxArrivingBodies);
  const bytes = createFairShare('bytes', limits.maxBodyBytes);
  const inProgress = new Map<ServerResponse, RequestInProgress>();
  const arriving = new Map<IncomingMessage, ArrivingBody>();

  const rejectFor = (outcome: Outcome, req: IncomingMessage, res: ServerResponse) => {
    const seconds = retryAfterSeconds(req);
    reject(
      req,
      res,
      outcome === 'exhausted' ? overloaded(undefined, seconds) : tooManyRequests(seconds),
    );
  };

  const start = (
    client: Client,
    req: IncomingMessage,
    res: ServerResponse,
    { handle, size }: { handle: () => void; size: number },
  ) => {
    const outcome = requests.acquire(client);
    if (outcome !== 'acquired') {
      if (size > 0) bytes.release(client, size);
      return rejectFor(outcome, req, res);
    }
    inProgress.set(res, { client, bytes: size, isReleased: false });
    res.once('close', () => finish(res));
    turns.add(client, () => {
      if (!inProgress.has(res)) return false; // the client has disconnected
      handle();
      return true;
    });
  };

  const release = (request: RequestInProgress) => {
    if (!request.isReleased) requests.release(request.client);
    request.isReleased = true;
  };

  const finish = (res: ServerResponse) => {
    const request = inProgress.get(res);
    if (request === undefined) return;
    inProgress.delete(res);
    release(request);
    if (request.bytes > 0) bytes.release(request.client, request.bytes);
  };

  const receive = (
    client: Client,
    req: IncomingMessage,
    res: ServerResponse,
    handle: () => void,
  ) => {
    const outcome = bodies.acquire(client);
    if (outcome !== 'acquired') return rejectFor(outcome, req, res);
    const startedAt = performance.now();
    arriving.set(req, { client, req, res, chunks: [], size: 0, startedAt, handle });
    // Data that arrives after the response is read and dropped, so that the caller can read the response.
    req.on('data', (chunk: Buffer) => addChunk(arriving.get(req), chunk));
    req.on('end', () => completeBody(arriving.get(req)));
    req.on('close', () => dropBody(arriving.get(req)));
  };

  const addChunk = (body: ArrivingBody | undefined, chunk: Buffer) => {
    if (body === undefined) return;
    const { client, req, res, handle } = body;
    if (body.size + chunk.length > MAX_BODY_BYTES) {
      dropBody(body);
      storeBody(req, null);
      return start(client, req, res, { handle, size: 0 });
    }
    const outcome = bytes.acquire(client, chunk.length);
    if (outcome !== 'acquired') {
      dropBody(body);
      return rejectFor(outcome, req, res);
    }
    body.size += chunk.length;
    body.chunks.push(chunk);
  };

  const completeBody = (body: ArrivingBody | undefined) => {
    if (body === undefined) return;
    const { client, req, res, chunks, size, handle } = body;
    arriving.delete(req);
    bodies.release(client);
    storeBody(req, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    start(client, req, res, { handle, size });
  };

  const dropBody = (body: ArrivingBody | undefined) => {
    if (body === undefined) return;
    const { client, req, size } = body;
    if (!arriving.delete(req)) return;
    bodies.release(client);
    if (size > 0) bytes.release(client, size);
  };

  const endSlowBodies = (now: number) => {
    for (const body of arriving.values()) {
      const elapsedMs = now - body.startedAt - limits.bodyGraceMs;
      if (body.size * 1_000 >= limits.minBodyBytesPerSecond * elapsedMs) continue;
      dropBody(body);
      body.res.setHeader('connection', 'close');
      reject(body.req, body.res, tooSlow());
    }
  };

  const endSlowReaders = (now: number) => {
    for (const [res, request] of inProgress) {
      if (!res.writableEnded) continue;
      release(request); // the work is done; only the client is slow
      request.sendingSince ??= now;
      if (now - request.sendingSince > limits.responseTimeoutMs) res.destroy();
    }
  };

  const sweep = setInterval(() => {
    const now = performance.now();
    endSlowBodies(now);
    endSlowReaders(now);
  }, limits.sweepIntervalMs).unref();

  return {
    admit: (req, res, handle) => {
      if (ALWAYS_SERVED.test(req.url ?? '') && isReadRequest(req)) return handle();
      if ((req.socket as CountedSocket)[OVER_LIMIT]) {
        res.setHeader('connection', 'close');
        return reject(req, res, tooManyConnections(retryAfterSeconds(req)));
      }
      const client = findClient(req);
      if (!hasBody(req)) return start(client, req, res, { handle, size: 0 });
      if (Number(req.headers['content-length']) > MAX_BODY_BYTES) {
        storeBody(req, null);
        return start(client, req, res, { handle, size: 0 });
      }
      receive(client, req, res, handle);
    },
    takeTurn: (req) =>
      new Promise((resolve) => {
        turns.add(findClient(req), () => {
          resolve();
          return true;
        });
      }),
    detachStream: finish,
    trackConnection: (socket: CountedSocket) => {
      if (trustedProxies > 0) return; // these are connections of the proxy
      const { address, network } = findClient({ headers: {}, socket });
      address.connections += 1;
      network.connections += 1;
      socket.once('close', () => {
        address.connections -= 1;
        network.connections -= 1;
      });
      const load = Math.max(
        address.connections / limits.maxConnectionsPerAddress,
        network.connections / limits.maxConnectionsPerNetwork,
      );
      // Up to twice the limit, a connection is closed only after its first request, which can be a health check.
      if (load > 2) socket.destroy();
      else socket[OVER_LIMIT] = load > 1;
    },
    close: () => clearInterval(sweep),
  };
}

const isReadRequest = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

const tooManyRequests = (retryAfterSeconds: number) =>
  new DomainError(
    'RATE_LIMITED',
    'Your address or network has too many requests in progress. Wait for some to finish, then try again.',
    { reason: 'TOO_MANY_REQUESTS', retryAfterSeconds },
  );

const tooManyConnections = (retryAfterSeconds: number) =>
  new DomainError(
    'RATE_LIMITED',
    'Your address or network has too many connections open. Close some, then try again.',
    { reason: 'TOO_MANY_CONNECTIONS', retryAfterSeconds },
  );

const tooSlow = () =>
  new DomainError('BAD_REQUEST', 'The request took too long to arrive.', {
    reason: 'REQUEST_TOO_SLOW',
  });

/** The limits that all clients share, and the timeouts of a request. `docs/operations.md` explains them. */
export interface RequestLimits {
  /** Requests in progress. */
  maxRequests: number;
  /** Requests whose body is still arriving. */
  maxArrivingBodies: number;
  /** Bytes of bodies in memory. */
  maxBodyBytes: number;
  maxConnectionsPerAddress: number;
  maxConnectionsPerNetwork: number;
  /** After this time a body must have arrived, or arrive at the minimum rate. */
  bodyGraceMs: number;
  minBodyBytesPerSecond: number;
  /** How long a client can take to read a response. */
  responseTimeoutMs: number;
  /** How often slow clients are checked. */
  sweepIntervalMs: number;
}

const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  maxRequests: 2_000,
  maxArrivingBodies: 10_000,
  maxBodyBytes: 64_000_000,
  maxConnectionsPerAddress: 2_500,
  maxConnectionsPerNetwork: 10_000,
  bodyGraceMs: 5_000,
  minBodyBytesPerSecond: 1_000,
  responseTimeoutMs: 30_000,
  sweepIntervalMs: 1_000,
};
