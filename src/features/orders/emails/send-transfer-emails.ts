import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { enqueueTemplateEmails } from '../../../integrations/email/template-email.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { type ChangeActor, type RecordedChange, toCaller } from '../../../journal/read-changes.ts';
import { ticketUrl } from '../links.ts';
import { findOrdersByIds } from '../queries.ts';
import { ticketTransferred } from './changes.ts';

export const TRANSFER_EMAIL_TYPES = [
  'ticket.transferred',
  'day_pass.transferred',
] as const satisfies readonly ChangeType[];

interface Transfer extends ChangeActor {
  ticketId: string;
  orderId: string;
  email: string | null;
  code: string;
}

// Only the last transfer of a ticket: the codes of earlier ones no longer work.
const LOAD_TRANSFERS = prepareStatement(`
  SELECT c.actor_kind AS "actorKind", c.address, admission.id AS "ticketId", admission."orderId", admission.email, admission.code
  FROM changes c CROSS JOIN LATERAL (
    SELECT id, order_id AS "orderId", attendee_email AS email, code, status FROM tickets WHERE id = c.subject_id
    UNION ALL SELECT id, order_id, holder_email, code, status FROM day_passes WHERE id = c.subject_id) admission
  WHERE c.id = ANY ($1::uuid[]) AND admission.status = 'valid'
    AND NOT EXISTS (SELECT FROM changes later
      WHERE later.subject_id = c.subject_id AND later.position > c.position AND later.type = c.type)
  ORDER BY c.position`);

/** Emails the new holders of transferred tickets and day passes, with the new code. */
export async function sendTransferEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const transfers = await ctx.lockingSql<Transfer>(LOAD_TRANSFERS, [changes.map(({ id }) => id)]);
  const ids = new Set(transfers.map(({ orderId }) => orderId));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const emails = transfers.flatMap(({ ticketId, orderId, email, code, ...actor }) => {
    const order = orders.get(orderId);
    if (order === undefined || email === null) return [];
    const holder = { ticketId, email, code, url: ticketUrl(ctx, code) };
    return [{ ...ticketTransferred(order, holder), client: toCaller(actor) }];
  });
  await enqueueTemplateEmails(ctx, emails);
}
