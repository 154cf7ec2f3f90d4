import type { Ctx } from '../../context.ts';
import { lockPlace } from './place.ts';

/**
 * Whoever is in by a ticket stays until their event ends, which is at another time now. Call it within the transaction that
 * moves the event. The place is locked first, as everybody does: who comes in meanwhile comes by the new time.
 */
export async function moveVisits(
  ctx: Ctx,
  event: { id: string; locationId: string; endsAt: Date },
): Promise<void> {
  await lockPlace(ctx, event.locationId);
  const endsAt = event.endsAt.toISOString();
  await ctx.db.$executeRaw`
    UPDATE check_ins c SET auto_check_out_at = greatest(${endsAt}::timestamptz, c.occurred_at)
    FROM tickets t
    WHERE t.event_id = ${event.id}::uuid AND c.ticket_id = t.id AND c.subject = 'ticket' AND c.result = 'admitted'
      AND c.checked_out_at IS NULL`;
}
