import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { MAX_BODY_BYTES } from '../../../../src/core/request-body.ts';
import { fillList, type HeavyRequest } from './heavy-request.ts';

/** How long a request kept all others waiting. */
export interface Blocking {
  name: string;
  status: number;
  /** The longest time for which the event loop was blocked, at most the processor time. */
  ms: number;
  /** This time divided by the time that it takes to parse the body, or a reference body if that takes longer. */
  ratio: number;
  responseBytes: number;
}

interface Answer {
  status: number;
  head: string;
  size: number;
}

/**
 * The longest blocking, as a multiple of the time that parsing takes. Parsing the reference body takes about a millisecond, so this
 * is less than the 200 ms that a request may keep another waiting.
 */
export const MAX_BLOCKING_RATIO = 200;

/** Beyond this multiple of the limit, no interruption is the cause. */
const MAX_RETRY_FACTOR = 10;
const PARSES = 10;

/** An ordinary body of the largest size. */
const REFERENCE_BODY = JSON.stringify(
  fillList({ name: 'Some text', amount: 12, tags: ['a', 'b'], isPublic: true }, MAX_BODY_BYTES),
);

/**
 * Measures the event loop of this process, in which the service listens on this port. A busy machine can interrupt the service for
 * longer than a request does, so the best of several tries can count. But a write can do its work in the first one only.
 */
export function createBlockingMeter(port: number, { maxTries }: { maxTries: number }) {
  const worker = new Worker(new URL('./send-request.mjs', import.meta.url));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let requests = 0;

  /** A request that blocks the event loop also uses the processor. If it does not, other processes have interrupted the service. */
  async function send(request: HeavyRequest, body: string): Promise<Answer & { ms: number }> {
    requests += 1;
    const bytes = toBytes(request, body, requests);
    delays.reset();
    const before = process.cpuUsage();
    worker.postMessage({ port, bytes });
    const [answer] = (await once(worker, 'message')) as [Answer];
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    return { ...answer, ms: Math.min(delays.max / 1e6, (user + system) / 1e3) };
  }

  async function measure(request: HeavyRequest): Promise<Blocking> {
    const body = request.writeBody();
    let best: Blocking | undefined;
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const { status, size, ms } = await send(request, varyDocument(body, attempt));
      let ratio = ms / measureParsing(REFERENCE_BODY);
      if (ratio > MAX_BLOCKING_RATIO) ratio = Math.min(ratio, ms / measureParsing(body));
      if (best === undefined || ratio < best.ratio)
        best = { name: request.name, status, ms, ratio, responseBytes: size };
      if (best.ratio <= MAX_BLOCKING_RATIO || ratio > MAX_BLOCKING_RATIO * MAX_RETRY_FACTOR) break;
    }
    if (best === undefined) throw new Error('nothing was measured');
    return best;
  }

  return {
    measure,
    send,
    close: async () => {
      delays.disable();
      await worker.terminate();
    },
  };
}

/** The service caches documents by their text, so each try sends another one. */
const varyDocument = (body: string, attempt: number): string =>
  body.replace('"query":"', `"query":"${' '.repeat(attempt)}`);

/** Returns the shortest of several times, in milliseconds. */
function measureParsing(body: string): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < PARSES; n += 1) {
    const started = performance.now();
    try {
      JSON.parse(body);
    } catch {
      // The time until the error counts.
    }
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}

/** Every request comes from another network, so that no limit rejects it. */
function toBytes({ method, path, headers }: HeavyRequest, body: string, n: number): Uint8Array {
  const all = {
    host: 'foyer.test',
    connection: 'close',
    'x-forwarded-for': `10.${(n >> 8) & 255}.${n & 255}.1`,
    ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
