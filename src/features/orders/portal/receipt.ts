import { escaped } from '../../../mail/letter.ts';
import { inMoney, occasionOf } from '../letters/words.ts';
import type { Order } from '../order.ts';

/** What was bought, paid and given back, as a page to print. */
export function receiptOf(order: Order): string {
  const { title, lines } = occasionOf(order);
  const row = (cells: string[], tag = 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  const { currency } = order.total;
  const items = order.items.map(({ ticketType, dayPassType, validOn, quantity, unitPrice }) =>
    row([
      [ticketType?.name ?? dayPassType?.name ?? '', validOn].filter(Boolean).join(', '),
      String(quantity),
      inMoney(unitPrice),
      inMoney({ amount: unitPrice.amount * quantity, currency }),
    ]),
  );
  const sums = [
    ...(order.discount.amount.amount > 0
      ? [
          [
            `Discount${order.discount.code ? ` (${order.discount.code})` : ''}`,
            `-${inMoney(order.discount.amount)}`,
          ],
        ]
      : []),
    ['Total', inMoney(order.total)],
    ['Paid', inMoney(order.paid)],
    ...(order.refunded.amount > 0 ? [['Given back', inMoney(order.refunded)]] : []),
  ].map(([words = '', amount = '']) => row([words, '', '', amount], 'th'));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Receipt ${escaped(order.code)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { width: 100%; border-collapse: collapse; margin: 1.5em 0 }
th, td { text-align: left; padding: .4em .6em .4em 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
th:last-child, td:last-child, td:nth-child(2), td:nth-child(3) { text-align: right; white-space: nowrap }
@media print { body { margin: 0 } }
</style>
</head>
<body>
<h1>Receipt</h1>
<p>Order ${escaped(order.code)}, ${escaped(order.status)}<br>Ordered ${escaped(order.createdAt.slice(0, 10))}${
    order.paidAt ? `, confirmed ${escaped(order.paidAt.slice(0, 10))}` : ''
  } (UTC)</p>
<p>${escaped(order.buyer.name)}<br>${escaped(order.buyer.email)}</p>
<p><strong>${escaped(title)}</strong><br>${lines.map(escaped).join('<br>')}</p>
<table>
<thead>${row(['What', 'How many', 'Each', 'Together'], 'th')}</thead>
<tbody>${items.join('')}</tbody>
<tfoot>${sums.join('')}</tfoot>
</table>
</body>
</html>
`;
}
