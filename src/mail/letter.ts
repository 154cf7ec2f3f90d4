import { isPersonName } from '../validation.ts';

/** What the mails of the service are made of. */
export interface Letter {
  greeting: string;
  paragraphs: string[];
  /** The one thing to do, as a button where mails have such. */
  action?: { label: string; url: string };
  /** In small print below. */
  footnote?: string;
}

/**
 * The first line. Name only people whom the space knows or who have paid: what a stranger typed must not open a mail to
 * somebody else. A name that was stored before names were checked is left out.
 */
export const greetingTo = (name: string | null) =>
  name !== null && isPersonName(name) ? `Hello ${name},` : 'Hello,';

/** One letter in both forms, so that they cannot say different things. */
export function written({ greeting, paragraphs, action, footnote }: Letter): {
  text: string;
  html: string;
} {
  const text = [
    greeting,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(footnote ? [footnote] : []),
  ].join('\n\n');
  const html = [
    ...[greeting, ...paragraphs].map((words) => `<p>${escaped(words)}</p>`),
    ...(action
      ? [`<p><a href="${escaped(action.url)}" style="${BUTTON}">${escaped(action.label)}</a></p>`]
      : []),
    ...(footnote ? [`<p style="color:#666;font-size:13px">${escaped(footnote)}</p>`] : []),
  ].join('\n');
  return { text: `${text}\n`, html: `<div style="${PAGE}">\n${html}\n</div>\n` };
}

const PAGE = 'font-family:sans-serif;font-size:16px;line-height:1.5;max-width:34em';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1c7ed6;color:#fff;text-decoration:none';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escaped = (words: string) =>
  words.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
