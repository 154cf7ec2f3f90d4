import type { Logger } from 'pino';
import type { Credentials } from './auth/credentials.ts';
import type { RateLimits } from './auth/rate-limits.ts';
import type { Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import type { Ctx } from './context.ts';
import type { WriteBehind } from './jobs/write-behind.ts';
import type { Streams } from './streams.ts';

/** What the doors are given. */
export interface Deps {
  config: Config;
  log: Logger;
  credentials: Credentials;
  rateLimits: RateLimits;
  writeBehind: WriteBehind;
  streams: Streams;
  /** For one request of this viewer. */
  ctx(viewer: Viewer): Ctx;
}
