import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  type EmailClient,
  enqueueEmails,
  type OutgoingEmail,
} from '../../../integrations/email/outbox.ts';
import {
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { type ChangeActor, type RecordedChange, toCaller } from '../../../journal/read-changes.ts';
import { findOrdersByIds } from '../queries.ts';
import { confirmationRequested, orderConfirmed } from './confirmation.ts';
import { createOrderLinks } from './order-links.ts';

export const CONFIRMATION_EMAIL_TYPES = [
  'order.placed',
  'order.confirmed',
  'order.confirmation_sent',
] as const satisfies readonly ChangeType[];

/** Confirms orders, and asks the buyers of free orders to confirm them. */
export async function sendConfirmationEmails(
  ctx: Context,
  changes: RecordedChange[],
): Promise<void> {
  const ids = new Set(changes.flatMap(({ subjectId }) => subjectId ?? []));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const clients = await loadClients(ctx, changes);
  const links = createOrderLinks(ctx);
  const requests: OutgoingEmail[] = [];
  const confirmations: TemplateEmail[] = [];
  for (const { id, type, subjectId } of changes) {
    const order = orders.get(subjectId ?? '');
    const client = clients.get(id) ?? ctx;
    // Another change may have followed, such as a cancellation with an email of its own.
    if (type === 'order.placed') {
      if (order?.confirmationRequired)
        requests.push({ ...confirmationRequested(order, links.create(order.id)), client });
    } else if (order?.status === 'paid') {
      confirmations.push({ ...orderConfirmed(ctx, order, links.create(order.id)), client });
    }
  }
  await links.save();
  await enqueueEmails(ctx, requests);
  await enqueueTemplateEmails(ctx, confirmations);
}

const FIND_CLIENTS = prepareStatement(`
  SELECT id, actor_kind AS "actorKind", address FROM changes WHERE id = ANY ($1::uuid[])`);

/** Loads who made each change. */
async function loadClients(
  { lockingSql }: Context,
  changes: RecordedChange[],
): Promise<Map<string, EmailClient>> {
  const rows = await lockingSql<ChangeActor & { id: string }>(FIND_CLIENTS, [
    changes.map(({ id }) => id),
  ]);
  return new Map(rows.map((row) => [row.id, toCaller(row)]));
}
