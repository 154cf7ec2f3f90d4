import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { toEmailClient } from '../../../integrations/email/outbox.ts';
import { enqueueTemplateEmails } from '../../../integrations/email/template-email.ts';
import { type RecordedChange, toHistorySql } from '../../../journal/read-changes.ts';
import { readEmailTexts } from '../../settings/service.ts';
import { findOrdersByIds } from '../service/find-orders.ts';
import { ticketUrl } from '../service/links.ts';
import { ticketTransferred } from './changes.ts';

interface Transfer {
  changeId: string;
  ticketId: string;
  orderId: string;
  /** The address to which it was transferred, also if the buyer has changed it since. */
  email: string;
  code: string;
}

// Only the last transfer of a ticket: the codes of earlier ones no longer work.
const LOAD_TRANSFERS = prepareStatement(`
  SELECT c.id AS "changeId", admission.id AS "ticketId", admission."orderId", admission.code,
    coalesce((
      SELECT later.before ->> admission.field FROM ${toHistorySql('admission.id')} later
      WHERE later.sequence > c.sequence AND later.before ? admission.field
      ORDER BY later.sequence LIMIT 1), admission.email) AS email
  FROM changes c CROSS JOIN LATERAL (
    SELECT id, order_id AS "orderId", attendee_email AS email, 'attendee_email' AS field, code, status
    FROM tickets WHERE id = c.subject_id
    UNION ALL
    SELECT id, order_id, holder_email, 'holder_email', code, status
    FROM day_passes WHERE id = c.subject_id) admission
  WHERE c.id = ANY ($1::uuid[]) AND admission.status = 'valid'
    AND NOT EXISTS (SELECT FROM ${toHistorySql('admission.id')} later
      WHERE later.sequence > c.sequence AND later.type = c.type)
  ORDER BY c.position`);

/** Emails the new holders of transferred tickets and day passes, with the new code. */
export async function sendTransferEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const changesById = new Map(changes.map((change) => [change.id, change]));
  const transfers = await ctx.lockingSql<Transfer>(LOAD_TRANSFERS, [[...changesById.keys()]]);
  const ids = new Set(transfers.map(({ orderId }) => orderId));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const texts = await readEmailTexts(ctx);
  const emails = transfers.flatMap(({ changeId, orderId, ...holder }) => {
    const [order, change] = [orders.get(orderId), changesById.get(changeId)];
    if (order === undefined || change === undefined) return [];
    const email = ticketTransferred(ctx, texts, order, {
      ...holder,
      url: ticketUrl(ctx, holder.code),
    });
    return [{ ...email, client: toEmailClient(change) }];
  });
  await enqueueTemplateEmails(ctx, texts, emails);
}
