import type { Language } from '../../src/languages/languages.ts';
import type { SpaceSettings } from '../../src/languages/space-settings.ts';
import { createPageSettings } from '../../src/server/page-settings.ts';

const toSettings = (language: Language, name: string | null): SpaceSettings => ({
  ...{ language, name, taxNote: 'none' },
});

it('returns the last settings while the database does not answer', async () => {
  const answers: ((settings: SpaceSettings) => void)[] = [];
  const waits: (() => void)[] = [];
  const readSettings = createPageSettings(
    () => new Promise((resolve) => answers.push(resolve)),
    () => new Promise<void>((resolve) => waits.push(resolve)),
  );
  const first = readSettings();
  expect(waits).toEqual([]); // there are no settings yet that it could return
  answers[0]?.(toSettings('de', 'Kranwerk'));
  expect(await first).toEqual(toSettings('de', 'Kranwerk'));

  const duringOutage = readSettings();
  waits[0]?.();
  expect(await duringOutage).toEqual(toSettings('de', 'Kranwerk'));

  const afterOutage = readSettings();
  answers[2]?.(toSettings('fr', null));
  expect(await afterOutage).toEqual(toSettings('fr', null));
  answers[1]?.(toSettings('en', 'Kranwerk'));
  const afterLateAnswer = readSettings();
  waits[2]?.();
  expect(await afterLateAnswer).toEqual(toSettings('fr', null));
});
