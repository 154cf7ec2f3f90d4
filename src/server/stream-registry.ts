import type { ServerResponse } from 'node:http';
import { DomainError } from '../errors.ts';

const MAX_STREAMS = 1_000;
const MAX_STREAMS_PER_CALLER = 20;

export interface StreamRegistry {
  /** Gives a signal that ends with the stream or the service. Throws RATE_LIMITED where too many are open. */
  open(whose: string, res: ServerResponse): AbortSignal;
}

/** Answers that stay open for hours, counted by themselves: they are idle, and requests must not wait for them. */
export function createStreamRegistry(
  stopping: AbortSignal,
  onOpen: (res: ServerResponse) => void,
): StreamRegistry {
  const open = new Map<ServerResponse, string>();

  return {
    open: (whose, res) => {
      const his = [...open.values()].filter((it) => it === whose).length;
      if (open.size >= MAX_STREAMS || his >= MAX_STREAMS_PER_CALLER) {
        throw new DomainError(
          'RATE_LIMITED',
          'Too many streams are open. Close some, or ask for what is new now and then.',
          { reason: 'TOO_MANY_STREAMS', retryAfterSeconds: 30 },
        );
      }
      const closing = new AbortController();
      if (res.closed) closing.abort();
      else if (!open.has(res)) {
        open.set(res, whose);
        onOpen(res);
        res.once('close', () => open.delete(res));
      }
      res.once('close', () => closing.abort());
      return AbortSignal.any([closing.signal, stopping]);
    },
  };
}
