import { isPersonName } from '../../core/validation.ts';

/** What the mails of the service are made of. */
export interface EmailContent {
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
export const formatGreeting = (name: string | null) =>
  name !== null && isPersonName(name) ? `Hello ${name},` : 'Hello,';

/** One letter in both forms, so that they cannot say different things. */
export function renderEmail({ greeting, paragraphs, action, footnote }: EmailContent): {
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
    ...[greeting, ...paragraphs].map((words) => `<p>${escapeHtml(words)}</p>`),
    ...(action
      ? [
          `<p><a href="${escapeHtml(action.url)}" style="${BUTTON_STYLE}">${escapeHtml(action.label)}</a></p>`,
        ]
      : []),
    ...(footnote ? [`<p style="color:#666;font-size:13px">${escapeHtml(footnote)}</p>`] : []),
  ].join('\n');
  return { text: `${text}\n`, html: `<div style="${EMAIL_STYLE}">\n${html}\n</div>\n` };
}

const EMAIL_STYLE = 'font-family:sans-serif;font-size:16px;line-height:1.5;max-width:34em';
const BUTTON_STYLE =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1c7ed6;color:#fff;text-decoration:none';

const HTML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (words: string) =>
  words.replace(/[&<>"']/g, (sign) => HTML_ENTITIES[sign] ?? sign);
