import { Html, html, toPolicyHeaders } from '../../../core/html-page.ts';
import { formatMoney } from '../../../core/money.ts';
import { formatLongDate } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
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

const STATUS_LABELS: Record<Order['status'], string> = {
  pending: 'pending',
  paid: 'confirmed',
  expired: 'expired',
  cancelled: 'cancelled',
};

/** Renders the items, payments and refunds of an order as a printable page. Dates are those of its location. */
export function renderReceipt(order: Order): string {
  const subject = toOrderSubject(order);
  const lines = toSubjectLines(subject);
  const timeZone = order.event?.timeZone ?? order.day?.timeZone ?? 'UTC';
  const toDate = (instant: string) => formatLongDate(toLocalDate(instant, timeZone));
  const paid = order.paidAt ? `, confirmed on ${toDate(order.paidAt)}` : '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt ${order.code}</title>
<style>${new Html(RECEIPT_STYLE)}</style>
</head>
<body>
<main>
<h1>Receipt</h1>
<p>Order ${order.code} (${STATUS_LABELS[order.status]})<br>Ordered on ${toDate(order.createdAt)}${paid}</p>
<h2>Buyer</h2>
<p>${order.buyer.name}${order.buyer.email === null ? '' : html`<br>${order.buyer.email}`}</p>
<h2>${subject.title}</h2>
<p>${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}</p>
<table aria-label="Items and payment">
<thead><tr><th scope="col">Item</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Price</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>${toItemRows(order)}</tbody>
<tfoot>${toSumRows(order)}</tfoot>
</table>
</main>
</body>
</html>
`.text;
}

const toItemRows = ({ items, total: { currency } }: Order): Html[] =>
  items.map(({ typeName, validOn, quantity, unitPrice }) => {
    const name = [typeName, validOn && formatLongDate(validOn)].filter(Boolean).join(', ');
    const amount = formatMoney({ amount: unitPrice.amount * quantity, currency });
    return html`<tr><td>${name}</td><td class="number">${String(quantity)}</td><td class="number">${formatMoney(unitPrice)}</td><td class="number">${amount}</td></tr>`;
  });

function toSumRows({ discount, total, paid, refunded }: Order): Html[] {
  const sums = [['Total', formatMoney(total)] as const, ['Paid', formatMoney(paid)] as const];
  const discounts =
    discount.amount.amount > 0
      ? [
          [
            discount.code ? `Discount (${discount.code})` : 'Discount',
            `-${formatMoney(discount.amount)}`,
          ] as const,
        ]
      : [];
  const refunds = refunded.amount > 0 ? [['Refunded', formatMoney(refunded)] as const] : [];
  return [...discounts, ...sums, ...refunds].map(
    ([name, amount]) =>
      html`<tr><th scope="row" colspan="3">${name}</th><td class="number">${amount}</td></tr>`,
  );
}
