import type { Context } from '../../../context.ts';
import {
  enqueueEmails,
  type OutgoingEmail,
  toEmailClient,
} from '../../../integrations/email/outbox.ts';
import {
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { findOrdersByIds } from '../service/find-orders.ts';
import { createOrderLinks } from '../service/links.ts';
import { confirmationRequested, orderConfirmed } from './confirmation.ts';

/** Confirms orders, and asks the buyers of free orders to confirm them. */
export async function sendConfirmationEmails(
  ctx: Context,
  changes: RecordedChange[],
): Promise<void> {
  const ids = new Set(changes.flatMap(({ subjectId }) => subjectId ?? []));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const links = createOrderLinks(ctx);
  const requests: OutgoingEmail[] = [];
  const confirmations: TemplateEmail[] = [];
  for (const change of changes) {
    const order = orders.get(change.subjectId ?? '');
    const client = toEmailClient(change);
    // Another change may have followed, such as a cancellation with an email of its own.
    if (change.type === 'order.placed') {
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
