import { isPersonName } from '../../core/validation.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import type { Language } from '../../languages/languages.ts';

/** The content of an email. */
export interface EmailContent {
  /** Shown above the text: the name of the location, or of the organization. */
  sender?: string | undefined;
  greeting: string;
  /** Line breaks within a paragraph are kept. */
  paragraphs: string[];
  /** Shown above the main link in HTML. The text of the email must say the same. */
  images?: EmailImage[] | undefined;
  /** The main link, a button in HTML. */
  action?: EmailLink | undefined;
  /** Shown in small print. */
  footnote?: string | undefined;
  /** Shown in small print, below the footnote. */
  smallLink?: EmailLink | undefined;
}

/** A file that is sent with the email, such as a QR code. */
interface EmailImage {
  cid: string;
  /** Shown instead while the image is not, and below it. */
  label: string;
}

export interface EmailLink {
  label: string;
  url: string;
}

/**
 * Formats the first line of an email. Pass only names of members, staff and people who have paid: text that a
 * stranger entered must not begin an email to another person. Names that violate today's rules are omitted.
 */
export const formatGreeting = ({ text }: EmailTexts, name: string | null) =>
  name !== null && isPersonName(name)
    ? text('email.greetingNamed', { name })
    : text('email.greeting');

/** Renders an email as text and as HTML from the same content, which is in the language of the texts. */
export function renderEmail(
  texts: EmailTexts,
  content: EmailContent,
): { text: string; html: string } {
  const { greeting, paragraphs, action, footnote, smallLink } = content;
  const formatLink = ({ label, url }: EmailLink) =>
    `${texts.text('email.label', { label })}\n${url}`;
  const text = [
    greeting,
    ...paragraphs,
    ...(action ? [formatLink(action)] : []),
    ...(footnote ? [footnote] : []),
    ...(smallLink ? [formatLink(smallLink)] : []),
  ].join('\n\n');
  return { text: `${text}\n`, html: renderHtml(texts.language, content) };
}

// Email programs ignore style sheets and some know no CSS layout, so this is a table with inline styles. The attribute
// `width` is for those that ignore `max-width`.
const renderHtml = (
  language: Language,
  { sender, greeting, paragraphs, images = [], action, footnote, smallLink }: EmailContent,
) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
</head>
<body style="margin:0;padding:0;background:#f1f3f5">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:#f1f3f5">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellspacing="0" cellpadding="0" style="${CARD_STYLE}">
${[
  ...(sender ? [`<tr><td style="${SENDER_STYLE}">${escapeHtml(sender)}</td></tr>`] : []),
  `<tr><td style="${TEXT_STYLE}">`,
  ...[greeting, ...paragraphs].map((text) => `<p style="margin:0 0 16px">${toHtmlLines(text)}</p>`),
  ...images.map(renderImage),
  ...(action ? [renderButton(action)] : []),
  '</td></tr>',
  ...renderSmallPrint(footnote, smallLink),
].join('\n')}
</table>
</td></tr>
</table>
</body>
</html>
`;

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CARD_STYLE =
  'width:100%;max-width:600px;background:#ffffff;border:1px solid #dee2e6;border-radius:8px';
const SENDER_STYLE = `${FONT};font-size:14px;line-height:20px;font-weight:600;color:#495057;padding:16px 24px;border-bottom:1px solid #e9ecef`;
const TEXT_STYLE = `${FONT};font-size:16px;line-height:24px;color:#212529;padding:24px 24px 8px;text-align:left;overflow-wrap:anywhere;word-break:break-word`;
const SMALL_STYLE = `${FONT};font-size:13px;line-height:20px;color:#5c636a;padding:16px 24px;border-top:1px solid #e9ecef;text-align:left;overflow-wrap:anywhere;word-break:break-word`;
const BUTTON_STYLE =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#1864ab;color:#ffffff;font-weight:600;text-decoration:none';

const renderImage = ({ cid, label }: EmailImage) =>
  `<p style="margin:0 0 16px"><img src="cid:${escapeHtml(cid)}" alt="${escapeHtml(label)}" width="180" height="180"><br>${escapeHtml(label)}</p>`;

const renderButton = ({ label, url }: EmailLink) =>
  `<p style="margin:8px 0 24px"><a href="${escapeHtml(url)}" style="${BUTTON_STYLE}">${escapeHtml(label)}</a></p>`;

function renderSmallPrint(footnote: string | undefined, link: EmailLink | undefined): string[] {
  const lines = [
    ...(footnote ? [toHtmlLines(footnote)] : []),
    ...(link
      ? [`<a href="${escapeHtml(link.url)}" style="color:#5c636a">${escapeHtml(link.label)}</a>`]
      : []),
  ];
  return lines.length > 0 ? [`<tr><td style="${SMALL_STYLE}">${lines.join('<br>')}</td></tr>`] : [];
}

const toHtmlLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n');

const HTML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
