import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { en, type TextKey } from '../../src/languages/en.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';

type Parts = ReturnType<typeof parse>;

/** Lists the values and the marked parts of a message, and for plurals the categories. */
const listParts = (parts: Parts): string[] =>
  parts.flatMap((part) => {
    if (part.type === TYPE.tag) return [`<${part.value}>`, ...listParts(part.children)];
    if (part.type === TYPE.plural) return [`{${part.value}, plural}`];
    return 'value' in part && part.type !== TYPE.literal ? [`{${part.value}}`] : [];
  });

const describeText = (text: string) => [...new Set(listParts(parse(text)))].sort();

describe.each(Object.entries(LANGUAGES))('%s', (code, { load }) => {
  it('has the keys of English, in its order, with the same values and marked parts', async () => {
    const catalog = await load();
    expect(Object.keys(catalog)).toEqual(Object.keys(en));
    const describeAll = (texts: Record<TextKey, string>) =>
      Object.entries(texts).map(([key, text]) => [key, describeText(text)]);
    expect(describeAll(catalog)).toEqual(describeAll(en));
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
  const wrong = Object.entries(await LANGUAGES.fr.load()).filter(([, text]) =>
    /(?<!\u202f)[?!;]|(?<!\u00a0)[:»]|«(?!\u00a0)/.test(text),
  );
  expect(wrong).toEqual([]);
});
