import { formatMoney } from '../../../core/money.ts';
import {
  defineTemplateEmail,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { EmailTexts, SpaceTexts } from '../../../languages/emails/email-texts.ts';
import {
  attachCalendar,
  type EmailContext,
  toAdmissionKind,
  toOrderValues,
  toSubjectValues,
} from '../describe-order.ts';
import type { MailedOrder, Order } from '../types.ts';
import type { RequestedRefund } from './load-order-commands.ts';

/** Returns the name of a buyer who has paid. The name on a free order is arbitrary text that a stranger may have entered. */
const toPayerName = ({ buyer, paid }: Order) => (paid.amount > 0 ? buyer.name : null);

const greetPayer = (order: Order) => ({
  sender: order.locationName ?? undefined,
  recipientName: toPayerName(order),
});

/** To the buyer of an expired order whose payment arrived after its tickets were sold to others. */
export const paymentExpired = (
  texts: EmailTexts,
  order: MailedOrder,
  refund: RequestedRefund,
): TemplateEmail =>
  defineTemplateEmail(
    'order-payment-late',
    { ...toOrderValues(texts, order), ...toRefundValues(texts, refund) },
    { to: order.buyer.email, priority: 'essential', frame: greetPayer(order) },
  );

/** To the buyer of an order that was paid twice, was already cancelled, or was paid with a wrong amount. */
export const paymentReturned = (
  texts: EmailTexts,
  order: MailedOrder,
  refund: RequestedRefund,
): TemplateEmail =>
  defineTemplateEmail(
    'order-payment-returned',
    {
      ...toOrderValues(texts, order),
      ...toRefundValues(texts, refund),
      total: formatMoney(order.total, texts.language),
      unpaid: order.status === 'pending' ? 'yes' : null,
      status: texts.text(
        order.status === 'cancelled' ? 'order.alreadyCancelled' : 'order.alreadyPaid',
      ),
    },
    { to: order.buyer.email, priority: 'essential', frame: greetPayer(order) },
  );

/** To the buyer, after the buyer or staff cancelled the order or a part of it, or staff refunded an amount. */
export function orderCancelled(
  ctx: EmailContext,
  texts: SpaceTexts,
  order: MailedOrder,
  details: {
    tickets: number;
    refund: RequestedRefund | null;
    reason: string | null;
    portalUrl: string;
  },
): TemplateEmail {
  const values = {
    ...toOrderValues(texts, order),
    ...toRefundValues(texts, details.refund),
    reason: details.reason,
  };
  const email = {
    to: order.buyer.email,
    ...(details.refund ? { priority: 'essential' as const } : {}),
    ...(order.status === 'cancelled' || order.dayPasses.some(({ status }) => status === 'cancelled')
      ? { attachments: [attachCalendar(ctx, texts, order, 'CANCEL')] }
      : {}),
    frame: { ...greetPayer(order), actionUrl: details.portalUrl },
  };
  if (details.tickets === 0) {
    const valid = order.status === 'paid' ? 'yes' : null;
    return defineTemplateEmail('order-refunded', { ...values, valid }, email);
  }
  const tickets = texts.text(`order.cancelled.${toAdmissionKind(order)}`, {
    count: details.tickets,
  });
  const several = details.tickets > 1 ? 'yes' : null;
  return defineTemplateEmail('order-cancelled', { ...values, tickets, several }, email);
}

const toRefundValues = ({ language }: EmailTexts, refund: RequestedRefund | null) => ({
  refund: refund && formatMoney(refund, language),
  onSite: refund?.isOnSite ? 'yes' : null,
});

/** To every buyer of a cancelled event. */
export const eventCancelled = (
  ctx: EmailContext,
  texts: SpaceTexts,
  order: MailedOrder,
  { refund, reason }: { refund: RequestedRefund | null; reason: string | null },
): TemplateEmail =>
  defineTemplateEmail(
    'event-cancelled',
    { ...toOrderValues(texts, order), ...toRefundValues(texts, refund), reason },
    {
      to: order.buyer.email,
      priority: 'essential',
      attachments: [attachCalendar(ctx, texts, order, 'CANCEL')],
      frame: greetPayer(order),
    },
  );

/** To every buyer of an event whose time or place changed. */
export const eventMoved = (
  ctx: EmailContext,
  texts: SpaceTexts,
  order: MailedOrder,
  {
    previous,
    until,
    portalUrl,
  }: {
    previous: string | null;
    /** When an unpaid order expires. Null for paid orders. */
    until: string | null;
    portalUrl: string;
  },
): TemplateEmail =>
  defineTemplateEmail(
    'event-moved',
    { ...toOrderValues(texts, order), previous, until },
    {
      to: order.buyer.email,
      priority: 'essential',
      ...(order.status === 'paid' ? { attachments: [attachCalendar(ctx, texts, order)] } : {}),
      frame: { ...greetPayer(order), actionUrl: portalUrl },
    },
  );

interface TicketHolder {
  name: string;
  email: string;
}

/** Finds the holders of these tickets and day passes whose email address is not the buyer's, each once. */
export function findOtherHolders(order: Order, ids: string[]): TicketHolder[] {
  const selectedIds = new Set(ids);
  const holders = [
    ...order.tickets.map(({ id, attendee }) => ({ id, ...attendee })),
    ...order.dayPasses.map(({ id, holder }) => ({ id, ...holder })),
  ];
  const byEmail = new Map<string, TicketHolder>();
  for (const { id, name, email } of holders) {
    if (email !== null && email !== order.buyer.email && selectedIds.has(id)) {
      byEmail.set(email, { name, email });
    }
  }
  return [...byEmail.values()];
}

const greetHolder = ({ locationName }: Order) => ({
  sender: locationName ?? undefined,
  recipientName: null,
});

const hasOtherTicket = ({ tickets, dayPasses }: Order, { email }: TicketHolder) =>
  tickets.some(({ status, attendee }) => status === 'valid' && attendee.email === email) ||
  dayPasses.some(({ status, holder }) => status === 'valid' && holder.email === email);

/** The order with only the day passes of a holder, who should not see those of others in the calendar entries. */
const limitToHolder = (order: Order, { email }: Pick<TicketHolder, 'email'>): Order => ({
  ...order,
  dayPasses: order.dayPasses.filter(({ holder }) => holder.email === email),
});

/** To the holder of a cancelled ticket that another person bought. */
export const ticketCancelled = (
  ctx: EmailContext,
  texts: SpaceTexts,
  order: Order,
  holder: TicketHolder,
  reason: string | null,
): TemplateEmail =>
  defineTemplateEmail(
    'ticket-cancelled',
    { ...toSubjectValues(texts, order), buyer: toPayerName(order), reason },
    {
      to: holder.email,
      ...(hasOtherTicket(order, holder)
        ? {}
        : {
            attachments: [attachCalendar(ctx, texts, limitToHolder(order, holder), 'CANCEL')],
          }),
      frame: greetHolder(order),
    },
  );

/** To the holder of a ticket that another person bought, after the time or place of the event changed. */
export const ticketMoved = (
  ctx: EmailContext,
  texts: SpaceTexts,
  order: Order,
  holder: TicketHolder,
  previous: string | null,
): TemplateEmail =>
  defineTemplateEmail(
    'ticket-moved',
    { ...toSubjectValues(texts, order), previous },
    {
      to: holder.email,
      priority: 'essential',
      attachments: [attachCalendar(ctx, texts, order)],
      frame: greetHolder(order),
    },
  );

/** To the new holder of a transferred ticket or day pass, with it attached. */
export const ticketTransferred = (
  ctx: EmailContext,
  texts: SpaceTexts,
  order: Order,
  holder: { ticketId: string; email: string; code: string; url: string },
): TemplateEmail =>
  defineTemplateEmail(
    'ticket-transferred',
    {
      ...toSubjectValues(texts, order),
      code: holder.code,
      buyer: toPayerName(order),
    },
    {
      to: holder.email,
      priority: 'requested',
      attachments: [
        attachCalendar(ctx, texts, limitToHolder(order, holder)),
        { type: 'tickets', orderId: order.id, ticketIds: [holder.ticketId] },
      ],
      frame: {
        ...greetHolder(order),
        actionUrl: holder.url,
        footnote: texts.text('order.keepCode'),
      },
    },
  );
