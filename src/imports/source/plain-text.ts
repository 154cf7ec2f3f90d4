import { convert } from 'html-to-text';

const MAX_HTML_CHARACTERS = 200_000;

/** Tags that calendar programs write. A text such as "a < b" or "<ada@example.org>" has none. */
const TAG =
  /<\/?(html|body|head|p|br|div|span|a|b|i|u|em|strong|ul|ol|li|h[1-6]|table|tr|td|font|img|pre|blockquote)(\s[^<>]*)?\/?>/i;

/** Converts HTML to plain text, with the addresses of its links. Other text stays as it is. */
export function toPlainText(text: string): string {
  if (!TAG.test(text)) return text;
  const html = text.slice(0, MAX_HTML_CHARACTERS);
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: MAX_HTML_CHARACTERS },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table'].map((selector) => ({
        selector,
        options: { uppercase: false, uppercaseHeaderCells: false },
      })),
    ],
  }).trim();
}
