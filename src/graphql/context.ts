import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { Loaders } from './dataloaders.ts';
import type { ListLoaders } from './list-loaders.ts';

/** What fields of one response share to read rows together. They keep the rows that they have read. */
interface RowLoaders {
  loaders: Loaders;
  lists: ListLoaders;
}

/** The context of one request, which all resolvers receive. */
export interface GraphqlContext extends RowLoaders {
  ctx: Context;
  /** Creates loaders that have read no rows, such as for another transaction or after a change. */
  createLoaders(ctx: Context): RowLoaders;
  deps: Dependencies;
  /** The client's address, for rate limits. */
  address: string;
  /** The Idempotency-Key header. The mutations of a repeated request are not executed again. */
  idempotencyKey: string | undefined;
  /** Prevents other pages from signing a person in or out. @throws FORBIDDEN for pages of other origins. */
  assertSameOrigin(): void;
  /** The secret in this browser's cookie, if it has signed in before. */
  browserSecret: string | undefined;
  setSessionCookie(secret: string): void;
  /** Call it after `setSessionCookie`, which replaces all cookies. */
  setBrowserCookie(secret: string): void;
  /** Charges one event of a subscription. @throws RATE_LIMITED beyond the budget. */
  chargeEvent(): void;
  /** Authenticates the request again, for events sent long after it started. @throws UNAUTHENTICATED */
  reauthenticate(): Promise<Viewer>;
  /**
   * Registers a long-lived response. The signal aborts when the caller disconnects or the service stops.
   * @throws RATE_LIMITED
   */
  openStream(): AbortSignal;
}
