import type { Context } from '../../context.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { type EmailContent, formatGreeting, renderEmail } from './layout.ts';
import type { OutgoingEmail } from './outbox.ts';
import { getDefaultWording, type TemplateKey } from './template-catalog.ts';
import { renderTemplateText, type TemplateText } from './template-text.ts';

/** What the layout adds to the text of a template. */
export interface TemplateFrame
  extends Pick<EmailContent, 'sender' | 'footnote' | 'smallLink' | 'images'> {
  /** For the greeting. Null greets without a name, as `formatGreeting` requires for names that strangers entered. */
  recipientName: string | null;
  /** The target of the button. Without it there is none. */
  actionUrl?: string | undefined;
}

export type RenderedTemplate = Required<Pick<OutgoingEmail, 'subject' | 'text' | 'html'>>;

/** Whether emails of a template are sent. */
export async function isTemplateEnabled({ db }: Context, key: TemplateKey): Promise<boolean> {
  const override = await db.emailTemplate.findUnique({ where: { key } });
  return !override?.disabledAt;
}

/** Finds the wording of a template. Returns null if it is switched off. */
export async function findTemplateText(
  { db }: Context,
  texts: EmailTexts,
  key: TemplateKey,
): Promise<TemplateText | null> {
  const override = await db.emailTemplate.findUnique({ where: { key } });
  if (override?.disabledAt) return null;
  const { subject, body } = getDefaultWording(texts, key);
  return { subject: override?.subject ?? subject, body: override?.body ?? body };
}

/** Renders an email from a template with this wording. */
export function renderTemplate(
  texts: EmailTexts,
  key: TemplateKey,
  text: TemplateText,
  values: Record<string, string | readonly string[] | null>,
  { recipientName, actionUrl, ...frame }: TemplateFrame,
): RenderedTemplate {
  const { subject, paragraphs } = renderTemplateText(text, values);
  const { action } = getDefaultWording(texts, key);
  const label = action && renderTemplateText({ subject: action, body: '' }, values).subject;
  const content: EmailContent = {
    ...frame,
    greeting: formatGreeting(texts, recipientName),
    paragraphs,
    action: label && actionUrl ? { label, url: actionUrl } : undefined,
  };
  return { subject, ...renderEmail(texts, content) };
}
