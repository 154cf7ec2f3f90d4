import type { Language } from '../languages.ts';
import { en, type MemberCatalog } from './en.ts';

// A new language is a file with its texts and a line here.
/** Loads the texts of the pages of members when they are first needed. */
export const MEMBER_CATALOGS: Readonly<Record<Language, () => Promise<MemberCatalog>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
};
