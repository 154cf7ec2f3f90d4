import type { ServerResponse } from 'node:http';
import { DomainError, shuttingDown } from '../errors.ts';

const MAX_STREAMS = 1_000;
const MAX_STREAMS_PER_CALLER = 20;

export interface StreamRegistry {
  /**
   * Registers a stream and returns a signal that aborts when the stream ends.
   * @throws RATE_LIMITED if too many streams are open; UNAVAILABLE after `endAll`.
   */
  open(caller: string, res: ServerResponse): AbortSignal;
  /**
   * Ends all streams without the event `complete`: to clients of server-sent events this is an interruption, so they connect again.
   * After `complete`, they would not.
   */
  endAll(): void;
  /** How many are open. */
  count(): number;
}

/** Counts long-lived responses separately from requests, since they are mostly idle. */
export function createStreamRegistry(
  onOpen: (res: ServerResponse) => void,
  onReject: () => void = () => {},
): StreamRegistry {
  const open = new Map<ServerResponse, string>();
  let hasEnded = false;

  return {
    open: (caller, res) => {
      if (hasEnded) throw shuttingDown();
      const callerCount = [...open.values()].filter((other) => other === caller).length;
      if (open.size >= MAX_STREAMS || callerCount >= MAX_STREAMS_PER_CALLER) {
        onReject();
        throw new DomainError(
          'RATE_LIMITED',
          'Too many streams are open. Close some, or poll instead.',
          { reason: 'TOO_MANY_STREAMS', retryAfterSeconds: 30 },
        );
      }
      const closing = new AbortController();
      if (res.closed) closing.abort();
      else if (!open.has(res)) {
        open.set(res, caller);
        onOpen(res);
        res.once('close', () => open.delete(res));
      }
      res.once('close', () => closing.abort());
      return closing.signal;
    },
    endAll: () => {
      hasEnded = true;
      for (const res of open.keys()) {
        res.on('error', () => {}); // an event can arrive before the connection has closed
        res.end();
      }
    },
    count: () => open.size,
  };
}
