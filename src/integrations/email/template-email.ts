import type { Context } from '../../context.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { enqueueEmails, type OutgoingEmail } from './outbox.ts';
import { findTemplateText, renderTemplate, type TemplateFrame } from './render-template.ts';
import type { TemplateKey, TemplateValues } from './template-catalog.ts';
import type { TemplateText } from './template-text.ts';

/** An email that a template words. */
export interface TemplateEmail extends Omit<OutgoingEmail, 'subject' | 'text' | 'html'> {
  template: TemplateKey;
  values: Record<string, string | readonly string[] | null>;
  frame: TemplateFrame;
}

/** Describes an email and checks that it has a value for each variable of its template. */
export const defineTemplateEmail = <Key extends TemplateKey>(
  template: Key,
  values: TemplateValues<Key>,
  email: Omit<TemplateEmail, 'template' | 'values'>,
): TemplateEmail => ({ ...email, template, values });

/**
 * Stores emails in the caller's transaction, as operators have worded them, and reads each template once. Emails whose template
 * is switched off are left out. The texts are those that the values are in.
 */
export async function enqueueTemplateEmails(
  ctx: Context,
  texts: EmailTexts,
  emails: TemplateEmail[],
): Promise<void> {
  const wordings = new Map<TemplateKey, TemplateText | null>();
  const rendered: OutgoingEmail[] = [];
  for (const { template, values, frame, ...email } of emails) {
    if (!wordings.has(template))
      wordings.set(template, await findTemplateText(ctx, texts, template));
    const wording = wordings.get(template);
    if (wording)
      rendered.push({ ...email, ...renderTemplate(texts, template, wording, values, frame) });
  }
  await enqueueEmails(ctx, rendered);
}
