import { readdirSync, readFileSync } from 'node:fs';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { EMAIL_CATALOGS } from '../../src/languages/emails/email-texts.ts';
import { en } from '../../src/languages/en.ts';
import { LANGUAGES, type Language } from '../../src/languages/languages.ts';
import { en as memberEnglish } from '../../src/languages/member/en.ts';
import { MEMBER_CATALOGS } from '../../src/languages/member/member-catalogs.ts';

type Parts = ReturnType<typeof parse>;

/** Lists the values and the marked parts of a message, and for plurals the categories. */
const listParts = (parts: Parts): string[] =>
  parts.flatMap((part) => {
    if (part.type === TYPE.tag) return [`<${part.value}>`, ...listParts(part.children)];
    if (part.type === TYPE.plural) return [`{${part.value}, plural}`];
    return 'value' in part && part.type !== TYPE.literal ? [`{${part.value}}`] : [];
  });

const describeText = (text: string) => [...new Set(listParts(parse(text)))].sort();

const CODES = Object.keys(LANGUAGES) as Language[];

const CATALOGS = {
  pages: { english: en, load: (code: Language) => LANGUAGES[code].load() },
  'pages of members': {
    english: memberEnglish,
    load: (code: Language) => MEMBER_CATALOGS[code](),
  },
  emails: {
    english: EMAIL_CATALOGS.en.texts,
    load: async (code: Language) => EMAIL_CATALOGS[code].texts,
  },
} as const;

const CASES = CODES.flatMap((code) =>
  Object.entries(CATALOGS).map(([name, { english, load }]) => ({
    ...{ code, name, english },
    load: (): Promise<Record<string, string>> => load(code),
  })),
);

describe.each(CASES)('$code of $name', ({ code, english, load }) => {
  it('has the keys of English, in its order, with the same values and marked parts', async () => {
    const catalog = await load();
    expect(Object.keys(catalog)).toEqual(Object.keys(english));
    const describeAll = (texts: Record<string, string>) =>
      Object.entries(texts).map(([key, text]) => [key, describeText(text)]);
    expect(describeAll(catalog)).toEqual(describeAll(english));
  });

  it('has a text for each plural category', async () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    const findMissing = (parts: Parts): string[] =>
      parts.flatMap((part) => {
        if (part.type === TYPE.tag) return findMissing(part.children);
        if (part.type !== TYPE.plural) return [];
        return pluralCategories.filter((name) => !(name in part.options) && name !== 'many');
      });
    const missing = Object.entries(await load()).flatMap(([key, text]) =>
      findMissing(parse(text)).map((category) => `${key}: ${category}`),
    );
    expect(missing).toEqual([]);
  });
});

it('has spaces in French that do not break before punctuation marks, and are narrow where they must be', async () => {
  const { texts, templates } = EMAIL_CATALOGS.fr;
  const wordings = Object.values(templates).flatMap((template) => Object.values(template));
  const catalogs = [await LANGUAGES.fr.load(), await MEMBER_CATALOGS.fr(), texts, wordings];
  const all = catalogs.flatMap((part) => Object.values(part));
  const wrong = all.filter((text) => /(?<!\u202f)[?!;]|(?<!\u00a0)[:»]|«(?!\u00a0)/.test(text));
  expect(wrong).toEqual([]);
});

it('formats dates, times and amounts of pages in their language, not in that of the browser', () => {
  const directory = new URL('../../src/web/', import.meta.url);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('gql/'),
  );
  const formatsForBrowser =
    /toLocale(Date|Time)?String\(\)|Intl\.(Number|DateTime|RelativeTime|List)Format\((undefined|\[\]|\))(?!\.resolvedOptions)|Money\([^)]*BROWSER_LOCALE/;
  const wrong = files.filter((name) =>
    formatsForBrowser.test(readFileSync(new URL(name, directory), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});
