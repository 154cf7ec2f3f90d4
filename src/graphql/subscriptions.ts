import { type Access, requireAccess } from '../auth/viewer.ts';
import type { GraphqlContext } from './context.ts';
import { createLoaders } from './dataloaders.ts';

/**
 * What a subscription tells, for as long as the caller may know it: that is decided anew before anything is told, since
 * a token may be revoked while its stream is open. Ends when the caller goes or the service stops. Throws RATE_LIMITED
 * where too many streams are open.
 */
export async function* streamWhileAuthorized<News>(
  context: GraphqlContext,
  access: Access,
  listen: (signal: AbortSignal) => AsyncGenerator<News[], void, void>,
): AsyncGenerator<News, void, void> {
  for await (const news of listen(context.openStream())) {
    requireAccess(await context.reauthenticate(), access);
    context.loaders = createLoaders(context.ctx); // what they hold is as old as the last news
    yield* news;
  }
}
