import type { Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  renderTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { findOrdersByIds } from '../queries.ts';
import { confirmationRequested, orderConfirmed } from './confirmation.ts';
import { isEventMoved, startEventMoves } from './event-moves.ts';
import { type Client, createLinks, type Queued, queueEmails } from './queue-emails.ts';

/** The changes that `sendOrderEmails` handles. */
export const ORDER_EMAIL_TYPES = [
  'order.placed',
  'order.confirmed',
  'event.updated',
] as const satisfies readonly ChangeType[];

/** SQL: which of them it needs. Only buyers of free orders are asked to confirm them. */
export const ORDER_EMAIL_WHERE = `type <> 'order.placed' OR after ->> 'total_amount' = '0'`;

/**
 * Queues the emails that follow from changes of orders, in the transaction of the reader: confirmations, and requests to
 * confirm a free order. Each has a new link to the order. A job emails the holders of tickets of an event that was moved.
 */
export async function sendOrderEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  await sendPlacedOrderEmails(
    ctx,
    changes.filter(({ type }) => type === 'order.placed' || type === 'order.confirmed'),
  );
  const movedIds = changes.filter(isEventMoved).flatMap(({ subjectId }) => subjectId ?? []);
  if (movedIds.length > 0) await startEventMoves(ctx, movedIds);
}

async function sendPlacedOrderEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const ids = new Set(changes.flatMap(({ subjectId }) => subjectId ?? []));
  const orders = new Map((await findOrdersByIds(ctx, [...ids])).map((order) => [order.id, order]));
  const clients = await loadClients(ctx, changes);
  const links = createLinks(ctx);
  const confirmations: (TemplateEmail & { client: Client })[] = [];
  const requests: Queued[] = [];
  for (const { id, type, subjectId } of changes) {
    const order = orders.get(subjectId ?? '');
    const client = clients.get(id) ?? ctx;
    // Another change may have followed, such as a cancellation with an email of its own.
    if (type === 'order.confirmed' && order?.status === 'paid') {
      confirmations.push({ ...orderConfirmed(ctx, order, links.create(order.id)), client });
    } else if (type === 'order.placed' && order?.confirmationRequired) {
      requests.push({ client, ...confirmationRequested(order, links.create(order.id)) });
    }
  }
  const rendered = await renderTemplateEmails(ctx, confirmations);
  await queueEmails(ctx, links.rows, [
    ...requests,
    ...rendered.map(({ source, ...email }) => ({ ...email, client: source.client })),
  ]);
}

const FIND_CLIENTS = prepareStatement(`
  SELECT id, actor_kind AS kind, address FROM changes WHERE id = ANY ($1::uuid[])`);

/** Loads who made each change. */
async function loadClients(
  { lockingSql }: Context,
  changes: RecordedChange[],
): Promise<Map<string, Client>> {
  const rows = await lockingSql<{ id: string; kind: Viewer['kind']; address: string | null }>(
    FIND_CLIENTS,
    [changes.map(({ id }) => id)],
  );
  return new Map(
    rows.map(({ id, kind, address }) => [
      id,
      { viewer: { kind } as Viewer, ...(address === null ? {} : { clientAddress: address }) },
    ]),
  );
}
