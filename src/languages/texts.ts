import { IntlMessageFormat } from 'intl-messageformat';
import { en } from './en.ts';
import type { Language } from './languages.ts';

/** The names of the values in a text: those in braces, but not the variants of a plural, which contain "#" or spaces. */
type ValueName<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? ToName<Inner> | ValueName<Rest>
  : never;
type ToName<Inner extends string> = Inner extends `${infer Name},${string}`
  ? ToName<Name>
  : Inner extends `${string}${' ' | '#' | '{'}${string}`
    ? never
    : Inner;

type Values<Text extends string> = [ValueName<Text>] extends [never]
  ? []
  : [values: Record<ValueName<Text>, string | number>];

/** Renders the parts of a text that are marked, such as `<b>bold</b>`, by the names of their tags. */
type Tags<Part> = Record<string, (parts: (string | Part)[]) => Part>;

type EnglishTexts = Readonly<Record<string, string>>;
type KeyOf<English extends EnglishTexts> = keyof English & string;

/** The texts of one language, with the keys and values of the English ones. Default: those of pages. */
export interface Texts<English extends EnglishTexts = typeof en> {
  language: Language;
  /** Returns a text with its values. */
  text<Key extends KeyOf<English>>(key: Key, ...values: Values<English[Key]>): string;
  /** Returns the parts of a text with marked parts. */
  parts<Part>(
    key: KeyOf<English>,
    tags: Tags<Part>,
    values?: Record<string, string | number>,
  ): (string | Part)[];
}

/** Creates the texts of a language from its catalog. */
export function createTexts<English extends EnglishTexts = typeof en>(
  language: Language,
  catalog: Readonly<Record<KeyOf<NoInfer<English>>, string>>,
): Texts<English> {
  const formats = new Map<string, IntlMessageFormat>();
  // Parsing takes longer than formatting.
  const getFormat = (key: KeyOf<English>) => {
    const format = formats.get(key) ?? new IntlMessageFormat(catalog[key], language);
    formats.set(key, format);
    return format;
  };
  return {
    language,
    text: (key, ...[values]) =>
      values === undefined ? catalog[key] : String(getFormat(key).format(values)),
    parts: <Part>(key: KeyOf<English>, tags: Tags<Part>, values = {}) => {
      const parts = getFormat(key).format<Part>({ ...values, ...tags });
      return (Array.isArray(parts) ? parts : [parts]) as (string | Part)[];
    },
  };
}

export const englishTexts = createTexts('en', en);
