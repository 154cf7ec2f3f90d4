import { toQrContentId } from '../../../integrations/email/attachments.ts';
import { formatGreeting, renderEmail } from '../../../integrations/email/layout.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import {
  defineTemplateEmail,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { EmailTexts, SpaceTexts } from '../../../languages/emails/email-texts.ts';
import { formatPrice } from '../../settings/service.ts';
import {
  attachCalendar,
  type EmailContext,
  formatOrderSubject,
  toOrderSubject,
  toOrderValues,
} from '../describe-order.ts';
import type { MailedOrder, Order } from '../types.ts';

/** To the buyer of a confirmed order, with the tickets to show at the entrance and a calendar entry. */
export function orderConfirmed(
  ctx: EmailContext,
  texts: SpaceTexts,
  order: MailedOrder,
  portalUrl: string,
): TemplateEmail {
  const isPaid = order.paid.amount > 0;
  const admissions = listValidAdmissions(order);
  // The names on a free order are arbitrary text that a stranger may have entered.
  const format = ({ name, code }: { name: string; code: string }) =>
    isPaid ? `${name}: ${code}` : code;
  return defineTemplateEmail(
    'order-confirmed',
    {
      ...toOrderValues(texts, order),
      paid: isPaid ? formatPrice(texts, order.paid) : null,
      tickets: admissions.map(format),
    },
    {
      to: order.buyer.email,
      // Anyone can place a free order with any email address.
      priority: isPaid ? 'essential' : 'requested',
      attachments: [
        attachCalendar(ctx, texts, order),
        { type: 'tickets', orderId: order.id, showsCodes: true },
      ],
      frame: {
        sender: order.locationName ?? undefined,
        recipientName: isPaid ? order.buyer.name : null,
        images: admissions.map((admission) => ({
          cid: toQrContentId(admission.id),
          label: format(admission),
        })),
        actionUrl: portalUrl,
        footnote: texts.text('order.keepLink'),
      },
    },
  );
}

const listValidAdmissions = ({ tickets, dayPasses }: Order) => [
  ...tickets
    .filter(({ status }) => status === 'valid')
    .map(({ id, attendee, code }) => ({ id, name: attendee.name, code })),
  ...dayPasses
    .filter(({ status }) => status === 'valid')
    .map(({ id, holder, code }) => ({ id, name: holder.name, code })),
];

/**
 * Asks the buyer of a free order to confirm it. The email contains no names, because anyone can enter this address with
 * any name. Nobody can reword it or switch it off: without it, such orders could not be confirmed.
 */
export function confirmationRequested(
  texts: EmailTexts,
  order: MailedOrder,
  portalUrl: string,
): OutgoingEmail {
  const { text } = texts;
  const subject = toOrderSubject(texts, order);
  const count = order.items.reduce((sum, item) => sum + item.quantity, 0);
  return {
    to: order.buyer.email,
    priority: 'requested',
    subject: text('registration.subject', { title: subject.title }),
    ...renderEmail(texts, {
      sender: order.locationName ?? undefined,
      greeting: formatGreeting(texts, null),
      paragraphs: [
        text('registration.held', { count, order: formatOrderSubject(subject) }),
        text('registration.text'),
      ],
      action: { label: text('registration.action'), url: portalUrl },
      footnote: text('order.unexpected'),
    }),
  };
}

/** To a buyer who requested the links to their orders. All orders have the same email address. */
export function ordersFound(
  texts: EmailTexts,
  orders: Order[],
  links: Map<string, string>,
): OutgoingEmail {
  const { text } = texts;
  const [first] = orders;
  return {
    to: first?.buyer.email ?? '',
    priority: 'requested',
    subject: text('orders.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, null),
      paragraphs: [
        text('orders.text'),
        ...orders.map((order) =>
          text('orders.order', {
            order: formatOrderSubject(toOrderSubject(texts, order)),
            code: order.code,
            url: links.get(order.id) ?? '',
          }),
        ),
      ],
      footnote: text('orders.unexpected'),
    }),
  };
}
