import type { Context } from '../../../context.ts';
import { formatMoney } from '../../../core/money.ts';
import { formatLongTime, formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import {
  defineTemplateEmail,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import {
  type FrontDesk,
  findFrontDesks,
  formatFrontDeskHours,
} from '../../spaces/service/front-desks.ts';
import { formatOrderSubject, toOrderSubject, toOrderValues } from '../describe-order.ts';
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
export const formatHoldEnd = (end: string, { timeZone }: FrontDesk): string =>
  `${formatLongTime(end, timeZone)} (${formatTimeZone(timeZone)})`;

const formatDesk = ({ name, address }: FrontDesk) => [name, address].filter(Boolean).join(', ');

function formatQuantity({ event, items }: Order): string {
  const quantity = items.reduce((sum, item) => sum + item.quantity, 0);
  const [one, several] = event ? ['one ticket', 'tickets'] : ['one day pass', 'day passes'];
  return quantity === 1 ? one : `${quantity} ${several}`;
}

const toFrame = (order: Order, portalUrl: string) => ({
  sender: order.locationName ?? undefined,
  // Anyone can enter any name and any address. Members have an account.
  recipientName: order.memberId === null ? null : order.buyer.name,
  actionUrl: portalUrl,
});

const toUnpaidValues = (order: Order, desk: FrontDesk, end: string) => ({
  ...toOrderValues(order),
  tickets: formatQuantity(order),
  price: formatMoney(order.total),
  until: formatHoldEnd(end, desk),
  desk: formatDesk(desk),
  hours: formatFrontDeskHours(desk, toLocalDate(end, desk.timeZone)),
});

/** To the buyer of an order that is paid at the front desk: where, until when and how much. */
export const orderReserved = (
  order: MailedOrder,
  desk: FrontDesk,
  portalUrl: string,
): TemplateEmail =>
  defineTemplateEmail('order-reserved', toUnpaidValues(order, desk, order.expiresAt ?? ''), {
    to: order.buyer.email,
    priority: order.memberId === null ? 'requested' : 'essential',
    frame: toFrame(order, portalUrl),
  });

/** Reminds the buyer before the order expires. */
export const paymentDue = (order: MailedOrder, desk: FrontDesk, portalUrl: string): TemplateEmail =>
  defineTemplateEmail('order-payment-due', toUnpaidValues(order, desk, order.expiresAt ?? ''), {
    to: order.buyer.email,
    frame: toFrame(order, portalUrl),
  });

/** To the buyer of an order that expired without payment. */
export const orderExpired = (order: MailedOrder, portalUrl: string): TemplateEmail =>
  defineTemplateEmail(
    'order-expired',
    { ...toOrderValues(order), tickets: formatQuantity(order) },
    {
      to: order.buyer.email,
      priority: order.memberId === null ? 'requested' : 'essential',
      frame: toFrame(order, portalUrl),
    },
  );

/** To the buyer of an order that staff cancelled before it was paid. */
export const orderReleased = (order: MailedOrder, portalUrl: string): TemplateEmail =>
  defineTemplateEmail(
    'order-released',
    { ...toOrderValues(order), tickets: formatQuantity(order) },
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
  order: MailedOrder,
  desk: FrontDesk,
  portalUrl: string,
): OutgoingEmail {
  const subject = toOrderSubject(order);
  const { confirmedHoldUntil, expiresAt, buyer } = order;
  const { price, hours } = toUnpaidValues(order, desk, confirmedHoldUntil ?? expiresAt ?? '');
  const until = formatHoldEnd(confirmedHoldUntil ?? expiresAt ?? '', desk);
  return {
    to: buyer.email,
    priority: 'requested',
    subject: `Confirm your reservation: ${subject.title}`,
    ...renderEmail({
      sender: order.locationName ?? undefined,
      greeting: formatGreeting(null),
      paragraphs: [
        `We are holding ${formatQuantity(order)} for you: ${formatOrderSubject(subject)}.`,
        `Open your order and select “Confirm” by ${formatHoldEnd(expiresAt ?? '', desk)}. Then we hold it until ${until}. If you don't confirm, we release it to others.`,
        `Pay ${price} at the front desk by ${until}: ${formatDesk(desk)}`,
        ...(hours.length > 0 ? [['Opening hours:', ...hours].join('\n')] : []),
      ],
      action: { label: 'Confirm your reservation', url: portalUrl },
      footnote: "If you didn't request this, ignore this email: nothing is booked in your name.",
    }),
  };
}
