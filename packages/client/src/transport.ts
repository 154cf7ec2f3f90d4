import { FoyerError, toConnectionError } from './errors.ts';
import { parseRetryAfter, pause, toBackoff } from './waiting.ts';

/** The default of `timeout`. */
const TIMEOUT_MS = 30_000;
/** The default of `retries`. */
const RETRIES = 4;
/** If the service asks to wait longer, the caller gets the error at once, with `retryAfter`. */
const MAX_WAIT_MS = 60_000;

/** How a client reaches a service. */
export interface ClientOptions {
  /** The address of the service, such as `https://foyer.example.org`. In a page of the service itself, an empty text. */
  url: string;
  /** An API token, or a function that returns the current one. It is called before every attempt. */
  token?: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Milliseconds for one attempt. 30,000 by default. */
  timeout?: number;
  /** How often a request is repeated that can be repeated. 4 by default. */
  retries?: number;
  /** Replaces the timer between attempts, for tests. Rejects if the signal aborts. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Lists are joined by commas. Parameters that are undefined or null are not sent. */
export type QueryValue =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | null
  | undefined;

export interface TransportRequest {
  method: 'GET' | 'POST';
  /** Begins with a slash. */
  path: string;
  query?: Record<string, QueryValue>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** Whether the request can be sent again: it reads, or it has an idempotency key. */
  repeatable: boolean;
  /** Returns the response as soon as its headers have arrived. The time-out ends then. */
  streams?: boolean;
}

/** Sends requests. The rest of the client, and its other modules, send all of theirs through it. */
export interface Transport {
  readonly url: string;
  /**
   * Sends a request with the token, and again after temporary failures if it is repeatable. Returns the response whatever its
   * status. @throws FoyerError with the code NETWORK or TIMEOUT; the reason of the signal if it aborts
   */
  send(request: TransportRequest): Promise<Response>;
  /** Waits between attempts. @throws the reason of the signal if it aborts */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Creates a transport. A client has one; create one yourself only to use modules without a client. */
export function createTransport(options: ClientOptions): Transport {
  const { retries = RETRIES, sleep = pause } = options;
  const url = options.url.endsWith('/') ? options.url.slice(0, -1) : options.url;
  return {
    url,
    sleep,
    send: async (request) => {
      for (let attempt = 0; ; attempt += 1) {
        const isLast = !request.repeatable || attempt >= retries;
        const outcome = await sendOnce(url, request, options).catch((error: unknown) => {
          if (isLast || !(error instanceof FoyerError)) throw error;
          return error;
        });
        const wait = outcome instanceof Response ? getWait(outcome, attempt) : toBackoff(attempt);
        if (outcome instanceof Response && (isLast || wait === null)) return outcome;
        await sleep(wait ?? 0, request.signal);
      }
    },
  };
}

/** Returns how long to wait before the next attempt, or null if there is to be none. */
function getWait({ status, headers }: Response, attempt: number): number | null {
  if (![429, 502, 503, 504].includes(status)) return null;
  const wait = parseRetryAfter(headers) ?? toBackoff(attempt);
  return wait > MAX_WAIT_MS ? null : wait;
}

async function sendOnce(
  url: string,
  { method, path, query, headers, body, signal, streams }: TransportRequest,
  { token, fetch: send = fetch, timeout = TIMEOUT_MS }: ClientOptions,
): Promise<Response> {
  signal?.throwIfAborted();
  const text = body === undefined ? null : JSON.stringify(body);
  const bearer = typeof token === 'function' ? await token() : token;
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(() => attempt.abort(TIMED_OUT), timeout);
  try {
    const response = await send(url + path + toSearch(query), {
      method,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(text !== null && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: text,
      signal: attempt.signal,
    });
    return streams ? response : await readBody(response);
  } catch (error) {
    signal?.throwIfAborted();
    if (attempt.signal.reason === TIMED_OUT)
      throw toConnectionError(
        'TIMEOUT',
        `${method} ${path} got no response within ${timeout} ms.`,
        error,
      );
    throw toConnectionError(
      'NETWORK',
      `${method} ${path} failed: the service cannot be reached.`,
      error,
    );
  } finally {
    clearTimeout(timer);
    if (!streams) signal?.removeEventListener('abort', abort);
  }
}

const TIMED_OUT = new Error('The request timed out.');

/** A response can break off after its headers, which is a failure of the same attempt. */
async function readBody(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  const init = { status, statusText, headers };
  const complete = new Response(body.byteLength === 0 ? null : body, init);
  // The constructor cannot set them. Errors say where a redirect led.
  return Object.defineProperties(complete, {
    url: { value: response.url },
    redirected: { value: response.redirected },
  });
}

function toSearch(query: Record<string, QueryValue> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
