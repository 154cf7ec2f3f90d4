import { type Access, requireAccess } from '../auth/viewer.ts';
import type { GraphqlContext } from './context.ts';
import { createLoaders } from './dataloaders.ts';

/**
 * Streams events while the caller is authorized. Checks that before each batch, since a token can be revoked while its
 * stream is open. Ends when the caller leaves or the service stops.
 * @throws RATE_LIMITED if too many streams are open.
 */
export async function* streamWhileAuthorized<Event>(
  context: GraphqlContext,
  access: Access,
  listen: (signal: AbortSignal) => AsyncGenerator<Event[], void, void>,
): AsyncGenerator<Event, void, void> {
  for await (const events of listen(context.openStream())) {
    requireAccess(await context.reauthenticate(), access);
    context.loaders = createLoaders(context.ctx); // the old ones cache rows from before these events
    yield* events;
  }
}
