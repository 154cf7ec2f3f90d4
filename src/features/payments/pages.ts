import { createHash } from 'node:crypto';
import { formatMoney, type Money } from '../../core/money.ts';
import { escapeHtml } from '../../integrations/email/layout.ts';

export const renderSandboxPage = (
  order: { code: string; description: string; price: Money },
  { failed }: { failed: boolean },
) =>
  renderPage(
    'Test payment',
    html`${
      failed
        ? html`<p class="note" role="alert">The payment failed and you were not charged. Your order is still held. Please try again.</p>`
        : html`<p class="note">This is a sandbox. No real money moves.</p>`
    }
<dl>
<dt>Order</dt><dd>${order.code}</dd>
<dt>For</dt><dd>${order.description}</dd>
<dt>Amount</dt><dd><strong>${formatMoney(order.price)}</strong></dd>
</dl>
${failed ? html`<p>This is a sandbox. No real money moves.</p>` : ''}
<form method="post" action="sandbox/pay"><button class="main" type="submit">Pay ${formatMoney(order.price)}</button></form>
<form method="post" action="sandbox/fail"><button type="submit">Simulate a failed payment</button></form>`,
  );

export const renderNotFoundPage = () =>
  renderPage(
    'Page not found',
    html`<p>The link is incomplete or has expired. Use the link in the latest email about your order.</p>`,
  );

export const renderTryLaterPage = () =>
  renderPage(
    'Payment is temporarily unavailable',
    html`<p>The payment page could not be opened, and you were not charged. Please reload this page in a moment.</p>`,
  );

/** Escaped text, or trusted markup. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A template tag that escapes its values, except those that are `Html`. */
const html = (parts: TemplateStringsArray, ...values: (string | Html)[]) =>
  new Html(
    parts.reduce((text, part, index) => {
      const value = values[index - 1] ?? '';
      return text + (value instanceof Html ? value.text : escapeHtml(value)) + part;
    }),
  );

const CHECKOUT_PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 30rem; padding: 1.5rem 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { opacity: .75; }
dd { margin: 0; overflow-wrap: anywhere; }
button { font: inherit; width: 100%; min-height: 3rem; margin-top: .75rem; border-radius: .5rem; cursor: pointer;
  border: 2px solid #1864ab; background: transparent; color: inherit; }
button.main { background: #1864ab; color: #fff; }
:focus-visible { outline: 3px solid #f08c00; outline-offset: 2px; }
.note { border-left: 4px solid #f08c00; padding: .5rem .75rem; }
`;

/** A complete page without scripts and without external resources. */
const renderPage = (title: string, body: Html) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(CHECKOUT_PAGE_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;

const CHECKOUT_PAGE_STYLE_HASH = createHash('sha256').update(CHECKOUT_PAGE_STYLE).digest('base64');

/** The URL of the page contains a secret, so it is neither cached nor sent as a referrer. */
export const toPageHeaders = (baseUrl: string) => ({
  'content-type': 'text/html; charset=utf-8',
  // Forms redirect to the order page, which is on the public base URL.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${CHECKOUT_PAGE_STYLE_HASH}'; form-action 'self' ${new URL(baseUrl).origin}; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
