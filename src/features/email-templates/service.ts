import type { z } from 'zod';
import { type Context, runInTransaction } from '../../context.ts';
import type { EmailTemplate as Override } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { type RenderedTemplate, renderTemplate } from '../../integrations/email/render-template.ts';
import {
  getDefaultWording,
  getTemplate,
  isTemplateKey,
  listExamples,
  TEMPLATE_KEYS,
  type TemplateCategory,
  type TemplateKey,
  type TemplateVariable,
} from '../../integrations/email/template-catalog.ts';
import { assertTemplateText, type TemplateText } from '../../integrations/email/template-text.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../settings/service.ts';
import type { updateEmailTemplateInput } from './inputs.ts';

/** A template with its current wording. The default is in the language of the space. */
export interface EmailTemplate extends TemplateText {
  key: TemplateKey;
  title: string;
  description: string;
  category: TemplateCategory;
  variables: (Omit<TemplateVariable, 'example'> & { name: string; example: string | string[] })[];
  defaultSubject: string;
  defaultBody: string;
  /** Whether such emails are sent. */
  isEnabled: boolean;
  /** Whether the subject or the body differs from the default. */
  isReworded: boolean;
  /** Of the language of the space, for previews. */
  texts: EmailTexts;
  /** Its version. `NEVER_CHANGED` if it was never changed. */
  updatedAt: Date;
}

/** The version of a template that was never changed, so that the first two editors cannot overwrite each other either. */
const NEVER_CHANGED = new Date(0);

/** Lists all templates. Callers must check that the viewer is a manager. */
export async function listEmailTemplates(ctx: Context): Promise<EmailTemplate[]> {
  const texts = await readEmailTexts(ctx);
  const overrides = new Map(
    (await ctx.db.emailTemplate.findMany()).map((override) => [override.key, override]),
  );
  return TEMPLATE_KEYS.map((key) => toEmailTemplate(texts, key, overrides.get(key)));
}

/** Gets a template. Callers must check that the viewer is a manager. @throws NOT_FOUND */
export async function getEmailTemplate(ctx: Context, key: string): Promise<EmailTemplate> {
  const known = requireTemplateKey(key);
  const override = await ctx.db.emailTemplate.findUnique({ where: { key: known } });
  return toEmailTemplate(await readEmailTexts(ctx), known, override);
}

function toEmailTemplate(
  texts: EmailTexts,
  key: TemplateKey,
  override: Override | null | undefined,
): EmailTemplate {
  const { title, description, category, variables } = getTemplate(key);
  const { subject, body } = getDefaultWording(texts, key);
  const examples = listExamples(texts, key);
  return {
    key,
    title,
    description,
    category,
    variables: Object.entries(variables).map(([name, variable]) => ({
      ...variable,
      name,
      example: examples[name] ?? '',
    })),
    subject: override?.subject ?? subject,
    body: override?.body ?? body,
    defaultSubject: subject,
    defaultBody: body,
    isEnabled: !override?.disabledAt,
    isReworded: override?.subject != null || override?.body != null,
    texts,
    updatedAt: override?.updatedAt ?? NEVER_CHANGED,
  };
}

/**
 * Changes the wording of a template, or switches it on or off. Omitted fields stay unchanged. Callers must check that the
 * viewer is a manager.
 *
 * @throws NOT_FOUND; VALIDATION, reason TEMPLATE_INVALID
 *
 * @example
 * await updateEmailTemplate(ctx, { key: 'booking-confirmed', subject: 'Your booking of {{resource}}' });
 */
export async function updateEmailTemplate(
  ctx: Context,
  { key, subject, body, isEnabled }: z.output<typeof updateEmailTemplateInput>,
): Promise<EmailTemplate> {
  const known = requireTemplateKey(key);
  assertTemplateText(getTemplate(known), { subject: subject ?? '', body: body ?? '' });
  const toOverride = (text: string, byDefault: string) => (text === byDefault ? null : text);
  const texts = await readEmailTexts(ctx);
  const initial = getDefaultWording(texts, known);
  return saveOverride(ctx, texts, known, ({ disabledAt }) => ({
    ...(subject === undefined ? {} : { subject: toOverride(subject, initial.subject) }),
    ...(body === undefined ? {} : { body: toOverride(body, initial.body) }),
    ...(isEnabled === undefined
      ? {}
      : { disabledAt: isEnabled ? null : (disabledAt ?? ctx.now()) }),
  }));
}

/**
 * Restores the default wording of a template. It stays switched on or off. Callers must check that the viewer is a manager.
 *
 * @throws NOT_FOUND
 */
export const resetEmailTemplate = async (ctx: Context, key: string): Promise<EmailTemplate> =>
  saveOverride(ctx, await readEmailTexts(ctx), requireTemplateKey(key), () => ({
    subject: null,
    body: null,
  }));

/** Locks a row that exists: two first changes at the same time are one after the other. */
const saveOverride = (
  ctx: Context,
  texts: EmailTexts,
  key: TemplateKey,
  toChange: (current: Override) => Partial<Override>,
): Promise<EmailTemplate> =>
  runInTransaction(ctx, async (ctx) => {
    const { emailTemplate } = ctx.db;
    const updatedAt = ctx.now();
    await emailTemplate.createMany({
      data: [{ key, updatedAt: NEVER_CHANGED }],
      skipDuplicates: true,
    });
    const override = await recordUpdated(ctx, 'email_template.updated', [key], async () => {
      const current = await emailTemplate.findUniqueOrThrow({ where: { key } });
      return emailTemplate.update({ where: { key }, data: { ...toChange(current), updatedAt } });
    });
    return toEmailTemplate(texts, key, override);
  });

/**
 * Renders a wording with the examples of the variables, as if it was sent to the viewer.
 *
 * @throws NOT_FOUND; VALIDATION, reason TEMPLATE_INVALID
 */
export async function previewEmailTemplate(
  ctx: Context,
  key: string,
  text: TemplateText,
): Promise<RenderedTemplate> {
  const known = requireTemplateKey(key);
  assertTemplateText(getTemplate(known), text);
  return renderWithExamples(ctx, await readEmailTexts(ctx), known, text);
}

/** Renders a wording with the examples of the variables, as if it was sent to the viewer. It is not checked. */
export function renderWithExamples(
  { viewer, baseUrl }: Context,
  texts: EmailTexts,
  key: TemplateKey,
  text: TemplateText,
): RenderedTemplate {
  return renderTemplate(texts, key, text, listExamples(texts, key), {
    sender: EXAMPLE_SENDER,
    recipientName: 'name' in viewer ? viewer.name : null,
    actionUrl: `${baseUrl}/my`,
  });
}

const EXAMPLE_SENDER = 'Foyer Berlin';

function requireTemplateKey(key: string): TemplateKey {
  if (!isTemplateKey(key)) throw notFound('email template');
  return key;
}
