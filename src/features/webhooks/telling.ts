import { type Ctx, inTransaction } from '../../context.ts';
import { emitAll, type News } from './emit.ts';
import type { EventType } from './events.ts';

/** What is taken at once is told in one statement. */
export const MOST_AT_ONCE = 500;

/**
 * Tells what was noted where it happened: `take` takes the oldest that nobody else is at, MOST_AT_ONCE of it, for good,
 * and `newsOf` puts it into words. Both in one transaction: one that comes to nothing leaves its part for the next look.
 */
export async function tellNoted<Note extends { type: EventType }>(
  ctx: Ctx,
  take: (ctx: Ctx) => Promise<Note[]>,
  newsOf: (ctx: Ctx, notes: Note[]) => News[] | Promise<News[]>,
): Promise<void> {
  for (;;) {
    const taken = await inTransaction(ctx, async (ctx) => {
      const notes = await take(ctx);
      const types = [...new Set(notes.map(({ type }) => type))];
      if (types.length > 0) await emitAll(ctx, types, () => newsOf(ctx, notes));
      return notes.length;
    });
    if (taken < MOST_AT_ONCE) return;
  }
}
