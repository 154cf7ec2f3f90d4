import { setTimeout } from 'node:timers/promises';
import type { Language } from '../../src/languages/languages.ts';
import { createPageSettings, type PageSettings } from '../../src/server/page-settings.ts';

const toSettings = (language: Language, name: string | null): PageSettings => ({
  ...{ language, name, taxNote: 'none' },
});

it('returns the last settings while the database does not answer', async () => {
  const answers: ((settings: PageSettings) => void)[] = [];
  const readSettings = createPageSettings(() => new Promise((resolve) => answers.push(resolve)), 1);
  const first = readSettings();
  await setTimeout(20); // there are no settings yet that it could return
  answers[0]?.(toSettings('de', 'Kranwerk'));
  expect(await first).toEqual(toSettings('de', 'Kranwerk'));

  expect(await readSettings()).toEqual(toSettings('de', 'Kranwerk')); // during an outage

  const afterOutage = readSettings();
  answers[2]?.(toSettings('fr', null));
  expect(await afterOutage).toEqual(toSettings('fr', null));
  answers[1]?.(toSettings('en', 'Kranwerk'));
  expect(await readSettings()).toEqual(toSettings('fr', null));
});
