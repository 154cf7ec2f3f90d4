import { createHash } from 'node:crypto';
import type { Money } from '../../core/money.ts';

export const renderSandboxPage = (
  order: { code: string; description: string; price: Money },
  { failed }: { failed: boolean },
) =>
  renderPage(
    'Try out paying',
    html`${
      failed
        ? html`<p class="note" role="alert">The payment failed. Nothing was paid, and your order is still held: try again.</p>`
        : html`<p class="note">This is a sandbox: no real money moves.</p>`
    }
<dl>
<dt>Order</dt><dd>${order.code}</dd>
<dt>For</dt><dd>${order.description}</dd>
<dt>Amount</dt><dd><strong>${formatPrice(order.price)}</strong></dd>
</dl>
${failed ? html`<p>This is a sandbox: no real money moves.</p>` : ''}
<form method="post" action="sandbox/pay"><button class="main" type="submit">Pay ${formatPrice(order.price)}</button></form>
<form method="post" action="sandbox/fail"><button type="submit">Let the payment fail</button></form>`,
  );

export const renderNotFoundPage = () =>
  renderPage(
    'This page is not there',
    html`<p>The link is incomplete, or its order is not there any more. Open the newest mail about your order and use the link in it.</p>`,
  );

export const renderTryLaterPage = () =>
  renderPage(
    'Paying is not possible right now',
    html`<p>The payment provider does not answer. Nothing was paid. Please load this page again in a moment.</p>`,
  );

function formatPrice({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Text that is HTML already. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Whatever is put in is text, unless it is HTML already. */
const html = (parts: TemplateStringsArray, ...values: (string | Html)[]) =>
  new Html(
    parts.reduce((text, part, at) => {
      const value = values[at - 1] ?? '';
      return text + (value instanceof Html ? value.text : escapePageText(value)) + part;
    }),
  );

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapePageText = (words: string) =>
  words.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

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

/** A page that stands alone: no script, nothing loaded from anywhere. */
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

/** The address of such a page is a secret: nobody is told of it, and nobody keeps the page. */
export const toPageHeaders = (baseUrl: string) => ({
  'content-type': 'text/html; charset=utf-8',
  // A form's answer may lead to the portal, which has the address that callers know.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${CHECKOUT_PAGE_STYLE_HASH}'; form-action 'self' ${new URL(baseUrl).origin}; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
