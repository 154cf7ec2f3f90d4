import type { EmailTexts } from '../../languages/emails/email-texts.ts';

/** What a template is about, for lists. */
const TEMPLATE_CATEGORIES = [
  'bookings',
  'orders',
  'memberships',
  'reminders',
  'visits',
  'displays',
] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/** A value that a template can contain. */
export interface TemplateVariable {
  description: string;
  /** What previews show. Dates, amounts and words follow the language. */
  example: string | string[] | ((texts: EmailTexts) => string | string[]);
  /** People without an account can enter it, so it must not stand in the subject of an email to another person. */
  isFromStranger?: true;
}

/** An email that operators can reword or switch off. */
export interface EmailTemplate {
  category: TemplateCategory;
  /** Shown in the panel. */
  title: string;
  /** One sentence: when the email is sent, and to whom. */
  description: string;
  variables: Record<string, TemplateVariable>;
}
