import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { Loaders } from './dataloaders.ts';

/** What resolvers are given: one per request. */
export interface GraphqlContext {
  ctx: Context;
  loaders: Loaders;
  deps: Dependencies;
  /** Where the request came from, for rate limits. */
  address: string;
  /** Names the mutations of this request, so that they can be sent again without being done again. */
  idempotencyKey: string | undefined;
  /** Throws FORBIDDEN for a page that is neither ours nor allowed: none may sign a person in or out. */
  assertSameOrigin(): void;
  /** The secret of this browser's cookie, if it has signed in before. */
  browserSecret: string | undefined;
  setSessionCookie(secret: string): void;
  /** Call it after `setSession`. */
  setBrowserCookie(secret: string): void;
  /** Who is calling, asked anew: for what is told long after the request. Throws UNAUTHENTICATED. */
  reauthenticate(): Promise<Viewer>;
  /** For an answer that stays open: ends when the caller is gone or the service stops. Throws RATE_LIMITED. */
  openStream(): AbortSignal;
}
