import { createSecret } from '../../../auth/tokens.ts';
import type { Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  isDeletedAddress,
  type OutgoingEmail,
  toEmailRow,
} from '../../../integrations/email/outbox.ts';
import {
  renderTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { portalUrl } from '../links.ts';
import { findOrdersByIds } from '../queries.ts';
import type { Order } from '../types.ts';
import { eventMoved, findOtherHolders, ticketMoved } from './changes.ts';
import { confirmationRequested, orderConfirmed } from './confirmation.ts';

/** The changes that `sendOrderEmails` handles. */
export const ORDER_EMAIL_TYPES = [
  'order.placed',
  'order.confirmed',
  'event.updated',
] as const satisfies readonly ChangeType[];

/** SQL: which of them it needs. Only buyers of free orders are asked to confirm them. */
export const ORDER_EMAIL_WHERE = `type <> 'order.placed' OR after ->> 'total_amount' = '0'`;

/** Who caused an email. Its client's network has a budget. */
type Client = Parameters<typeof toEmailRow>[1];

/**
 * Queues the emails that follow from changes of orders and events, in the transaction of the reader: confirmations, requests
 * to confirm a free order, and emails that an event was moved. Each has a new link to the order.
 */
export async function sendOrderEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  await sendPlacedOrderEmails(
    ctx,
    changes.filter(({ type }) => type === 'order.placed' || type === 'order.confirmed'),
  );
  const movedIds = changes.filter(isEventMoved).flatMap(({ subjectId }) => subjectId ?? []);
  for (const eventId of new Set(movedIds)) await sendEventMovedEmails(ctx, eventId);
}

async function sendPlacedOrderEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const orders = await loadOrders(
    ctx,
    changes.flatMap(({ subjectId }) => subjectId ?? []),
  );
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

async function loadOrders(ctx: Context, ids: string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map();
  const orders = await findOrdersByIds(ctx, [...new Set(ids)]);
  return new Map(orders.map((order) => [order.id, order]));
}

const FIND_CLIENTS = prepareStatement(`
  SELECT id, actor_kind AS kind, address FROM changes WHERE id = ANY ($1::uuid[])`);

/** Loads who made each change. */
async function loadClients(
  { lockingSql }: Context,
  changes: RecordedChange[],
): Promise<Map<string, Client>> {
  if (changes.length === 0) return new Map();
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

const MOVED_FIELDS = ['starts_at', 'ends_at', 'location_id'];

const isEventMoved = ({ type, after }: RecordedChange) =>
  type === 'event.updated' && MOVED_FIELDS.some((field) => after !== null && field in after);

const MOVED_BATCH_SIZE = 200;

/** Emails all ticket holders of an event that its time or place changed. */
async function sendEventMovedEmails(ctx: Context, eventId: string): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const rows = await ctx.db.order.findMany({
      where: {
        eventId,
        event: { status: 'published' },
        status: 'paid',
        ...(last ? { id: { gt: last } } : {}),
      },
      orderBy: { id: 'asc' },
      take: MOVED_BATCH_SIZE,
      select: { id: true },
    });
    const orders = await loadOrders(
      ctx,
      rows.map(({ id }) => id),
    );
    await announceMove(ctx, [...orders.values()]);
    last = rows.at(-1)?.id;
    if (rows.length < MOVED_BATCH_SIZE) return;
  }
}

async function announceMove(ctx: Context, orders: Order[]): Promise<void> {
  const links = createLinks(ctx);
  const emails = orders.flatMap((order) => [
    eventMoved(order, links.create(order.id)),
    ...findOtherHolders(order, toValidTicketIds(order)).map((holder) => ticketMoved(order, holder)),
  ]);
  const rendered = await renderTemplateEmails(ctx, emails);
  await queueEmails(
    ctx,
    links.rows,
    rendered.map(({ source: _, ...email }) => ({ ...email, client: ctx })),
  );
}

const toValidTicketIds = ({ tickets }: Order) =>
  tickets.filter(({ status }) => status === 'valid').map(({ id }) => id);

/** Creates links to orders, as rows to insert. */
function createLinks(ctx: Context) {
  const rows: {
    hash: Uint8Array<ArrayBuffer>;
    orderId: string;
    canConfirm: true;
    createdAt: Date;
  }[] = [];
  return {
    rows,
    create(orderId: string): string {
      const { plainText, hash } = createSecret('orderLink');
      rows.push({ hash, orderId, canConfirm: true, createdAt: ctx.now() });
      return portalUrl(ctx, plainText);
    },
  };
}

type Queued = OutgoingEmail & { client: Client };

async function queueEmails(
  ctx: Context,
  links: ReturnType<typeof createLinks>['rows'],
  emails: Queued[],
): Promise<void> {
  const now = ctx.now();
  const data = emails
    .filter(({ to }) => !isDeletedAddress(to))
    .map(({ client, ...email }) => ({
      ...toEmailRow(email, client),
      createdAt: now,
      nextAttemptAt: now,
    }));
  if (data.length === 0) return;
  await ctx.db.orderAccessToken.createMany({ data: links });
  await ctx.db.mail.createMany({ data });
  await ctx.triggerJob?.(ctx, 'mail.deliver');
}
