import type { Context } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import type { OrderStatus } from '../../../db/generated/enums.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { ProviderName } from '../../../integrations/payments/provider.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { type RecordedChange, toHistorySql } from '../../../journal/read-changes.ts';

/** What one command did to an order with its tickets, day passes, payments and refunds. */
export interface OrderCommand extends Pick<RecordedChange, 'actorKind' | 'address'> {
  orderId: string;
  types: Set<ChangeType>;
  /** The status of the order after the command. */
  status: OrderStatus;
  /** Whether nobody had confirmed the order, although it needs that, so that its buyer may know nothing of it. */
  wasUnconfirmed: boolean;
  /** The tickets and day passes that were cancelled. */
  cancelledIds: string[];
  /** Why they were cancelled or, if none was, why money was refunded. */
  reason: string | null;
  /** Why its event was cancelled, if it was. */
  eventReason: string | null;
  /** The sum of the refunds. Null if there are none. */
  refund: RequestedRefund | null;
}

export interface RequestedRefund extends Money {
  /** Whether staff return all of it at the location. */
  isOnSite: boolean;
}

interface Row extends Pick<RecordedChange, 'actorKind' | 'address'> {
  orderId: string;
  transactionId: string;
  id: string;
  type: ChangeType;
  subjectId: string;
  currency: string;
  provider: ProviderName | null;
  after: { amount?: number; reason?: string | null; cancel_reason?: string | null } | null;
  before: { status?: OrderStatus } | null;
  status: OrderStatus;
  eventReason: string | null;
  needsConfirmation: boolean;
}

// All changes of a command are committed together, so the statement finds them all, also those without a position. A database
// that was restored elsewhere counts its transactions anew, so the time tells apart what has the same number.
const LOAD_COMMANDS = prepareStatement(`
  WITH command AS (
    SELECT part.order_id, c.transaction_id, min(c.at) AS first, max(c.at) AS last
    FROM changes c CROSS JOIN LATERAL (
      SELECT id AS order_id FROM orders WHERE id = c.subject_id
      UNION ALL SELECT order_id FROM tickets WHERE id = c.subject_id
      UNION ALL SELECT order_id FROM day_passes WHERE id = c.subject_id
      UNION ALL SELECT order_id FROM refunds WHERE id = c.subject_id) part
    WHERE c.id = ANY ($1::uuid[]) GROUP BY 1, 2)
  SELECT o.id AS "orderId", c.transaction_id::text AS "transactionId", c.id, c.type, c.subject_id AS "subjectId",
    part.currency, part.provider, c.before, c.after, c.actor_kind AS "actorKind", c.address,
    coalesce((
      SELECT later.before ->> 'status' FROM ${toHistorySql('o.id')} later
      WHERE later.sequence > c.sequence AND later.before ? 'status'
      ORDER BY later.sequence LIMIT 1), o.status::text) AS status,
    (SELECT cancel_reason FROM events WHERE id = o.event_id) AS "eventReason",
    o.total_amount = 0 AND NOT EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = o.id)
      OR coalesce(o.confirmed_hold_until > o.expires_at, false) AS "needsConfirmation"
  FROM command JOIN orders o ON o.id = command.order_id
  CROSS JOIN LATERAL (
    SELECT o.id, NULL AS currency, NULL::payment_provider AS provider
    UNION ALL SELECT id, NULL, NULL FROM tickets WHERE order_id = o.id
    UNION ALL SELECT id, NULL, NULL FROM day_passes WHERE order_id = o.id
    UNION ALL SELECT id, NULL, NULL FROM payments WHERE order_id = o.id
    UNION ALL SELECT r.id, p.currency, p.provider FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.order_id = o.id) part
  CROSS JOIN LATERAL ${toHistorySql('part.id')} c
  WHERE c.transaction_id = command.transaction_id
    AND c.at BETWEEN command.first - interval '5 minutes' AND command.last + interval '5 minutes'
  ORDER BY c.sequence`);

/** The changes that make a command one of these. */
export const ORDER_COMMAND_TYPES: readonly ChangeType[] = [
  'order.cancelled',
  'ticket.cancelled',
  'day_pass.cancelled',
  'refund.created',
];

/**
 * Loads the commands that cancelled orders, tickets or day passes or refunded money, in order. A command whose first such change is
 * not among these is left out: another batch contains it.
 */
export async function loadOrderCommands(
  ctx: Context,
  changes: RecordedChange[],
): Promise<OrderCommand[]> {
  const ids = new Set(changes.map(({ id }) => id));
  const rows = await ctx.lockingSql<Row>(LOAD_COMMANDS, [[...ids]]);
  const commands = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.transactionId} ${row.orderId}`;
    commands.set(key, [...(commands.get(key) ?? []), row]);
  }
  return [...commands.values()].flatMap((rows) => {
    const cause = rows.find(({ type }) => ORDER_COMMAND_TYPES.includes(type));
    return cause && ids.has(cause.id) ? [toCommand(rows, cause)] : [];
  });
}

function toCommand(rows: Row[], { orderId, actorKind, address }: Row): OrderCommand {
  // A refund that was made in the provider's dashboard can be complete when Foyer records it.
  const refunds = rows.filter(
    ({ type, before }) =>
      type === 'refund.created' || (type === 'refund.succeeded' && before === null),
  );
  const cancelled = rows.filter(({ type }) => CANCELLED.has(type));
  const amount = refunds.reduce((sum, { after }) => sum + (after?.amount ?? 0), 0);
  const [first] = cancelled;
  return {
    ...{ orderId, actorKind, address },
    types: new Set(rows.map(({ type }) => type)),
    status: rows.at(-1)?.status ?? 'paid',
    wasUnconfirmed: rows.some(
      ({ type, before, needsConfirmation }) =>
        type === 'order.cancelled' && before?.status === 'pending' && needsConfirmation,
    ),
    cancelledIds: cancelled.map(({ subjectId }) => subjectId),
    eventReason: rows[0]?.eventReason ?? null,
    reason: (first ? first.after?.cancel_reason : refunds[0]?.after?.reason) ?? null,
    refund:
      amount === 0
        ? null
        : {
            amount,
            currency: refunds[0]?.currency ?? '',
            isOnSite: refunds.every(({ provider }) => provider === 'on_site'),
          },
  };
}

const CANCELLED = new Set<ChangeType>(['ticket.cancelled', 'day_pass.cancelled']);
