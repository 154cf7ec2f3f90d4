import type { Context } from '../../context.ts';
import { type EmailContent, formatGreeting, renderEmail } from './layout.ts';
import type { OutgoingEmail } from './outbox.ts';
import { getTemplate, type TemplateKey, type TemplateValues } from './template-catalog.ts';
import { renderTemplateText, type TemplateText } from './template-text.ts';

/** What the layout adds to the text of a template. */
export interface TemplateFrame extends Pick<EmailContent, 'sender' | 'footnote' | 'smallLink'> {
  /** For the greeting. Null greets without a name, as `formatGreeting` requires for names that strangers entered. */
  recipientName: string | null;
  /** The target of the button. Without it there is none. */
  actionUrl?: string | undefined;
}

export type RenderedTemplate = Required<Pick<OutgoingEmail, 'subject' | 'text' | 'html'>>;

/** Renders an email from its template, as operators have worded it. Returns null if they have switched it off. */
export async function renderTemplate<Key extends TemplateKey>(
  { db }: Context,
  key: Key,
  values: TemplateValues<Key>,
  frame: TemplateFrame,
): Promise<RenderedTemplate | null> {
  const override = await db.emailTemplate.findUnique({ where: { key } });
  if (override?.disabledAt) return null;
  const { subject, body } = getTemplate(key);
  return renderTemplateWith(
    key,
    { subject: override?.subject ?? subject, body: override?.body ?? body },
    values,
    frame,
  );
}

/** Renders an email from a template with this wording. */
export function renderTemplateWith(
  key: TemplateKey,
  text: TemplateText,
  values: Record<string, string | readonly string[] | null>,
  { recipientName, actionUrl, ...frame }: TemplateFrame,
): RenderedTemplate {
  const { subject, paragraphs } = renderTemplateText(text, values);
  const { action } = getTemplate(key);
  const content: EmailContent = {
    ...frame,
    greeting: formatGreeting(recipientName),
    paragraphs,
    action: action && actionUrl ? { label: action, url: actionUrl } : undefined,
  };
  return { subject, ...renderEmail(content) };
}
