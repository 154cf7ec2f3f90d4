import { setTimeout as pause } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;
const RETRY_MS = 200;

interface SentRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Requests {
  /** How often each outcome occurred, such as `booking 201` or `events ECONNREFUSED`. */
  outcomes: Map<string, number>;
  /** Sends a request once. The status is 0 if there is no response. */
  send(
    kind: string,
    path: string,
    request?: SentRequest,
  ): Promise<{ status: number; text: string }>;
  /** Sends a request again until it gets this status, as clients should do with an idempotency key. Returns the text. */
  sendUntil(status: number, kind: string, path: string, request: SentRequest): Promise<string>;
}

/** Sends requests to a service, and counts the outcomes of each kind. */
export function createRequests(url: string): Requests {
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  const send: Requests['send'] = async (kind, path, request = {}) => {
    try {
      const response = await fetch(url + path, {
        ...request,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      const cause = response.headers.get('x-balancer-error');
      count(`${kind} ${response.status}${cause ? ` (${cause})` : ''}`);
      return { status: response.status, text };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
      count(`${kind} ${cause?.code ?? name}`);
      return { status: 0, text: '' };
    }
  };

  return {
    outcomes,
    send,
    sendUntil: async (expected, kind, path, request) => {
      for (;;) {
        const { status, text } = await send(kind, path, request);
        if (status === expected) return text;
        await pause(RETRY_MS);
      }
    },
  };
}

/** Runs work again and again, with pauses, until the signal aborts. */
export async function repeat(
  work: () => Promise<unknown>,
  signal: AbortSignal,
  pauseMs: number,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await pause(pauseMs);
  }
}
