import type { Context } from '../../context.ts';
import { type EmailAttachment, enqueueEmail, type OutgoingEmail } from './outbox.ts';
import { createTemplateRenderer, type TemplateFrame } from './render-template.ts';
import type { TemplateKey, TemplateValues } from './template-catalog.ts';

/** An email that a template words. */
export interface TemplateEmail {
  to: string;
  priority?: OutgoingEmail['priority'];
  attachments?: EmailAttachment[];
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

/** Renders emails, reading each template once. Emails whose template is switched off are left out. */
export async function renderTemplateEmails<Email extends TemplateEmail>(
  ctx: Context,
  emails: Email[],
): Promise<(OutgoingEmail & { source: Email })[]> {
  const render = createTemplateRenderer(ctx);
  const rendered: (OutgoingEmail & { source: Email })[] = [];
  for (const source of emails) {
    const { to, priority, attachments, template, values, frame } = source;
    const content = await render(template, values, frame);
    if (content !== null)
      rendered.push({
        to,
        ...content,
        ...(priority ? { priority } : {}),
        ...(attachments ? { attachments } : {}),
        source,
      });
  }
  return rendered;
}

/** Stores an email in the caller's transaction, unless its template is switched off. */
export async function enqueueTemplateEmail(ctx: Context, email: TemplateEmail): Promise<void> {
  for (const rendered of await renderTemplateEmails(ctx, [email]))
    await enqueueEmail(ctx, rendered);
}
