import { updateSettings } from '../../src/features/settings/service.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { createTexts, englishTexts } from '../../src/languages/texts.ts';
import { formatRelativeDay, formatShortTime } from '../../src/web/display/format-display-time.ts';
import { setPageTexts } from '../../src/web/language/page-texts.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// A variable, since the compiler would otherwise check the pages without JSX.
const MESSAGES_FILE: string = '../../src/web/kiosk/messages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  setPageTexts(englishTexts); // other files of this worker read English
  await app.stop();
});

async function open(path: string) {
  const response = await fetch(app.url + path, { headers: { accept: 'text/html' } });
  const text = await response.text();
  const [, lang] = /<html[^>]* lang="(\w+)"/.exec(text) ?? [];
  return { text, lang, etag: response.headers.get('etag') };
}

describe('pages for guests and members', () => {
  // Displays and kiosks read the language from the page of a ticket.
  it.each(['/kiosk', '/display', '/ticket'])('%s has the language of the space', async (path) => {
    await updateSettings(app.ctx, { language: 'en' });
    const english = await open(path);
    await updateSettings(app.ctx, { language: 'de' });
    const german = await open(path);
    expect([english.lang, german.lang]).toEqual(['en', 'de']);
    expect(german.text).toContain('<noscript>Diese Seite braucht JavaScript.</noscript>');
    expect(german.text).toMatch(/modulepreload" href="assets\/de-/);
    expect((await open('/admin')).lang).toBe('en');
  });

  it('loads the texts of members only on their pages', async () => {
    await updateSettings(app.ctx, { language: 'de' });
    const loaded = async (path: string) =>
      [...(await open(path)).text.matchAll(/modulepreload" href="assets\/de-/g)].length;
    expect([await loaded('/my'), await loaded('/my/book'), await loaded('/kiosk')]).toEqual([
      ...[2, 2, 1],
    ]);
    expect((await open('/my/sign-in')).lang).toBe('de');
    await updateSettings(app.ctx, { language: 'en' });
    expect((await open('/my')).lang).toBe('en');
  });

  it('renders public pages in the language of the space, with another ETag', async () => {
    const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
    const startsAt = new Date(app.clock.now.getTime() + 30 * 86_400_000);
    const endsAt = new Date(startsAt.getTime() + 3_600_000);
    const event = { locationId, startsAt, endsAt, status: 'published' as const };
    await app.ctx.db.event.create({ data: { ...event, slug: 'open-day', title: 'Open day' } });
    await updateSettings(app.ctx, { language: 'en' });
    const english = await open('/events/open-day');
    await updateSettings(app.ctx, { language: 'de' });
    const german = await open('/events/open-day');
    expect([english.lang, german.lang]).toEqual(['en', 'de']);
    expect(german.etag).not.toBe(english.etag);
    expect(english.text).toContain('All events');
    expect(german.text).toContain('Alle Veranstaltungen');
    expect(german.text).not.toContain('All events');
    expect(german.text).toContain('<meta property="og:locale" content="de_DE">');
    expect(german.text).toContain('"inLanguage":"de"');
    expect((await open('/events/none')).text).toContain('Seite nicht gefunden');
  });

  it('has the texts and dates of a display and a kiosk in German', async () => {
    setPageTexts(createTexts('de', await LANGUAGES.de.load()));
    expect(formatRelativeDay('2026-11-24', '2026-11-23')).toBe('Morgen');
    expect(formatRelativeDay('2026-11-30', '2026-11-23')).toBe('Montag, 30. Nov.');
    const now = new Date('2026-11-23T01:00:00Z');
    expect(formatShortTime('2026-11-24T14:00:00Z', now, 'Europe/Berlin')).toBe('morgen 15:00');
    const { toQueuedMessage } = await import(MESSAGES_FILE);
    expect(toQueuedMessage(true, false).title).toBe('Gespeichert. Komm herein');
  });
});
