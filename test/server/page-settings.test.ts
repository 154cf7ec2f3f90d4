import { setTimeout } from 'node:timers/promises';
import { createPageSettings, type PageSettings } from '../../src/server/page-settings.ts';

it('returns the last settings while the database does not answer', async () => {
  const answers: ((settings: PageSettings) => void)[] = [];
  const readSettings = createPageSettings(() => new Promise((resolve) => answers.push(resolve)), 1);
  const first = readSettings();
  await setTimeout(20); // there are no settings yet that it could return
  answers[0]?.({ language: 'de', name: 'Kranwerk' });
  expect(await first).toEqual({ language: 'de', name: 'Kranwerk' });

  expect(await readSettings()).toEqual({ language: 'de', name: 'Kranwerk' }); // during an outage

  const afterOutage = readSettings();
  answers[2]?.({ language: 'fr', name: null });
  expect(await afterOutage).toEqual({ language: 'fr', name: null });
  answers[1]?.({ language: 'en', name: 'Kranwerk' });
  expect(await readSettings()).toEqual({ language: 'fr', name: null });
});
