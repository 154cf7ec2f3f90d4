import { isPersonName } from '../../core/validation.ts';

/** The content of an email. */
export interface EmailContent {
  greeting: string;
  paragraphs: string[];
  /** The main link, a button in HTML. */
  action?: { label: string; url: string };
  /** Shown in small print. */
  footnote?: string;
}

/**
 * Formats the first line of an email. Pass only names of members, staff and people who have paid: text that a
 * stranger entered must not begin an email to another person. Names that violate today's rules are omitted.
 */
export const formatGreeting = (name: string | null) =>
  name !== null && isPersonName(name) ? `Hello ${name},` : 'Hello,';

/** Renders an email as text and as HTML from the same content. */
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
    ...[greeting, ...paragraphs].map(
      (paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`,
    ),
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
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
