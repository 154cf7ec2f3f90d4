import { Html, html, toPolicyHeaders } from '../../../core/html-page.ts';
import { formatMoney } from '../../../core/money.ts';
import { formatLongDate } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import type { EmailTexts, SpaceTexts } from '../../../languages/emails/email-texts.ts';
import { formatPrice } from '../../settings/service.ts';
import { toOrderSubject, toSubjectLines } from '../describe-order.ts';
import type { Order } from '../types.ts';

const RECEIPT_STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { width: 100%; border-collapse: collapse; margin: 1.5em 0 }
th, td { text-align: left; padding: .4em .6em .4em 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
th.number, td.number { text-align: right; white-space: nowrap; padding-right: 0; padding-left: .6em }
@media print { body { margin: 0 } }
`;

/** The headers of a receipt. */
export const RECEIPT_HEADERS = toPolicyHeaders(RECEIPT_STYLE);

/** Renders the items, payments and refunds of an order as a printable page. Dates are those of its location. */
export function renderReceipt(texts: SpaceTexts, order: Order): string {
  const { language, text } = texts;
  const subject = toOrderSubject(texts, order);
  const lines = toSubjectLines(subject);
  const timeZone = order.event?.timeZone ?? order.day?.timeZone ?? 'UTC';
  const toDate = (instant: string) => formatLongDate(toLocalDate(instant, timeZone), language);
  const status = text(`receipt.status.${order.status}`);
  const ordered = toDate(order.createdAt);
  const dates = order.paidAt
    ? text('receipt.orderedAndConfirmed', { ordered, confirmed: toDate(order.paidAt) })
    : text('receipt.ordered', { date: ordered });
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text('receipt.document', { order: order.code })}</title>
<style>${new Html(RECEIPT_STYLE)}</style>
</head>
<body>
<main>
<h1>${text('receipt.title')}</h1>
<p>${text('receipt.order', { order: order.code, status })}<br>${dates}</p>
<h2>${text('receipt.buyer')}</h2>
<p>${order.buyer.name}${order.buyer.email === null ? '' : html`<br>${order.buyer.email}`}</p>
<h2>${subject.title}</h2>
<p>${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}</p>
<table aria-label="${text('receipt.table')}">
<thead><tr><th scope="col">${text('receipt.item')}</th><th scope="col" class="number">${text('receipt.quantity')}</th><th scope="col" class="number">${text('receipt.price')}</th><th scope="col" class="number">${text('receipt.amount')}</th></tr></thead>
<tbody>${toItemRows(texts, order)}</tbody>
<tfoot>${toSumRows(texts, order)}</tfoot>
</table>
</main>
</body>
</html>
`.text;
}

const toItemRows = ({ language }: EmailTexts, { items, total: { currency } }: Order): Html[] =>
  items.map(({ typeName, validOn, quantity, unitPrice }) => {
    const name = [typeName, validOn && formatLongDate(validOn, language)]
      .filter(Boolean)
      .join(', ');
    const amount = formatMoney({ amount: unitPrice.amount * quantity, currency }, language);
    return html`<tr><td>${name}</td><td class="number">${String(quantity)}</td><td class="number">${formatMoney(unitPrice, language)}</td><td class="number">${amount}</td></tr>`;
  });

function toSumRows(texts: SpaceTexts, { discount, total, paid, refunded }: Order): Html[] {
  const { language, text } = texts;
  const sums = [
    [text('receipt.total'), formatPrice(texts, total)] as const,
    [text('receipt.paid'), formatMoney(paid, language)] as const,
  ];
  const discounts =
    discount.amount.amount > 0
      ? [
          [
            discount.code
              ? text('receipt.discountOf', { code: discount.code })
              : text('receipt.discount'),
            `-${formatMoney(discount.amount, language)}`,
          ] as const,
        ]
      : [];
  const refunds =
    refunded.amount > 0
      ? [[text('receipt.refunded'), formatMoney(refunded, language)] as const]
      : [];
  return [...discounts, ...sums, ...refunds].map(
    ([name, amount]) =>
      html`<tr><th scope="row" colspan="3">${name}</th><td class="number">${amount}</td></tr>`,
  );
}
