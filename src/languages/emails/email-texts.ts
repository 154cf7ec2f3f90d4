import type { Language } from '../languages.ts';
import type { SpaceSettings } from '../space-settings.ts';
import { createTexts, type Texts } from '../texts.ts';
import { de } from './de.ts';
import { type EmailCatalog, en } from './en.ts';
import { fr } from './fr.ts';

/** What emails, tickets and receipts say in one language. Dates and amounts in them follow the same language. */
export interface EmailTexts extends Pick<Texts<(typeof en)['texts']>, 'language' | 'text'> {
  /** The default wording of emails that operators can reword. */
  templates: EmailCatalog['templates'];
}

/** The texts of emails of the space, and its name, which stands in the calendar entries of emails. Null: it has none. */
export interface SpaceTexts extends EmailTexts, Pick<SpaceSettings, 'taxNote'> {
  spaceName: SpaceSettings['name'];
}

const createEmailTexts = (language: Language, { templates, texts }: EmailCatalog): EmailTexts => ({
  templates,
  ...createTexts<(typeof en)['texts']>(language, texts),
});

// A new language is a file with its texts and a line here.
export const EMAIL_CATALOGS: Readonly<Record<Language, EmailCatalog>> = { en, de, fr };

const created = new Map<Language, EmailTexts>();

/** Returns the texts of a language, whose messages are parsed when they are first needed. */
export function getEmailTexts(language: Language): EmailTexts {
  const texts = created.get(language) ?? createEmailTexts(language, EMAIL_CATALOGS[language]);
  created.set(language, texts);
  return texts;
}
