import type { Ctx } from '../../../context.ts';
import type { Event } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid } from '../../../values.ts';

/** Until the transaction ends nobody else changes the event, nor sells a ticket to it. Throws NOT_FOUND. */
export async function lockEvent({ db }: Ctx, id: string): Promise<Event> {
  if (!isUuid(id)) throw notFound('event');
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const event = await db.event.findUnique({ where: { id } });
  if (event === null) throw notFound('event');
  return event;
}

/** The same for an event that may still be changed. Throws CONFLICT, reason EVENT_CANCELLED, too. */
export async function lockForChange(ctx: Ctx, id: string): Promise<Event> {
  const event = await lockEvent(ctx, id);
  if (event.status === 'cancelled') {
    throw new DomainError('CONFLICT', 'The event is cancelled. Make a new one instead.', {
      reason: 'EVENT_CANCELLED',
    });
  }
  return event;
}
