import { html, renderHtmlPage } from '../../core/html-page.ts';
import { formatMoney, type Money } from '../../core/money.ts';

/** Renders the checkout of the sandbox provider. */
export function renderSandboxPage(
  order: { code: string; description: string; price: Money },
  { failed }: { failed: boolean },
): string {
  const explanation = 'This is a test checkout. No real money is charged.';
  return renderHtmlPage(
    'Test payment',
    html`${
      failed
        ? html`<p class="note" role="alert">The payment failed. You have not been charged, and your order is still reserved. Try again.</p>
<p>${explanation}</p>`
        : html`<p class="note">${explanation}</p>`
    }
<dl>
<dt>Order</dt><dd>${order.code}</dd>
<dt>For</dt><dd>${order.description}</dd>
<dt>Amount</dt><dd><strong>${formatMoney(order.price)}</strong></dd>
</dl>
<form method="post" action="sandbox/pay"><button class="main" type="submit">Pay ${formatMoney(order.price)}</button></form>
<form method="post" action="sandbox/fail"><button type="submit">Simulate a failed payment</button></form>`,
  );
}

export const renderNotFoundPage = () =>
  renderHtmlPage(
    'Page not found',
    html`<p>The link is incomplete, or the order no longer exists. Open the latest email about your order and use the link in it.</p>`,
  );

export const renderTryLaterPage = () =>
  renderHtmlPage(
    'Payment is unavailable right now',
    html`<p>The payment provider is not responding. You have not been charged. Reload this page in a moment.</p>`,
  );
