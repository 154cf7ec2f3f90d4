import type { Context } from '../../context.ts';
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
 * is switched off are left out.
 */
export async function enqueueTemplateEmails(ctx: Context, emails: TemplateEmail[]): Promise<void> {
  const texts = new Map<TemplateKey, TemplateText | null>();
  const rendered: OutgoingEmail[] = [];
  for (const { template, values, frame, ...email } of emails) {
    if (!texts.has(template)) texts.set(template, await findTemplateText(ctx, template));
    const text = texts.get(template);
    if (text) rendered.push({ ...email, ...renderTemplate(template, text, values, frame) });
  }
  await enqueueEmails(ctx, rendered);
}
