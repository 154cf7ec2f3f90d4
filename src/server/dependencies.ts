import type { Logger } from 'pino';
import type { CredentialLookup } from '../auth/authenticate.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { WriteBehind } from '../jobs/write-behind.ts';
import type { StreamRegistry } from './stream-registry.ts';

/** What lives as long as the process. Both APIs receive it. */
export interface Dependencies {
  config: Config;
  log: Logger;
  credentials: CredentialLookup;
  rateLimits: RateLimits;
  writeBehind: WriteBehind;
  streams: StreamRegistry;
  /** The context of one request of this viewer. */
  createContext(viewer: Viewer): Context;
  /** Shared by the requests of devices, which the service authenticates itself. */
  anonymousContext: Context;
}
