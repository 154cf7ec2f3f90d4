import { canReadCodes } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toClientNetwork } from '../../../core/client-ip.ts';
import type { TaxNote } from '../../../db/generated/enums.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { missingScope, notFound } from '../../../errors.ts';
import {
  type EmailFile,
  type RenderTickets,
  TICKETS_FILENAME,
  toQrContentId,
} from '../../../integrations/email/attachments.ts';
import { getEmailTexts } from '../../../languages/emails/email-texts.ts';
import { toLanguage } from '../../../languages/languages.ts';
import { LANGUAGE_SQL, type PriceTexts, TAX_NOTE_SQL } from '../../settings/service.ts';
import { toOpeningTimesSql } from '../../spaces/service/opening-hours.ts';
import { getOrder, getOrderBySecret } from '../service/find-orders.ts';
import { renderQrImage } from '../service/portal.ts';
import type { Order } from '../types.ts';
import { type PrintedTicket, renderTickets } from './render-tickets.ts';

const PRICE_SQL = `'price', json_build_object('amount', a.amount, 'currency', o.currency), 'orderCode', o.code`;
const PLACE_SQL = `'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address`;

const FIND_PRINTED_TICKETS = prepareStatement(`
  SELECT ticket, is_paid AS "isPaid", ${LANGUAGE_SQL} AS language, ${TAX_NOTE_SQL} AS "taxNote" FROM (
    SELECT json_build_object('id', a.id, 'code', a.code, 'holderName', a.attendee_name, 'typeName', type.name,
      'event', json_build_object('title', e.title, 'startsAt', ${projectInstant('e.starts_at')}, 'endsAt', ${projectInstant('e.ends_at')}),
      'validOn', NULL, 'roomName', (SELECT r.name FROM resources r WHERE r.id = e.resource_id), 'openingTimes', NULL, ${PLACE_SQL}, ${PRICE_SQL}) AS ticket, o.total_amount > 0 AS is_paid, a.position, a.id
    FROM tickets a JOIN orders o ON o.id = a.order_id JOIN ticket_types type ON type.id = a.ticket_type_id
      JOIN events e ON e.id = a.event_id JOIN locations l ON l.id = e.location_id
    WHERE a.order_id = $1::uuid AND a.status = 'valid'
    UNION ALL
    SELECT json_build_object('id', a.id, 'code', a.code, 'holderName', a.holder_name, 'typeName', type.name,
      'event', NULL, 'validOn', to_char(a.valid_on, 'YYYY-MM-DD'), 'roomName', NULL,
      'openingTimes', ${toOpeningTimesSql('l.id', 'a.valid_on')}, ${PLACE_SQL}, ${PRICE_SQL}),
      o.total_amount > 0, a.position, a.id
    FROM day_passes a JOIN orders o ON o.id = a.order_id JOIN day_pass_types type ON type.id = a.type_id
      JOIN locations l ON l.id = type.location_id
    WHERE a.order_id = $1::uuid AND a.status = 'valid') printed
  WHERE $2::uuid[] IS NULL OR id = ANY ($2::uuid[])
  ORDER BY position, id`);

/** Finds the valid tickets and day passes of an order, with the texts to print on them. */
async function findPrintedTickets(
  { pipelinedSql }: Context,
  orderId: string,
  ticketIds: string[] | null = null,
) {
  const rows = await pipelinedSql<{
    ticket: PrintedTicket;
    isPaid: boolean;
    language: unknown;
    taxNote: TaxNote | null;
  }>(FIND_PRINTED_TICKETS, [orderId, ticketIds]);
  const { language, taxNote } = rows[0] ?? {};
  return {
    rows,
    texts: { ...getEmailTexts(toLanguage(language)), taxNote: taxNote ?? 'none' },
  };
}

/** Renders the valid tickets and day passes of an order for an email. Returns no file if there are none. */
export async function renderTicketFiles(
  ctx: Context,
  { orderId, ticketIds, showsCodes }: Parameters<RenderTickets>[1],
): Promise<EmailFile[]> {
  const { rows, texts } = await findPrintedTickets(ctx, orderId, ticketIds);
  if (rows.length === 0) return [];
  const tickets = rows.map(({ ticket, isPaid }) => ({
    ...ticket,
    // The names on a free order are arbitrary text that a stranger may have entered, for any email address.
    holderName: isPaid ? ticket.holderName : null,
  }));
  const content = await renderInTurn(ctx, texts, tickets);
  const pdf = { filename: TICKETS_FILENAME, contentType: 'application/pdf', content };
  return [pdf, ...(showsCodes ? await Promise.all(tickets.map(renderCodeFile)) : [])];
}

async function renderCodeFile({ id, code }: PrintedTicket): Promise<EmailFile> {
  return {
    filename: `${code}.png`,
    contentType: 'image/png',
    content: await renderQrImage(code),
    cid: toQrContentId(id),
  };
}

/**
 * Renders the tickets of an order for staff and tokens that can see every order and the codes on its tickets.
 *
 * @throws FORBIDDEN, reason MISSING_SCOPE, for viewers who cannot see codes; NOT_FOUND, also without tickets
 */
export async function printTickets(ctx: Context, orderId: string) {
  if (!canReadCodes(ctx.viewer, 'orders:write')) throw missingScope('orders:write');
  return printOrder(ctx, await getOrder(ctx, orderId));
}

/** Renders the tickets of an order for its buyer. @throws NOT_FOUND, also without valid tickets. */
export const printTicketsBySecret = async (ctx: Context, secret: string) =>
  printOrder(ctx, await getOrderBySecret(ctx, secret));

async function printOrder(ctx: Context, { id, code }: Order) {
  const { rows, texts } = await findPrintedTickets(ctx, id);
  if (rows.length === 0) throw notFound('ticket');
  const tickets = rows.map(({ ticket }) => ticket);
  return { filename: `tickets-${code}.pdf`, content: await renderInTurn(ctx, texts, tickets) };
}

/** Renders one PDF at a time for each network of callers, and one for emails. */
const renderInTurn = (ctx: Context, texts: PriceTexts, tickets: PrintedTicket[]) =>
  ctx.queues.pdfs(
    toClientNetwork(ctx.clientAddress ?? ''),
    () => renderTickets(texts, tickets, ctx.now()),
    { getSignal: ctx.getDisconnectSignal },
  );
