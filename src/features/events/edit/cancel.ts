import { type Ctx, inTransaction } from '../../../context.ts';
import { windUp } from '../../orders/changes/wind-up.ts';
import { emit } from '../../webhooks/emit.ts';
import type { CommunityEvent } from '../event.ts';
import { getForWriting } from '../service.ts';
import { lockEvent } from './lock.ts';

const MOST_AT_ONCE = 200;

/**
 * Calls off a draft or a published event; one that is cancelled stays as it is. Its orders end with it, their money
 * goes back and everybody is told: a few hundred right away, more by a job. Throws NOT_FOUND.
 */
export async function cancel(ctx: Ctx, id: string, reason: string | null): Promise<CommunityEvent> {
  await callOff(ctx, id, reason);
  // Orders are locked before their event, so they end once it is cancelled for everybody to see.
  if (!ctx.atomic) await windUp(ctx, { eventId: id, atMost: MOST_AT_ONCE });
  await ctx.wake?.(ctx, 'events.wind-up');
  return getForWriting(ctx, id);
}

const callOff = (ctx: Ctx, id: string, reason: string | null): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const { status, publishedAt, createdAt } = await lockEvent(tx, id);
    const now = ctx.now();
    if (status !== 'cancelled') {
      await tx.db.event.update({
        where: { id },
        data: {
          status: 'cancelled',
          cancelledAt: now,
          cancelReason: reason,
          // What was imported has been public since it was made, and is still shown as cancelled.
          publishedAt: status === 'published' ? (publishedAt ?? createdAt) : null,
          updatedAt: now,
        },
      });
      await emit(tx, 'event.cancelled', async () => [{ event: await getForWriting(tx, id) }]);
    }
  });
