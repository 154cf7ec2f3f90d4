import type { ServerResponse } from 'node:http';
import { CallerDisconnected } from '../errors.ts';

/**
 * Returns a function that creates a signal, the same at each call, which aborts if the caller disconnects before it has the response. A
 * signal takes microseconds, and few requests wait for anything.
 */
export function createDisconnectSignal(res: ServerResponse): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    signal ??= watch(res);
    return signal;
  };
}

function watch(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!res.writableFinished) controller.abort(new CallerDisconnected());
  };
  if (res.destroyed) abort();
  else res.once('close', abort);
  return controller.signal;
}
