import type { Language } from '../../src/languages/languages.ts';
import { createPageLanguage } from '../../src/server/page-language.ts';

it('returns the last language while the database does not answer', async () => {
  const answers: ((language: Language) => void)[] = [];
  const readLanguage = createPageLanguage(() => new Promise((resolve) => answers.push(resolve)), 1);
  const first = readLanguage();
  answers[0]?.('de');
  expect(await first).toBe('de');

  expect(await readLanguage()).toBe('de'); // during an outage

  const afterOutage = readLanguage();
  answers[2]?.('fr');
  expect(await afterOutage).toBe('fr');
  answers[1]?.('en');
  expect(await readLanguage()).toBe('fr');
});
