import { convert } from 'html-to-text';

const MAX_HTML_CHARACTERS = 200_000;

/** Tags that calendar programs write. A text such as "a < b" or "<ada@example.org>" has none. */
const TAG =
  /<\/?(html|body|head|p|br|div|span|a|b|i|u|em|strong|ul|ol|li|h[1-6]|table|tr|td|font|img|pre|blockquote)(\s[^<>]*)?\/?>/i;

/**
 * Converts HTML to plain text, with the addresses of its links. Other text stays as it is, and so does HTML that is much longer than any
 * description: it is rejected as too long, so that nothing is lost.
 */
export function toPlainText(text: string): string {
  if (text.length > MAX_HTML_CHARACTERS || !TAG.test(text)) return text;
  return convert(text, {
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
