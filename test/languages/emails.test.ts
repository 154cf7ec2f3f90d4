import fc from 'fast-check';
import { renderTemplate } from '../../src/integrations/email/render-template.ts';
import {
  getDefaultWording,
  getTemplate,
  TEMPLATE_KEYS,
  type TemplateKey,
} from '../../src/integrations/email/template-catalog.ts';
import { assertTemplateText } from '../../src/integrations/email/template-text.ts';
import { EMAIL_CATALOGS, getEmailTexts } from '../../src/languages/emails/email-texts.ts';
import { LANGUAGE_CODES, type Language } from '../../src/languages/languages.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const LINKS = {
  actionUrl: 'https://foyer.test/action',
  stopUrl: 'https://foyer.test/stop',
};

/** The value of a variable: a word that no text contains. */
const toWord = (name: string) => `value-of-${name}.`;

/** Renders the default wording of a template. Only these variables have a value. */
function render(language: Language, key: TemplateKey, filled: readonly string[]) {
  const texts = getEmailTexts(language);
  const { variables } = getTemplate(key);
  const values = Object.fromEntries(
    Object.keys(variables).map((name) => [name, filled.includes(name) ? toWord(name) : null]),
  );
  return renderTemplate(texts, key, getDefaultWording(texts, key), values, {
    recipientName: 'Bo',
    actionUrl: LINKS.actionUrl,
    smallLink: { label: texts.text('reminder.stop'), url: LINKS.stopUrl },
  });
}

const listWords = (text: string) => [...new Set(text.match(/value-of-\w+\./g))].sort();
const listLinks = (text: string) => (text.match(/https:\S+?(?=["\s]|$)/g) ?? []).sort();

const filledVariables = (key: TemplateKey) => fc.subarray(Object.keys(getTemplate(key).variables));

describe.each(TEMPLATE_KEYS)('%s', (key) => {
  it.each(LANGUAGE_CODES)(
    'in %s uses only its variables, and none of strangers in the subject',
    (code) => {
      assertTemplateText(getTemplate(key), getDefaultWording(getEmailTexts(code), key));
    },
  );

  it('says the same in every language: with the same values and links, whatever is empty', () => {
    checkProperty(
      fc.property(filledVariables(key), (filled) => {
        const english = render('en', key, filled);
        for (const code of LANGUAGE_CODES) {
          const { subject, text, html } = render(code, key, filled);
          expect(subject).not.toBe('');
          expect(subject + text).not.toMatch(/[{}]/);
          expect(html).toContain(`<html lang="${code}">`);
          expect(listWords(subject)).toEqual(listWords(english.subject));
          expect(listWords(text)).toEqual(listWords(english.text));
          expect(listWords(html)).toEqual(listWords(english.html));
          expect(listLinks(text)).toEqual(listLinks(english.text));
          expect(listLinks(html)).toEqual(listLinks(english.html));
        }
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});

/** What could be a word of its own: without values, variables and markup. */
const listOwnWords = (text: string) =>
  text.replace(/\{\{.*?\}\}/g, ' ').match(/\p{Letter}{2,}/gu) ?? [];

it.each(LANGUAGE_CODES.filter((code) => code !== 'en'))(
  '%s has a text of its own wherever English has several words',
  (code) => {
    const [english, translated] = [EMAIL_CATALOGS.en, EMAIL_CATALOGS[code]];
    const toEntries = ({ texts, templates }: typeof english) => [
      ...Object.entries(texts),
      ...Object.entries(templates).flatMap(([key, fields]) =>
        Object.entries(fields).map(([field, text]) => [`${key} ${field}`, text] as const),
      ),
    ];
    const others = new Map(toEntries(translated));
    const same = toEntries(english)
      .filter(([key, text]) => listOwnWords(text).length > 1 && others.get(key) === text)
      .map(([key]) => key);
    expect(same).toEqual([]);
  },
);

it('templates have a wording in each language, and no language has others', () => {
  for (const code of LANGUAGE_CODES)
    expect(Object.keys(EMAIL_CATALOGS[code].templates)).toEqual(TEMPLATE_KEYS);
});
