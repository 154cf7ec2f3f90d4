import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { CredentialLookup } from '../auth/authenticate.ts';
import type { CredentialUses } from '../auth/credential-uses.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { ChangeFeed } from '../core/change-feed.ts';
import type { Tracer } from '../core/tracing.ts';
import type { Change } from '../features/changes/service/list-changes.ts';
import type { Occupancy } from '../features/check-ins/service/occupancy.ts';
import type { DeviceGateway } from '../features/displays/service/device-gateway.ts';
import type { DisplayStatusEvent } from '../features/displays/service/status-changes.ts';
import type { Installation } from '../features/system/types.ts';
import type { QueryBudget } from '../graphql/query-budget.ts';
import type { TrustedDocuments } from '../graphql/trusted-documents/trusted-documents.ts';
import type { SpaceSettings } from '../languages/space-settings.ts';
import type { StreamRegistry } from './stream-registry.ts';

/** Objects that live as long as the process and are shared by both APIs. app.ts creates them. */
export interface Dependencies {
  config: Config;
  log: Logger;
  /** Undefined unless traces are exported. */
  tracer: Tracer | undefined;
  credentials: CredentialLookup;
  credentialUses: CredentialUses;
  rateLimits: RateLimits;
  streams: StreamRegistry;
  /**
   * Waits until the request may begin work that takes long, such as parsing. Requests that have waited for the database need it: their
   * results can arrive together.
   */
  takeTurn(req: IncomingMessage): Promise<void>;
  /** The points that callers of GraphQL can spend. */
  queryBudget: QueryBudget;
  trustedDocuments: TrustedDocuments;
  /** Shared by all devices that poll. */
  deviceGateway: DeviceGateway;
  /** Shared by all subscribers. */
  displayStatusFeed: ChangeFeed<DisplayStatusEvent>;
  occupancyFeed: ChangeFeed<Occupancy>;
  journalFeed: ChangeFeed<Change>;
  installation: Installation;
  /** Reads the settings of displays, kiosks, public pages and the pages of members. */
  readPageSettings(): Promise<SpaceSettings>;
  /** Creates the context for a request of this viewer. */
  createContext(viewer: Viewer): Context;
  /** Shared by device requests, which the display service authenticates. */
  anonymousContext: Context;
}
