import type { Money } from '../../../values.ts';
import { html, pageOf } from './html.ts';

export const sandboxPage = (
  order: { code: string; description: string; price: Money },
  { failed }: { failed: boolean },
) =>
  pageOf(
    'Try out paying',
    html`${
      failed
        ? html`<p class="note" role="alert">The payment failed. Nothing was paid, and your order is still held: try again.</p>`
        : html`<p class="note">This is a sandbox: no real money moves.</p>`
    }
<dl>
<dt>Order</dt><dd>${order.code}</dd>
<dt>For</dt><dd>${order.description}</dd>
<dt>Amount</dt><dd><strong>${inWords(order.price)}</strong></dd>
</dl>
${failed ? html`<p>This is a sandbox: no real money moves.</p>` : ''}
<form method="post" action="sandbox/pay"><button class="main" type="submit">Pay ${inWords(order.price)}</button></form>
<form method="post" action="sandbox/fail"><button type="submit">Let the payment fail</button></form>`,
  );

export const notFoundPage = () =>
  pageOf(
    'This page is not there',
    html`<p>The link is incomplete, or its order is not there any more. Open the newest mail about your order and use the link in it.</p>`,
  );

export const tryLaterPage = () =>
  pageOf(
    'Paying is not possible right now',
    html`<p>The payment provider does not answer. Nothing was paid. Please load this page again in a moment.</p>`,
  );

function inWords({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
