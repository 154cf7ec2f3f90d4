import { type Context, runInTransaction } from '../../../../context.ts';
import { formatLongTimeRange } from '../../../../core/time/format.ts';
import { prepareStatement } from '../../../../db/prepared-statement.ts';
import { enqueueTemplateEmails } from '../../../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../../../journal/read-changes.ts';
import type { EmailTexts } from '../../../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../../../settings/service.ts';
import { findOrdersByIds } from '../../service/find-orders.ts';
import { createOrderLinks } from '../../service/links.ts';
import { hasBuyerAddress, type Order } from '../../types.ts';
import { eventMoved, findOtherHolders, ticketMoved } from '../changes.ts';
import { findDesksOfOrders, formatHoldEnd, isUnpaidAtFrontDesk } from '../reservations.ts';

const MOVED_FIELDS = ['starts_at', 'ends_at', 'location_id'];

/** Whether the change moved an event to another time or place. */
const isEventMoved = ({ type, after }: RecordedChange): boolean =>
  type === 'event.updated' && MOVED_FIELDS.some((field) => after !== null && field in after);

// An event that is moved again begins anew, since the holders who were emailed have an outdated time. Its previous time stays
// the one before the first move, which all holders know.
const START_MOVES = prepareStatement(`
  INSERT INTO event_moves AS m (event_id, previous_starts_at, previous_ends_at)
  SELECT e.id, (array_agg(c.before ->> 'starts_at' ORDER BY c.sequence) FILTER (WHERE c.before ? 'starts_at'))[1]::timestamptz,
    (array_agg(c.before ->> 'ends_at' ORDER BY c.sequence) FILTER (WHERE c.before ? 'ends_at'))[1]::timestamptz
  FROM changes c JOIN events e ON e.id = c.subject_id WHERE c.id = ANY ($1::uuid[]) GROUP BY e.id
  ON CONFLICT (event_id) DO UPDATE SET last_order_id = NULL,
    previous_starts_at = coalesce(m.previous_starts_at, excluded.previous_starts_at),
    previous_ends_at = coalesce(m.previous_ends_at, excluded.previous_ends_at)`);

/** Lets a job email the ticket holders of moved events. There can be more than one transaction can email. */
export async function sendEventMoves(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const ids = changes.filter(isEventMoved).map(({ id }) => id);
  if (ids.length === 0) return;
  await ctx.lockingSql(START_MOVES, [ids]);
  await ctx.triggerJob?.(ctx, 'events.announce-moves');
}

const MOVED_BATCH_SIZE = 200;

/** Job: emails all ticket holders of moved events, in batches. An interrupted run is resumed. */
export async function announceEventMoves(
  ctx: Context,
  signal?: AbortSignal,
  batchSize = MOVED_BATCH_SIZE,
): Promise<void> {
  const moves = await ctx.db.eventMove.findMany({ orderBy: { eventId: 'asc' } });
  for (const { eventId } of moves) {
    // A failed event does not stop the others. The next run retries it.
    try {
      while (!signal?.aborted && (await announceBatch(ctx, eventId, batchSize)));
    } catch (error) {
      ctx.log.error({ err: error, event: eventId }, 'could not email that an event was moved');
    }
  }
}

interface Move {
  lastOrderId: string | null;
  /** Null if the time was not changed. */
  previousStartsAt: Date | null;
  previousEndsAt: Date | null;
}

const LOCK_MOVE = prepareStatement(`
  SELECT last_order_id AS "lastOrderId", previous_starts_at AS "previousStartsAt", previous_ends_at AS "previousEndsAt"
  FROM event_moves WHERE event_id = $1::uuid FOR UPDATE`);

/** Emails the next ticket holders of an event. Returns whether there are more. */
const announceBatch = (ctx: Context, eventId: string, size: number): Promise<boolean> =>
  runInTransaction(ctx, async (ctx) => {
    const [move] = await ctx.lockingSql<Move>(LOCK_MOVE, [eventId]);
    if (move === undefined) return false;
    const rows = await ctx.db.order.findMany({
      where: {
        eventId,
        event: { status: 'published' },
        // Buyers who pay at the front desk plan to come. Those who have not confirmed their order yet are left out below.
        OR: [{ status: 'paid' }, { status: 'pending', provider: 'on_site' }],
        ...(move.lastOrderId ? { id: { gt: move.lastOrderId } } : {}),
      },
      orderBy: { id: 'asc' },
      take: size,
      select: { id: true },
    });
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await announceMove(ctx, await findOrdersByIds(ctx, ids), move);
    if (ids.length < size) {
      await ctx.db.eventMove.delete({ where: { eventId } });
      return false;
    }
    await ctx.db.eventMove.update({
      where: { eventId },
      data: { lastOrderId: ids.at(-1) ?? null },
    });
    return true;
  });

async function announceMove(ctx: Context, orders: Order[], move: Move): Promise<void> {
  const links = createOrderLinks(ctx);
  const texts = await readEmailTexts(ctx);
  const confirmed = orders.filter((order) => order.status === 'paid' || isHeld(order));
  const desks = await findDesksOfOrders(ctx, confirmed.filter(isUnpaidAtFrontDesk));
  const emails = confirmed.flatMap((order) => {
    const previous = formatPreviousTime(texts, order, move);
    const desk = desks.get(order.id);
    const until = desk && order.expiresAt ? formatHoldEnd(texts, order.expiresAt, desk) : null;
    return [
      ...(hasBuyerAddress(order)
        ? [eventMoved(ctx, texts, order, { previous, until, portalUrl: links.create(order.id) })]
        : []),
      ...findOtherHolders(order, toValidTicketIds(order)).map((holder) =>
        ticketMoved(ctx, texts, order, holder, previous),
      ),
    ];
  });
  await links.save();
  await enqueueTemplateEmails(ctx, texts, emails);
}

const isHeld = (order: Order) => isUnpaidAtFrontDesk(order) && !order.confirmationRequired;

const toValidTicketIds = ({ tickets }: Order) =>
  tickets.filter(({ status }) => status === 'valid').map(({ id }) => id);

/** Returns null if the time is the same as before. */
function formatPreviousTime(
  { language }: EmailTexts,
  { event }: Order,
  { previousStartsAt, previousEndsAt }: Move,
): string | null {
  if (event === null) return null;
  const [startsAt, endsAt] = [Date.parse(event.startsAt), Date.parse(event.endsAt)];
  const start = previousStartsAt?.getTime() ?? startsAt;
  const end = previousEndsAt?.getTime() ?? endsAt;
  return start === startsAt && end === endsAt
    ? null
    : formatLongTimeRange(start, end, event.timeZone, language);
}
