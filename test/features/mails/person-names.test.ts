import fc from 'fast-check';
import { isPersonName, personName } from '../../../src/core/validation.ts';
import { formatGreeting } from '../../../src/integrations/email/layout.ts';
import { getEmailTexts } from '../../../src/languages/emails/email-texts.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

describe('the name of a person', () => {
  it.each([
    "O'Brien",
    'Łukasz Żółty',
    '山田太郎',
    'J. R. Smith',
    'J.R. Smith',
    'Dr. h. c. Anna-Maria García-Núñez',
    'محمد علی',
    'می‌خواهم',
    'St. John, Jr.',
    'Ben 2',
    'x'.repeat(100),
  ])('may be %s', (name) => expect(isPersonName(name)).toBe(true));

  it.each(
    [
      ['https://evil.com', 'see http://1.2.3.4 now', 'www.evil', 'evil.com', 'Ben evil.com/x'],
      ['x.co', 'EVIL．COM', 'evil。com', 'evil.c\u200dom', 'ben@example.org'],
      [
        'Ben\nBcc: x',
        'Ben\r\nX',
        'Ben\u2028X',
        'Ben\0',
        'Ben\u202egpj',
        'e\u00advil',
        'x'.repeat(101),
        ' ',
      ],
    ].flat(),
  )('is not %j', (name) => expect(isPersonName(name)).toBe(false));

  it.each([
    ['Dr.Weiss', 'Dr. Weiss'],
    ['St.John', 'St. John'],
    ['X & Co.KG', 'X & Co. KG'],
    ['J.R.R.Tolkien', 'J.R.R. Tolkien'],
    ['evil.com', 'evil. com'],
    ['a.evil.com/x', 'a. evil. com/x'],
  ])('gets a space after a dot within a word: %s', (text, name) => {
    expect(personName.parse(text)).toBe(name);
    expect(isPersonName(name)).toBe(true);
  });

  it.each([
    ['www.evil.com', 'web or email address'],
    ['https://evil.com', 'web or email address'],
    ['EVIL．COM', 'web or email address'],
    ['ben@example.org', 'web or email address'],
    ['Ben\u202egpj', 'invisible characters'],
  ])('is refused with what it has: %s', (text, words) => {
    expect(personName.safeParse(text).error?.issues[0]?.message).toContain(words);
  });

  it('contains no links or line breaks in any context', () => {
    const bad = fc.constantFrom(
      'http://a.b',
      'www.a',
      'evil.com',
      'a@b',
      '\n',
      '\r',
      '\u2028',
      '\0',
    );
    checkProperty(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), bad, fc.string(), (a, it, b) => {
        // Spaces at both ends are trimmed.
        const text = `a${a}${it}${b}b`;
        expect(isPersonName(text)).toBe(false);
        // What is stored of an input is never a link.
        const { data } = personName.safeParse(text);
        expect(data === undefined || isPersonName(data)).toBe(true);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('is valid if it consists of words of letters, with full stops only before spaces', () => {
    const letters = fc.constantFrom(...'abcdefÄéłßñ山田太郎Иванاحمد');
    const word = fc.string({ unit: letters, minLength: 1, maxLength: 12 });
    const words = fc.array(fc.tuple(word, fc.constantFrom(' ', '. ', "'", '-', ', ')), {
      minLength: 1,
      maxLength: 6,
    });
    checkProperty(
      fc.property(words, (parts) => expect(isPersonName(parts.flat().join(''))).toBe(true)),
      { numRuns: propertyRuns(100) },
    );
  });

  it('is used in the greeting of emails only if it is valid', () => {
    const english = getEmailTexts('en');
    expect(formatGreeting(english, "O'Brien")).toBe("Hello O'Brien,");
    for (const name of [null, 'evil.com', 'Your account\nis blocked'])
      expect(formatGreeting(english, name)).toBe('Hello,');
  });
});
