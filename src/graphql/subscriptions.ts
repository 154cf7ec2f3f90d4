import { initContextCache } from '@pothos/core';
import { type Access, requireAccess } from '../auth/viewer.ts';
import type { GraphqlContext } from './context.ts';

/**
 * Streams events while the caller is authorized, which is checked before each batch, since a token can be revoked while its
 * stream is open. Each event is charged like a query. Ends when the caller disconnects or the service stops.
 * @throws RATE_LIMITED if too many streams are open, or beyond the budget; the error of the authorization once it ends.
 */
export async function* streamWhileAuthorized<Event>(
  context: GraphqlContext,
  access: Access,
  listen: (signal: AbortSignal) => AsyncGenerator<Event[], void, void>,
): AsyncGenerator<Event, void, void> {
  for await (const events of listen(context.openStream())) {
    const viewer = await context.reauthenticate();
    requireAccess(viewer, access);
    context.ctx = { ...context.ctx, viewer };
    // Pothos caches the fields that the viewer can access.
    Object.assign(context, initContextCache());
    // The old ones cache rows from before these events.
    Object.assign(context, context.createLoaders(context.ctx));
    for (const event of events) {
      context.chargeEvent();
      yield event;
    }
  }
}
