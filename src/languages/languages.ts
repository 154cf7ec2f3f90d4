import { type Catalog, en } from './en.ts';

/** A language of a space. */
interface LanguageEntry {
  /** As its speakers call it. */
  name: string;
  /** As messengers read it, with a country. */
  locale: string;
  /** Loads its texts when they are first needed. */
  load: () => Promise<Catalog>;
}

// A new language is a file with its texts and a line here.
export const LANGUAGES = {
  en: { name: 'English', locale: 'en_GB', load: async () => en },
  de: { name: 'Deutsch', locale: 'de_DE', load: async () => (await import('./de.ts')).de },
  fr: { name: 'Français', locale: 'fr_FR', load: async () => (await import('./fr.ts')).fr },
} as const satisfies Record<string, LanguageEntry>;

/** An ISO 639-1 code. */
export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]];

export const DEFAULT_LANGUAGE: Language = 'en';

export const isLanguage = (code: unknown): code is Language =>
  typeof code === 'string' && Object.hasOwn(LANGUAGES, code);

/** Returns the language of a code. One that only a newer version has is the default. */
export const toLanguage = (code: unknown): Language => (isLanguage(code) ? code : DEFAULT_LANGUAGE);
