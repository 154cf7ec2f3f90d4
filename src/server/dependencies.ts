import type { Logger } from 'pino';
import type { CredentialLookup } from '../auth/authenticate.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { ChangeFeed } from '../core/change-feed.ts';
import type { Occupancy } from '../features/check-ins/service.ts';
import type { DeviceGateway, DisplayStatusEvent } from '../features/displays/service.ts';
import type { WriteBehind } from '../jobs/write-behind.ts';
import type { StreamRegistry } from './stream-registry.ts';

/** What lives as long as the process and serves both APIs. app.ts creates it. */
export interface Dependencies {
  config: Config;
  log: Logger;
  credentials: CredentialLookup;
  rateLimits: RateLimits;
  writeBehind: WriteBehind;
  streams: StreamRegistry;
  /** Shared by all devices that poll. */
  deviceGateway: DeviceGateway;
  /** Shared by all subscribers. */
  displayStatusFeed: ChangeFeed<DisplayStatusEvent>;
  occupancyFeed: ChangeFeed<Occupancy>;
  /** Creates the context for a request of this viewer. */
  createContext(viewer: Viewer): Context;
  /** Shared by device requests, which the display service authenticates. */
  anonymousContext: Context;
}
