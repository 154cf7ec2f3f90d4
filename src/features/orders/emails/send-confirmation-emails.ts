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
import { readEmailTexts } from '../../settings/service.ts';
import { findOrdersByIds } from '../service/find-orders.ts';
import { createOrderLinks } from '../service/links.ts';
import { hasBuyerAddress } from '../types.ts';
import { confirmationRequested, orderConfirmed } from './confirmation.ts';
import {
  findDesksOfOrders,
  holdConfirmationRequested,
  isUnpaidAtFrontDesk,
  orderReserved,
} from './reservations.ts';

/** Confirms orders, asks buyers to confirm them, and says where orders that are paid at the front desk are paid. */
export async function sendConfirmationEmails(
  ctx: Context,
  changes: RecordedChange[],
): Promise<void> {
  const ids = new Set(changes.flatMap(({ subjectId }) => subjectId ?? []));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const desks = await findDesksOfOrders(ctx, [...orders.values()].filter(isUnpaidAtFrontDesk));
  const links = createOrderLinks(ctx);
  const texts = await readEmailTexts(ctx);
  const requests: OutgoingEmail[] = [];
  const confirmations: TemplateEmail[] = [];
  for (const change of changes) {
    const order = orders.get(change.subjectId ?? '');
    if (order === undefined || !hasBuyerAddress(order)) continue;
    const client = toEmailClient(change);
    // Another change may have followed, such as a cancellation with an email of its own.
    if (change.type === 'order.placed') {
      const desk = desks.get(order.id);
      if (desk && !order.confirmationRequired)
        confirmations.push({
          ...orderReserved(texts, order, desk, links.create(order.id)),
          client,
        });
      else if (order.confirmationRequired) {
        const link = links.create(order.id);
        const request = desk
          ? holdConfirmationRequested(texts, order, desk, link)
          : confirmationRequested(texts, order, link);
        requests.push({ ...request, client });
      }
    } else if (order.status === 'paid') {
      confirmations.push({ ...orderConfirmed(ctx, texts, order, links.create(order.id)), client });
    }
  }
  await links.save();
  await enqueueEmails(ctx, requests);
  await enqueueTemplateEmails(ctx, texts, confirmations);
}
