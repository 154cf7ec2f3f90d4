import type { Ctx } from '../context.ts';
import type { Deps } from '../deps.ts';
import type { Loaders } from './loaders.ts';

/** What resolvers are given: one per request. */
export interface GraphqlContext {
  ctx: Ctx;
  loaders: Loaders;
  deps: Deps;
  /** Where the request came from, for throttling. */
  address: string;
  setSession(secret: string): void;
}
