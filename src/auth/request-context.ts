import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { createDisconnectSignal } from '../core/disconnect-signal.ts';
import { getRequestId } from '../core/request-id.ts';
import type { Viewer } from './viewer.ts';

/** Creates the context of a request, the same for all APIs. */
export const createRequestContext = (
  { config, createContext }: { config: Config; createContext(viewer: Viewer): Context },
  req: IncomingMessage,
  res: ServerResponse,
  viewer: Viewer,
): Context => ({
  ...createContext(viewer),
  clientAddress: findClientAddress(req, config.trustProxy),
  requestId: getRequestId(req),
  getDisconnectSignal: createDisconnectSignal(res),
});
