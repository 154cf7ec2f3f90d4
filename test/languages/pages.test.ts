import { updateSettings } from '../../src/features/settings/service.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { createTexts } from '../../src/languages/texts.ts';
import { formatRelativeDay } from '../../src/web/display/format-display-time.ts';
import { setPageTexts } from '../../src/web/language/page-texts.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// A variable, since the compiler would otherwise check the pages without JSX.
const MESSAGES_FILE: string = '../../src/web/kiosk/messages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

async function open(path: string) {
  const response = await fetch(app.url + path, { headers: { accept: 'text/html' } });
  const text = await response.text();
  return { text, lang: /<html[^>]* lang="(\w+)"/.exec(text)?.[1] };
}

describe('pages for guests and members', () => {
  it.each(['/kiosk', '/display'])('%s has the language of the space', async (path) => {
    await updateSettings(app.ctx, { language: 'en' });
    const english = await open(path);
    await updateSettings(app.ctx, { language: 'de' });
    const german = await open(path);
    expect([english.lang, german.lang]).toEqual(['en', 'de']);
    expect(german.text).toMatch(/modulepreload" href="assets\/de-/);
    expect((await open('/admin')).lang).toBe('en');
  });

  it('has the texts and dates of a display and a kiosk in German', async () => {
    setPageTexts(createTexts('de', await LANGUAGES.de.load()));
    expect(formatRelativeDay('2026-11-24', '2026-11-23')).toBe('Morgen');
    expect(formatRelativeDay('2026-11-30', '2026-11-23')).toBe('Montag, 30. Nov.');
    const { toQueuedMessage } = await import(MESSAGES_FILE);
    expect(toQueuedMessage(true, false).title).toBe('Gespeichert. Komm herein');
  });
});
