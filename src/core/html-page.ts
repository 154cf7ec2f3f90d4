import { createHash } from 'node:crypto';

/** HTML that is already escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = string | Html | Html[];

/** Template tag that escapes its values, except those that are already `Html`. */
export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]) =>
  new Html(parts.reduce((text, part, index) => text + toHtmlText(values[index - 1] ?? '') + part));

function toHtmlText(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(({ text }) => text).join('') : escapeText(value);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string) =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  color: light-dark(#212529, #f1f3f5); background: light-dark(#fff, #1a1b1e); }
body { margin: 0 auto; max-width: 30rem; padding: 1.5rem 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; }
a { color: light-dark(#1864ab, #74c0fc); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { opacity: .75; }
dd { margin: 0; overflow-wrap: anywhere; }
button { font: inherit; width: 100%; min-height: 3rem; margin-top: .75rem; border-radius: .5rem; cursor: pointer;
  border: 2px solid #1864ab; background: transparent; color: inherit; }
button.main { background: #1864ab; color: #fff; }
:focus-visible { outline: 3px solid #f08c00; outline-offset: 2px; }
.note { border-left: 4px solid #f08c00; padding: .5rem .75rem; }
`;

/** Renders a self-contained page, without scripts or other files. */
export const renderHtmlPage = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;

/**
 * Returns the headers of a page with this style and without scripts, which no other page can frame by default. `formTargets` are the
 * sources to which its forms can be sent. Its URL can contain a secret, so it is not sent as a referrer.
 */
export const toPolicyHeaders = (
  style: string,
  formTargets: string[] = [],
  frameAncestors = "'none'",
) => ({
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action ${formTargets.join(' ') || "'none'"}; frame-ancestors ${frameAncestors}; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
});

/** Returns the headers of a page from `renderHtmlPage`. Its URL can contain a secret, so it is not cached. */
export const toHtmlPageHeaders = (formTargets: string[] = [], frameAncestors?: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...toPolicyHeaders(PAGE_STYLE, ["'self'", ...formTargets], frameAncestors),
});
