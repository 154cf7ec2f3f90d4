import type { Ctx } from '../context.ts';
import { noteSilence } from '../features/displays/pulses.ts';
import { tellNews } from '../features/webhooks/news.ts';

const EVERY_MS = 5_000;
/** Nobody was heard before the start: so long it takes until all that are there have been. */
const DEAF_MS = 130_000;

/** Notices what happens by nobody's doing, and tells what was noted, too soon for timed work. Call what it gives to stop it. */
export function startWatch(ctx: Ctx): () => void {
  const since = performance.now();
  const look = async () => {
    if (performance.now() - since > DEAF_MS) await noteSilence(ctx.write, ctx.now());
    await tellNews(ctx);
  };
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch((error) =>
      ctx.log.warn({ err: error }, 'could not look for what happened; trying again'),
    );
    looking = false;
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
