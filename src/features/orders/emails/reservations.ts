import type { Context } from '../../../context.ts';
import { formatLongTime, formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import {
  defineTemplateEmail,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { EmailTexts } from '../../../languages/emails/email-texts.ts';
import { formatPrice, type PriceTexts } from '../../settings/service.ts';
import {
  type FrontDesk,
  findFrontDesks,
  formatFrontDeskHours,
} from '../../spaces/service/front-desks.ts';
import {
  formatOrderSubject,
  toAdmissionKind,
  toOrderSubject,
  toOrderValues,
} from '../describe-order.ts';
import type { MailedOrder, Order } from '../types.ts';

// Emails about orders that are paid at the front desk.

/** Whether an order waits for its payment at the front desk. */
export const isUnpaidAtFrontDesk = ({ status, payment }: Order) =>
  status === 'pending' && payment?.provider === 'on_site';

/** Finds the front desks at which orders are paid, by the id of the order. */
export async function findDesksOfOrders(
  ctx: Context,
  orders: Order[],
): Promise<Map<string, FrontDesk>> {
  const locationIds = new Set(orders.flatMap(({ locationId }) => locationId ?? []));
  const desks = await findFrontDesks(ctx, [...locationIds]);
  return new Map(
    orders.flatMap(({ id, locationId }) => {
      const desk = desks.get(locationId ?? '');
      return desk ? [[id, desk]] : [];
    }),
  );
}

/** Formats when an order expires: "Wednesday, 18 March 2026, 18:00 (Berlin time)". */
export const formatHoldEnd = (
  { language }: EmailTexts,
  end: string,
  { timeZone }: FrontDesk,
): string => `${formatLongTime(end, timeZone, language)} (${formatTimeZone(timeZone, language)})`;

const formatDesk = ({ name, address }: FrontDesk) => [name, address].filter(Boolean).join(', ');

const formatQuantity = ({ text }: EmailTexts, order: Order): string =>
  text(`order.count.${toAdmissionKind(order)}`, {
    count: order.items.reduce((sum, item) => sum + item.quantity, 0),
  });

const toFrame = (order: Order, portalUrl: string) => ({
  sender: order.locationName ?? undefined,
  // Anyone can enter any name and any address. Members have an account.
  recipientName: order.memberId === null ? null : order.buyer.name,
  actionUrl: portalUrl,
});

const toUnpaidValues = (texts: PriceTexts, order: Order, desk: FrontDesk, end: string) => ({
  ...toOrderValues(texts, order),
  tickets: formatQuantity(texts, order),
  price: formatPrice(texts, order.total),
  until: formatHoldEnd(texts, end, desk),
  desk: formatDesk(desk),
  hours: formatFrontDeskHours(texts, desk, toLocalDate(end, desk.timeZone)),
});

/** To the buyer of an order that is paid at the front desk: where, until when and how much. */
export const orderReserved = (
  texts: PriceTexts,
  order: MailedOrder,
  desk: FrontDesk,
  portalUrl: string,
): TemplateEmail =>
  defineTemplateEmail('order-reserved', toUnpaidValues(texts, order, desk, order.expiresAt ?? ''), {
    to: order.buyer.email,
    priority: order.memberId === null ? 'requested' : 'essential',
    frame: toFrame(order, portalUrl),
  });

/** Reminds the buyer before the order expires. */
export const paymentDue = (
  texts: PriceTexts,
  order: MailedOrder,
  desk: FrontDesk,
  portalUrl: string,
): TemplateEmail =>
  defineTemplateEmail(
    'order-payment-due',
    toUnpaidValues(texts, order, desk, order.expiresAt ?? ''),
    {
      to: order.buyer.email,
      frame: toFrame(order, portalUrl),
    },
  );

/** To the buyer of an order that expired without payment. */
export const orderExpired = (
  texts: EmailTexts,
  order: MailedOrder,
  portalUrl: string,
): TemplateEmail =>
  defineTemplateEmail(
    'order-expired',
    { ...toOrderValues(texts, order), tickets: formatQuantity(texts, order) },
    {
      to: order.buyer.email,
      priority: order.memberId === null ? 'requested' : 'essential',
      frame: toFrame(order, portalUrl),
    },
  );

/** To the buyer of an order that staff cancelled before it was paid. */
export const orderReleased = (
  texts: EmailTexts,
  order: MailedOrder,
  portalUrl: string,
): TemplateEmail =>
  defineTemplateEmail(
    'order-released',
    { ...toOrderValues(texts, order), tickets: formatQuantity(texts, order) },
    {
      to: order.buyer.email,
      priority: order.memberId === null ? 'requested' : 'essential',
      frame: toFrame(order, portalUrl),
    },
  );

/**
 * Asks an anonymous buyer to confirm an order that is paid at the front desk. As with free orders, it contains no names, and nobody
 * can reword it or switch it off: without it, such orders could not be held.
 */
export function holdConfirmationRequested(
  texts: PriceTexts,
  order: MailedOrder,
  desk: FrontDesk,
  portalUrl: string,
): OutgoingEmail {
  const { text } = texts;
  const subject = toOrderSubject(texts, order);
  const { confirmedHoldUntil, expiresAt, buyer } = order;
  const { price, hours } = toUnpaidValues(
    texts,
    order,
    desk,
    confirmedHoldUntil ?? expiresAt ?? '',
  );
  const until = formatHoldEnd(texts, confirmedHoldUntil ?? expiresAt ?? '', desk);
  return {
    to: buyer.email,
    priority: 'requested',
    subject: text('reservation.subject', { title: subject.title }),
    ...renderEmail(texts, {
      sender: order.locationName ?? undefined,
      greeting: formatGreeting(texts, null),
      paragraphs: [
        text('reservation.held', {
          tickets: formatQuantity(texts, order),
          order: formatOrderSubject(subject),
        }),
        text('reservation.text', { confirmBy: formatHoldEnd(texts, expiresAt ?? '', desk), until }),
        text('reservation.pay', { price, until, desk: formatDesk(desk) }),
        ...(hours.length > 0 ? [[text('reservation.hours'), ...hours].join('\n')] : []),
      ],
      action: { label: text('reservation.action'), url: portalUrl },
      footnote: text('order.unexpected'),
    }),
  };
}
